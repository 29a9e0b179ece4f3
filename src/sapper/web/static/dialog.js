/**
 * Dialogs and questions: in front of the page, closed by Escape, the focus going back to where it was.
 *
 * Knows: the <dialog> element. Does not know: what is asked.
 */

import { focusAgain, h } from "./dom.js";
import { t } from "./words.js";

/** Milliseconds after which a dialog can be answered with yes, or left by a click beside it. */
const ARMED_AFTER = 350;

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
    const opened = performance.now();
    dialog.addEventListener("click", (event) => {
      // The second click of a double click was meant for what is behind.
      const isLate = performance.now() - opened >= ARMED_AFTER;
      if (event.target === dialog && isLate && isOutside(dialog, event)) dialog.close();
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
 * Asks before something is done. The way back has the focus, and yes counts only after a moment: what was meant for what
 * is behind (a double click, a key held) does not answer.
 * @param {{title: string, text: string, yes: string, no?: string, danger?: boolean}} question
 * @returns {Promise<boolean>} false by Escape too
 */
export async function ask({ title, text, yes, no = t("cancel"), danger = false }) {
  const opened = performance.now();
  const answer = await openDialog(title, (/** @type {(value: boolean) => void} */ close) => {
    const agree = () => {
      if (performance.now() - opened >= ARMED_AFTER) close(true);
    };
    const way = { type: "button", class: "button", autofocus: true, onclick: () => close(false) };
    const on = { type: "button", class: danger ? "button danger" : "button primary", onclick: agree };
    return [h("p", {}, text), h("div", { class: "actions" }, h("button", way, no), h("button", on, yes))];
  });
  return answer === true;
}
