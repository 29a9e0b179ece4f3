/**
 * The elements of the game screen and how they look in each state of a game.
 *
 * Knows: banner, header, stage, curtain, notes, the live region; titles.
 * Does not know: messages, what buttons do.
 */

import { h } from "./dom.js";
import { Grid } from "./grid.js";
import { Header } from "./header.js";
import { icon } from "./icons.js";
import { Panel, Toast } from "./panel.js";
import { Speech } from "./speech.js";
import { counted, kindText } from "./wish.js";

/** All that a game shows. */
export class GameView {
  /**
   * @param {HTMLElement} place is filled
   * @param {Record<string, () => void>} actions of `Header`, and `pause`, `closeNote`
   */
  constructor(place, actions) {
    this.header = new Header(actions);
    this.note = new Panel(actions.closeNote);
    this.toast = new Toast();
    this.stage = h("div", { class: "stage" });
    this.grid = new Grid(this.stage);
    this.#title = h("h1", { class: "visually-hidden", tabindex: "-1" }, "Game");
    this.#kind = h("p", { class: "kind" });
    this.#banner = h("p", { class: "banner", role: "status", hidden: true });
    this.#working = h("p", { class: "working", hidden: true }, "Looking for a board that needs no guess…");
    this.#goOn = h("button", { class: "button primary big", type: "button", onclick: actions.pause }, icon("pause"), "Go on");
    this.#curtain = h("div", { class: "curtain", hidden: true }, h("p", null, "Paused"), this.#goOn);
    this.#least = h("span", { class: "least" });
    const region = h("p", { class: "visually-hidden", "aria-live": "polite", "aria-atomic": "true", "data-live": "" });
    this.speech = new Speech(region);
    this.element = h(
      "div",
      { class: "game" },
      this.#title,
      this.#banner,
      this.header.boxes,
      this.header.tools,
      h("div", { class: "table" }, this.stage, this.#curtain, this.#working, this.toast.element),
      h("div", { class: "below" }, this.#kind, this.#least, this.header.assisted),
      this.note.element,
      region,
    );
    place.replaceChildren(this.element);
  }

  #title;
  #kind;
  #banner;
  #working;
  #curtain;
  #goOn;
  #least;

  /** Leave the screen empty. */
  close() {
    this.speech.stop();
    this.toast.hide();
    this.element.remove();
  }

  /** @returns {boolean} whether the player is at something that is not the board: it must not take the focus from there */
  get isElsewhere() {
    const { activeElement } = document;
    return document.querySelector("dialog[open]") !== null || (activeElement?.matches("input, textarea, select") ?? false);
  }

  /** @param {object} state of the game */
  showTitle(state) {
    this.#title.textContent = `Game: ${state.title}`;
    this.#kind.textContent = kindText(state);
    const { width, height, mines } = state;
    this.grid.root.setAttribute("aria-label", `Board, ${counted(width, "column")}, ${counted(height, "row")}, ${counted(mines, "mine")}`);
  }

  /** @param {{status: string, paused: boolean, overlay: boolean, isOver: boolean}} fields */
  showState({ status, paused, overlay, isOver }) {
    this.element.dataset.status = status;
    this.element.classList.toggle("is-over", isOver);
    this.element.classList.toggle("is-paused", paused);
    if (!overlay || isOver || paused) this.#least.textContent = "";
  }

  /** @param {string} text that is shown until it is empty */
  banner(text) {
    this.#banner.textContent = text;
    this.#banner.hidden = !text;
    this.element.classList.toggle("is-lost", Boolean(text));
  }

  /** @param {boolean} is a layout being looked for */
  working(is) {
    this.#working.hidden = !is;
  }

  /** @param {boolean} closed whether the board is hidden */
  curtain(closed) {
    const { grid } = this;
    const hadFocus = grid.hasFocus || this.#curtain.contains(document.activeElement);
    this.#curtain.hidden = !closed;
    grid.root.inert = closed;
    if (!hadFocus) return;
    if (closed) this.#goOn.focus({ preventScroll: true });
    else grid.focus();
  }

  /** @param {string} text @returns {HTMLElement} */
  paragraph(text) {
    return h("p", null, text);
  }

  /**
   * A hint with its steps; choosing one shows its cells.
   * @param {{steps: object[], may_guess: boolean|null}} hint
   * @param {string[]} sentences
   * @param {(place: number) => void} choose
   */
  showHint(hint, sentences, choose) {
    const last = sentences.length - 1;
    const step = (place) => hint.steps[place].pattern ?? hint.steps[place].technique;
    const lines = sentences.map((sentence, place) =>
      h("li", { class: place === last ? "step last" : "step" }, h("span", { class: "technique" }, step(place)), " ", sentence));
    const content = [h("ol", { class: "steps" }, lines)];
    if (last > 0) content.push(this.#stepper(lines, last, choose));
    if (hint.may_guess) content.push(h("p", { class: "quiet" }, "No cell is certain to be safe: you may guess."));
    this.note.show("Hint", content);
    mark(lines, last);
  }

  /** Buttons through the steps that a hint builds on. */
  #stepper(lines, last, choose) {
    let at = last;
    const where = h("span", { class: "where" });
    const show = (place) => {
      at = Math.max(0, Math.min(last, place));
      where.textContent = `step ${at + 1} of ${last + 1}`;
      mark(lines, at);
      choose(at);
    };
    where.textContent = `step ${last + 1} of ${last + 1}`;
    return h(
      "p",
      { class: "stepper" },
      h("button", { type: "button", class: "button", onclick: () => show(at - 1) }, "Back"),
      where,
      h("button", { type: "button", class: "button", onclick: () => show(at + 1) }, "Forward"),
    );
  }

  /** @param {number|null} least chance there is @param {(chance: number) => string} percent */
  showLeast(least, percent) {
    this.#least.textContent = least === null ? "chances: too much work on this board" : `least risk: ${percent(least)} %`;
  }
}

function mark(lines, chosen) {
  lines.forEach((line, place) => line.classList.toggle("chosen", place === chosen));
}
