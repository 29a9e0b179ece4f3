/**
 * Giving a board to others: a link, its code, its seed.
 *
 * Knows: ways to copy, and that each may be missing. Does not know: what a code means.
 */

import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { shareLink } from "./game_request.js";
import { t } from "./words.js";

/** Copies what an input shows; where a browser does not let us, it stays selected for the player to copy. */
/** @param {HTMLInputElement} input @param {HTMLElement} said */
async function copy(input, said) {
  input.focus();
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    said.textContent = t("copied");
  } catch {
    said.textContent = t("copy-selected");
  }
}

/** @param {string} id @param {string} words @param {string} value @param {HTMLElement} said */
function makeCopied(id, words, value, said) {
  const input = h("input", { type: "text", id, value, readonly: true });
  const how = { type: "button", class: "button", "aria-label": t("copy-what", { what: words }), onclick: () => copy(input, said) };
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, words),
    h("div", { class: "copied" }, input, h("button", how, t("copy"))),
  );
}

/** @param {{code: string, seed: string | null}} end @returns {Promise<unknown>} when it is closed */
export function openShare({ code, seed }) {
  const link = shareLink(code);
  const said = h("p", { class: "muted small said", role: "status" });
  const send = () => navigator.share({ title: "sapper", text: t("share-message"), url: link }).catch(() => {});
  return openDialog(t("share-title"), (close) => [
    h(
      "div",
      { class: "stack" },
      h("p", { class: "muted" }, t("share-text")),
      makeCopied("share-link", t("share-link"), link, said),
      makeCopied("share-code", t("share-code"), code, said),
      seed === null || seed === undefined ? null : h("p", { class: "muted small numbers" }, t("share-seed", { seed })),
      said,
    ),
    h(
      "div",
      { class: "actions" },
      "share" in navigator ? h("button", { type: "button", class: "button", onclick: send }, t("share-send")) : null,
      h("button", { type: "button", class: "button primary", onclick: () => close() }, t("done")),
    ),
  ]);
}
