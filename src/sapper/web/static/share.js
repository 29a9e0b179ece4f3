/**
 * Giving a board to others: a link, its code, its seed.
 *
 * Knows: ways to copy, and that each may be missing. Does not know: what a code means.
 */

import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { shareLink } from "./game_request.js";

/** Copies what an input shows; where a browser does not let us, it stays selected for the player to copy. */
/** @param {HTMLInputElement} input @param {HTMLElement} said */
async function copy(input, said) {
  input.focus();
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    said.textContent = "Copied.";
  } catch {
    said.textContent = "It is selected: copy it with Ctrl+C, or press and hold.";
  }
}

/** @param {string} id @param {string} words @param {string} value @param {HTMLElement} said */
function makeCopied(id, words, value, said) {
  const input = h("input", { type: "text", id, value, readonly: true });
  const how = { type: "button", class: "button", "aria-label": `Copy: ${words}`, onclick: () => copy(input, said) };
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, words),
    h("div", { class: "copied" }, input, h("button", how, "Copy")),
  );
}

/** @param {{code: string, seed: string | null}} end @returns {Promise<unknown>} when it is closed */
export function openShare({ code, seed }) {
  const link = shareLink(code);
  const said = h("p", { class: "muted small said", role: "status" });
  const send = () => navigator.share({ title: "sapper", text: "Play this board:", url: link }).catch(() => {});
  return openDialog("Share this board", (close) => [
    h(
      "div",
      { class: "stack" },
      h("p", { class: "muted" }, "Whoever opens the link plays the same mines."),
      makeCopied("share-link", "Link", link, said),
      makeCopied("share-code", "Code", code, said),
      seed === null || seed === undefined ? null : h("p", { class: "muted small numbers" }, `Seed ${seed}`),
      said,
    ),
    h(
      "div",
      { class: "actions" },
      "share" in navigator ? h("button", { type: "button", class: "button", onclick: send }, "Send…") : null,
      h("button", { type: "button", class: "button primary", onclick: () => close() }, "Done"),
    ),
  ]);
}
