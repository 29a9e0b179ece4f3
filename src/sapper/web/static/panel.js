/**
 * The notes below a board: a hint's reasons, answers; short messages; and questions that need an answer.
 *
 * Knows: how they look and go away.
 * Does not know: the game.
 */

import { focusAgain, h } from "./dom.js";
import { icon } from "./icons.js";

const TOAST = 4000;
const ARMED_AFTER = 350;

/** A note that stays until it is closed or replaced. */
export class Panel {
  /** @param {() => void} onClose is called when the player closes it */
  constructor(onClose) {
    this.#title = h("h2", { class: "note-title" });
    this.#body = h("div", { class: "note-body" });
    this.#tools = h("div", { class: "note-tools" });
    const how = { class: "note-close", type: "button", "aria-label": "Close", onclick: () => this.#close() };
    const head = h("div", { class: "note-head" }, this.#title, this.#tools, h("button", how, icon("close")));
    this.element = h("aside", { class: "note", "aria-label": "Notes", hidden: true }, head, this.#body);
    this.#onClose = onClose;
  }

  #title;
  #tools;
  #body;
  #onClose;

  /** @returns {boolean} */
  get isOpen() {
    return !this.element.hidden;
  }

  /**
   * @param {string} title
   * @param {(Node|string)[]} content
   * @param {Node|null} [tools] beside the title
   */
  show(title, content, tools = null) {
    this.#title.textContent = title;
    this.#tools.replaceChildren(...(tools ? [tools] : []));
    this.#body.replaceChildren(...content);
    this.element.hidden = false;
  }

  /** Take it away without a word. */
  hide() {
    this.element.hidden = true;
  }

  #close() {
    this.hide();
    this.#onClose();
  }
}

/** Short messages over the board that go by themselves. */
export class Toast {
  constructor() {
    this.element = h("p", { class: "toast", hidden: true });
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} text */
  show(text) {
    clearTimeout(this.#timer);
    this.element.textContent = text;
    this.element.hidden = false;
    this.#timer = setTimeout(() => this.hide(), TOAST);
  }

  hide() {
    clearTimeout(this.#timer);
    this.element.hidden = true;
  }
}

/**
 * Ask before something is done. The way back has the focus, and yes counts only after a moment: what was meant for
 * the board (a double click, a key held) does not answer.
 * @param {{title: string, text: string, yes: string, no: string, danger?: boolean}} words
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, yes, no, danger = false }) {
  const before = document.activeElement;
  const opened = performance.now();
  return new Promise((answer) => {
    const dialog = h("dialog", { class: "question", "aria-labelledby": "question-title" });
    const agree = () => {
      if (performance.now() - opened >= ARMED_AFTER) dialog.close("yes");
    };
    dialog.append(
      h("h2", { id: "question-title" }, title),
      h("p", null, text),
      h(
        "div",
        { class: "actions" },
        h("button", { type: "button", class: "button", autofocus: true, onclick: () => dialog.close("no") }, no),
        h("button", { type: "button", class: danger ? "button danger" : "button primary", onclick: agree }, yes),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      focusAgain(before);
      answer(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
