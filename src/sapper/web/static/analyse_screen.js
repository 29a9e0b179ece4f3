/**
 * The analyser, `/analyse`: a position that is painted or pasted, and all that can be known of it. The position is in the address.
 *
 * Knows: how a position comes to the page, when the server is asked about it.
 * Does not know: how it is painted (`painter.js`), how answers are laid out (`findings.js`).
 */

import { api, faultText } from "./api.js";
import { COVERED } from "./board.js";
import { complain, h } from "./dom.js";
import { Findings } from "./findings.js";
import { ShownBoard } from "./grid_walk.js";
import { Painter } from "./painter.js";
import { playOn } from "./playing_on.js";
import { LARGEST, boardText, positionLink, readPasted, readPosition } from "./position_text.js";
import { t } from "./later_words.js";

/** @import { Position, Show } from "./types.js" */

const PAUSE = 350;
/** A position in which the least risk is not the best move. */
const FIRST = "6x6x8.3zAoo3zACo4zBoBBAzA3oB3A3oAoo";

/** @type {Show} */
export const showAnalyser = (section, value) => {
  const screen = new Analyser();
  section.replaceChildren(screen.element);
  screen.open(readPosition(value.replace(/^p=/, "")) ?? readPosition(FIRST) ?? emptyBoard(9, 9, 10));
  return { close: () => screen.close() };
};

/** @param {number} width @param {number} height @param {number} mine_count @returns {Position} */
function emptyBoard(width, height, mine_count) {
  return { width, height, mine_count, tiles: Array.from({ length: width * height }, () => COVERED) };
}

/** @param {string} id @param {string} words @param {number} value */
function numberField(id, words, value) {
  const input = h("input", { type: "number", id, min: 0, max: LARGEST, value, inputmode: "numeric" });
  return { input, field: h("div", { class: "field" }, h("label", { for: id }, words), input) };
}

class Analyser {
  constructor() {
    this.#painter = new Painter(this.#board, (cell, tile) => this.#painted(cell, tile));
    this.#findings = new Findings(this.#board);
    this.#mines.input.addEventListener("change", () => this.#changedMines());
    const empty = h("button", { type: "button", class: "button", onclick: () => this.#makeEmpty() }, t("analyse-empty"));
    const show = h("button", { type: "button", class: "button primary", onclick: () => this.#pasted() }, t("analyse-show"));
    const play = h("button", { type: "button", class: "button", onclick: () => playOn(this.#position, undefined, (fault) => this.#complain(fault)) }, t("analyse-play"));
    const copy = h("button", { type: "button", class: "button", onclick: () => this.#copyLink() }, t("analyse-copy"));
    this.element = h(
      "div",
      { class: "sheet review analyser" },
      h("h1", { tabindex: -1 }, t("analyse-title")),
      h(
        "div",
        { class: "reviewed" },
        h(
          "div",
          { class: "reviewed-board" },
          this.#painter.element,
          this.#board.element,
          h("div", { class: "end-actions" }, play, copy),
          this.#notice,
          h("div", { class: "position-sizes" }, this.#width.field, this.#height.field, this.#mines.field, empty),
          h(
            "div",
            { class: "field" },
            h("label", { for: "pasted" }, t("analyse-paste")),
            this.#text,
            h("p", {}, show),
          ),
        ),
        h("div", { class: "reviewed-words" }, this.#findings.element),
      ),
    );
  }

  #board = new ShownBoard(t("position"));
  #painter;
  #findings;
  #width = numberField("position-width", t("columns"), 9);
  #height = numberField("position-height", t("rows"), 9);
  #mines = numberField("position-mines", t("mines"), 10);
  #text = h("textarea", { id: "pasted", rows: 5, spellcheck: "false", class: "code-text" });
  #notice = h("p", { class: "notice", role: "alert" });
  /** @type {Position} */
  #position = emptyBoard(9, 9, 10);
  #asked = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  close() {
    this.#asked += 1;
    clearTimeout(this.#timer);
    this.#board.close();
  }

  /** @param {Position} position */
  open(position) {
    this.#take(position);
    this.#board.fit();
    this.#ask();
  }

  /** Show a position, and have it in the address. @param {Position} position */
  #take(position) {
    this.#position = position;
    const { width, height, mine_count, tiles } = position;
    this.#board.show(position, tiles);
    for (const [field, number] of /** @type {const} */ ([[this.#width, width], [this.#height, height], [this.#mines, mine_count]])) {
      field.input.value = String(number);
    }
    history.replaceState(null, "", positionLink(position));
    this.#complain("");
  }

  /** @param {string} fault */
  #complain(fault) {
    complain(this.#notice, fault);
  }

  /** @param {number} cell @param {string} tile */
  #painted(cell, tile) {
    if (this.#position.tiles[cell] === tile) return;
    const tiles = [...this.#position.tiles];
    tiles[cell] = tile;
    this.#take({ ...this.#position, tiles });
    this.#askSoon();
  }

  #changedMines() {
    const mines = Number(this.#mines.input.value);
    if (!Number.isInteger(mines) || mines < 0 || mines > this.#position.tiles.length) return this.#complain(t("analyse-wrong-mines"));
    this.#take({ ...this.#position, mine_count: mines });
    return this.#askSoon();
  }

  #makeEmpty() {
    const [width, height, mines] = [this.#width, this.#height, this.#mines].map(({ input }) => Number(input.value));
    const size = width * height;
    if (![width, height, mines].every(Number.isInteger) || size < 1 || size > LARGEST || mines < 0 || mines > size) return this.#complain(t("analyse-too-large"));
    return this.open(emptyBoard(width, height, mines));
  }

  async #pasted() {
    const text = this.#text.value;
    if (!text.trim()) return this.#complain(t("analyse-nothing"));
    const read = readPasted(text);
    if ("position" in read) return this.open(read.position);
    const mines = Number(this.#mines.input.value);
    // The mines of the field are for a board text that does not say them.
    const says = /^\s*\d+x\d+\/\d+/.test(read.text) || !read.text.trim().includes("\n");
    return this.#ask({ text: read.text, ...(says ? {} : { mine_count: mines }) });
  }

  #askSoon() {
    clearTimeout(this.#timer);
    this.#board.marks.clear();
    this.#board.marks.hideChances();
    this.#timer = setTimeout(() => this.#ask(), PAUSE);
  }

  /** @param {{text: string, mine_count?: number}} [wanted] what was pasted; else the position as it is */
  async #ask(wanted) {
    this.#asked += 1;
    const number = this.#asked;
    clearTimeout(this.#timer);
    this.element.setAttribute("aria-busy", "true");
    try {
      const found = await api.position(wanted ?? { text: boardText(this.#position) });
      if (number !== this.#asked) return;
      if (wanted) {
        this.#take({ width: found.width, height: found.height, mine_count: found.mine_count, tiles: [...found.board.join("")] });
        this.#board.fit();
      }
      this.#findings.show(found);
    } catch (error) {
      if (number !== this.#asked) return;
      if (wanted) this.#complain(faultText(error));
      else this.#findings.say(faultText(error));
    } finally {
      if (number === this.#asked) this.element.removeAttribute("aria-busy");
    }
  }

  async #copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.#complain("");
      this.#notice.textContent = t("copied");
    } catch {
      this.#complain(t("analyse-copy-failed"));
    }
  }
}
