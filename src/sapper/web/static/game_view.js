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
import { counted, kindText } from "./game_request.js";

/** @import { Hint, Kind, Now, Piece } from "./types.js" */

/** All that a game shows. */
export class GameView {
  /**
   * @param {HTMLElement} place is filled
   * @param {ConstructorParameters<typeof Header>[0] & {closeNote: () => void}} actions
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
    const goOn = { class: "button primary big", type: "button", onclick: actions.pause };
    this.#goOn = h("button", goOn, icon("pause"), "Go on");
    this.#curtain = h("div", { class: "curtain", hidden: true }, h("p", null, "Paused"), this.#goOn);
    this.#least = h("span", { class: "least" });
    this.#start = h("p", { class: "start-note", hidden: true });
    this.#legend = h("p", { class: "legend", hidden: true });
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
      h("div", { class: "below" }, this.#kind, this.#start, this.#least, this.header.assisted, this.#legend),
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
  #start;
  #legend;

  /** Leave the screen empty. */
  close() {
    this.speech.stop();
    this.toast.hide();
    this.element.remove();
  }

  /** @returns {boolean} whether the player is at something that is not the board, which must not take the focus then */
  get isElsewhere() {
    const isWriting = document.activeElement?.matches("input, textarea, select") ?? false;
    return isWriting || document.querySelector("dialog[open]") !== null;
  }

  /** @param {Kind} state */
  showTitle(state) {
    this.#title.textContent = `Game: ${state.title}`;
    this.#kind.textContent = kindText(state);
    const parts = [counted(state.width, "column"), counted(state.height, "row"), counted(state.mine_count, "mine")];
    this.grid.root.setAttribute("aria-label", `Board, ${parts.join(", ")}`);
  }

  /** @param {Now & {isOver: boolean}} fields */
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

  /** @param {string} words where a board with a marked cell begins; empty for one without */
  showStart(words) {
    this.#start.textContent = words;
    this.#start.hidden = !words;
  }

  /**
   * What the outlines at the end mean.
   * @param {{safe: number, mined: number}|null} counts of the outlined cells
   */
  showLegend(counts) {
    /** @type {[look: string, count: number | undefined, words: string][]} */
    const entries = [["was-safe", counts?.safe, "had to be safe"], ["was-mined", counts?.mined, "had to be a mine"]];
    const shown = entries.filter(([, count]) => count);
    this.#legend.replaceChildren(...shown.map(([name, , words]) =>
      h("span", null, h("span", { class: `swatch ${name}` }), words)));
    this.#legend.hidden = !shown.length;
  }

  /**
   * A hint with its steps; choosing one shows its cells.
   * @param {Hint} hint
   * @param {Piece[][]} sentences in pieces
   * @param {(place: number) => void} choose
   */
  showHint(hint, sentences, choose) {
    const last = sentences.length - 1;
    const name = (/** @type {number} */ place) => hint.steps[place].pattern ?? hint.steps[place].technique;
    const lines = sentences.map((pieces, place) =>
      h("li", { class: "step" }, h("span", { class: "technique" }, name(place)), " ", pieces.map(piece)));
    /** @type {HTMLElement[]} */
    const content = [h("ol", { class: "steps" }, lines)];
    if (hint.may_guess) content.push(h("p", { class: "quiet" }, "No cell is certain to be safe: you may guess."));
    this.note.show("Hint", content, last > 0 ? stepper(lines, last, choose) : null);
    mark(lines, last);
  }

  /** @param {number|null} least chance there is @param {(chance: number) => string} percent @param {string} win the chance to win, in words */
  showLeast(least, percent, win) {
    const words = least === null ? "chances: too much work on this board" : `least risk: ${percent(least)} %`;
    this.#least.textContent = least !== null && win ? `${words} · ${win}` : words;
  }
}

/** A part of a sentence; a cell looks as its name does on the board. @param {Piece} part */
function piece(part) {
  return typeof part === "string" ? part : h("span", { class: "name" }, part.cell);
}

/**
 * Buttons through the steps that a hint builds on.
 * @param {HTMLElement[]} lines
 * @param {number} last
 * @param {(place: number) => void} choose
 */
function stepper(lines, last, choose) {
  let at = last;
  const where = h("span", { class: "where" });
  /** @param {string} label @param {import("./icons.js").Drawing} drawing @param {number} ways */
  const button = (label, drawing, ways) => {
    const onclick = () => show(at + ways);
    return h("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick }, icon(drawing));
  };
  const [back, forward] = [button("Step before", "menu", -1), button("Step after", "next", 1)];
  const tell = () => {
    where.textContent = `step ${at + 1} of ${last + 1}`;
    back.setAttribute("aria-disabled", String(at === 0));
    forward.setAttribute("aria-disabled", String(at === last));
  };
  const show = (/** @type {number} */ place) => {
    if (place < 0 || place > last) return;
    at = place;
    tell();
    mark(lines, at);
    choose(at);
  };
  tell();
  return h("p", { class: "stepper" }, back, where, forward);
}

/** @param {HTMLElement[]} lines @param {number} chosen */
function mark(lines, chosen) {
  lines.forEach((line, place) => line.classList.toggle("chosen", place === chosen));
}
