/**
 * Painting a position: a palette of tiles, pointers and keys on the board.
 *
 * Knows: which tile is painted with, which cells are painted.
 * Does not know: what becomes of the position.
 */

import { COVERED, FLAGGED, ZERO } from "./board.js";
import { choiceField } from "./fields.js";
import { h } from "./dom.js";
import { t } from "./later_words.js";

/** @import { ShownBoard } from "./grid_walk.js" */

/** @type {[tile: string, words: string][]} */
const TILES = [[COVERED, t("paint-covered")], [ZERO, "0"], ...Array.from("12345678", (clue) => /** @type {[string, string]} */ ([clue, clue])), [FLAGGED, t("action-flag")]];
/** @type {Record<string, string>} */
const KEYS = { "0": ZERO, "f": FLAGGED, "F": FLAGGED, "#": COVERED, "-": COVERED, "Delete": COVERED, "Backspace": COVERED };
for (let clue = 1; clue <= 8; clue++) KEYS[String(clue)] = String(clue);

/** Paints on a board. */
export class Painter {
  /** @param {ShownBoard} board @param {(cell: number, tile: string) => void} paint */
  constructor(board, paint) {
    this.#board = board;
    this.#paint = paint;
    this.element = h(
      "div",
      { class: "painter" },
      choiceField(t("paint-with"), "tile", TILES, this.#tile, (tile) => {
        this.#tile = tile;
      }),
      h("p", { class: "muted small by-mouse" }, t("paint-keys")),
    );
    const { root } = board.grid;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#moved(event));
    root.addEventListener("keydown", (event) => this.#pressed(event));
    root.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  #board;
  #paint;
  #tile = COVERED;
  #last = -1;

  /** @param {PointerEvent} event */
  #down(event) {
    const cell = this.#board.grid.cellAt(event.clientX, event.clientY);
    if (cell < 0) return;
    this.#board.grid.moveTo(cell);
    this.#last = cell;
    this.#paint(cell, event.button === 2 ? FLAGGED : this.#tile);
    if (event.pointerType === "mouse") event.preventDefault();
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    if (event.pointerType !== "mouse" || !(event.buttons & 1)) return;
    const cell = this.#board.grid.cellAt(event.clientX, event.clientY);
    if (cell < 0 || cell === this.#last) return;
    this.#last = cell;
    this.#paint(cell, this.#tile);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const tile = event.key === " " || event.key === "Enter" ? this.#tile : KEYS[event.key];
    if (tile === undefined) return;
    this.#paint(this.#board.grid.cursor, tile);
    event.preventDefault();
    event.stopPropagation();
  }
}
