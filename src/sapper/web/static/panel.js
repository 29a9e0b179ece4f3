/**
 * The notes below a board: a hint's reasons, answers; and short messages.
 *
 * Knows: how they look and go away.
 * Does not know: the game.
 */

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

const TOAST = 4000;

/** A note that stays until it is closed or replaced. */
export class Panel {
  /** @param {() => void} onClose is called when the player closes it */
  constructor(onClose) {
    this.#title = h("h2", { class: "note-title" });
    this.#body = h("div", { class: "note-body" });
    this.#tools = h("div", { class: "note-tools" });
    const how = { class: "note-close", type: "button", "aria-label": t("close"), onclick: () => this.#close() };
    const head = h("div", { class: "note-head" }, this.#title, this.#tools, h("button", how, icon("close")));
    this.element = h("aside", { class: "note", "aria-label": t("notes"), hidden: true }, head, this.#body);
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
