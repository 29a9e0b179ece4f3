/**
 * Dialogs: asked in front of the page, closed by Escape, the focus going back to where it was.
 *
 * Knows: the <dialog> element. Does not know: what is asked.
 */

import { h } from "./dom.js";

/**
 * Shows a dialog until it is closed.
 * @param {string} title
 * @param {(close: (value: any) => void) => (Node | string | null)[]} fill makes what is in it
 * @returns {Promise<any>} the value that it was closed with; undefined by Escape
 */
export function openDialog(title, fill) {
  const before = document.activeElement;
  const heading = h("h2", { id: "dialog-title" }, title);
  const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, heading);
  let answer;
  const close = (value) => {
    answer = value;
    dialog.close();
  };
  dialog.append(...fill(close).filter((child) => child !== null));
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (before?.isConnected) before.focus({ preventScroll: true });
      resolve(answer);
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog && isOutside(dialog, event)) dialog.close();
    });
    dialog.showModal();
  });
}

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
  const answer = await openDialog(title, (close) => [
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
