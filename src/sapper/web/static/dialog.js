/**
 * Dialogs: asked in front of the page, closed by Escape, the focus going back to where it was.
 *
 * Knows: the <dialog> element. Does not know: what is asked.
 */

import { focusAgain, h } from "./dom.js";

/**
 * Shows a dialog until it is closed.
 * @template T
 * @param {string} title
 * @param {(close: (value?: T) => void) => (Node | string | null)[]} fill makes what is in it
 * @returns {Promise<T | undefined>} the value that it was closed with; undefined by Escape
 */
export function openDialog(title, fill) {
  const before = document.activeElement;
  const heading = h("h2", { id: "dialog-title" }, title);
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, heading);
  /** @type {T | undefined} */
  let answer;
  const close = (/** @type {T | undefined} */ value) => {
    answer = value;
    dialog.close();
  };
  dialog.append(...fill(close).filter((child) => child !== null));
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      focusAgain(before);
      resolve(answer);
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && isOutside(dialog, event)) dialog.close();
    });
    dialog.showModal();
  });
}

/** @param {HTMLDialogElement} dialog @param {MouseEvent} event */
function isOutside(dialog, { clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/**
 * Asks whether something shall be done. The harmless answer has the focus.
 * @param {{title: string, text: string, yes: string, no?: string}} question
 * @returns {Promise<boolean>}
 */
export async function confirm({ title, text, yes, no = "Cancel" }) {
  const answer = await openDialog(title, (/** @type {(value: boolean) => void} */ close) => [
    h("p", {}, text),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: "button", autofocus: true, onclick: () => close(false) }, no),
      h("button", { type: "button", class: "button danger", onclick: () => close(true) }, yes),
    ),
  ]);
  return answer === true;
}
