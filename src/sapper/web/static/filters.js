/** Lists to choose from, with their labels. Does not know: what is chosen. */

import { h } from "./dom.js";

/** @param {string} id @param {string} words @param {[string, string][]} choices @param {() => void} change */
export function makeFilter(id, words, choices, change) {
  const select = h("select", { id, onchange: change }, ...choices.map(([value, name]) => h("option", { value }, name)));
  return { select, field: h("div", { class: "field" }, h("label", { for: id }, words), select) };
}
