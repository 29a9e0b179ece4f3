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
import { kindText, presetName } from "./game_request.js";
import { wholePercent } from "./hints.js";
import { t } from "./words.js";

/** @import { Kind, Now, Piece } from "./types.js" */

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
    this.#title = h("h1", { class: "visually-hidden", tabindex: "-1" }, t("title-game"));
    this.#kind = h("p", { class: "kind" });
    this.#banner = h("p", { class: "banner", role: "status", hidden: true });
    this.#working = h("p", { class: "working", hidden: true }, t("looking-for-board"));
    const goOn = { class: "button primary big", type: "button", onclick: actions.pause };
    this.#goOn = h("button", goOn, icon("pause"), t("go-on"));
    this.#curtain = h("div", { class: "curtain", hidden: true }, h("p", null, t("paused")), this.#goOn);
    this.#least = h("span", { class: "least" });
    this.#start = h("p", { class: "start-note", hidden: true });
    this.#legend = h("p", { class: "legend", hidden: true });
    const region = h("p", { class: "visually-hidden", "aria-live": "polite", "aria-atomic": "true", "data-live": "" });
    this.speech = new Speech(region);
    this.element = h(
      "div",
      { class: "game fits" }, // until a board does not fit, there is nothing to zoom
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
    this.#title.textContent = t("game-title", { title: presetName(state.preset) });
    this.#kind.textContent = kindText(state);
    const { width, height, mine_count: mines } = state;
    this.grid.root.setAttribute("aria-label", t("board-label", { width, height, mines }));
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
    if (this.#banner.textContent === text) return; // a browser would look at all of the screen again
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
    const entries = [["was-safe", counts?.safe, t("legend-safe")], ["was-mined", counts?.mined, t("legend-mined")]];
    const shown = entries.filter(([, count]) => count);
    this.#legend.replaceChildren(...shown.map(([name, , words]) =>
      h("span", null, h("span", { class: `swatch ${name}` }), words)));
    this.#legend.hidden = !shown.length;
  }

  /**
   * Advice, in sight: on a phone the other tools would hide it.
   * @param {string} title
   * @param {(Node|string)[]} content
   * @param {Node|null} [tools] beside the title
   */
  showNote(title, content, tools = null) {
    this.header.hideMore();
    this.note.show(title, content, tools);
  }

  /**
   * A hint with its steps; choosing one shows its cells.
   * @param {{name: string, pieces: Piece[]}[]} steps each technique, and the sentence in pieces
   * @param {boolean} mayGuess
   * @param {(place: number) => void} choose
   */
  showHint(steps, mayGuess, choose) {
    const last = steps.length - 1;
    const lines = steps.map(({ name, pieces }) =>
      h("li", { class: "step" }, h("span", { class: "technique" }, name), " ", pieces.map(piece)));
    /** @type {HTMLElement[]} */
    const content = [h("ol", { class: "steps" }, lines)];
    if (mayGuess) content.push(h("p", { class: "quiet" }, t("you-may-guess")));
    this.showNote(t("tool-hint"), content, last > 0 ? stepper(lines, last, choose) : null);
    mark(lines, last);
  }

  /** @param {number|null} least chance there is @param {string} more of the chances */
  showLeast(least, more) {
    const words = least === null ? t("chances-too-hard") : t("least-risk", { risk: wholePercent(least) });
    this.#least.textContent = least !== null && more ? `${words} · ${more}` : words;
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
  const [back, forward] = [button(t("step-before"), "menu", -1), button(t("step-after"), "next", 1)];
  const tell = () => {
    where.textContent = t("step-of", { number: at + 1, count: last + 1 });
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
