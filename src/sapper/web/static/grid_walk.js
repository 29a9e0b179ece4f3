/**
 * A board that is looked at, not played: made, sized, and walked over with keys.
 *
 * Knows: the elements around a grid, keys that walk.
 * Does not know: what is done to cells.
 */

import { Board } from "./board.js";
import { DEFAULT_KEYS } from "./choices.js";
import { h } from "./dom.js";
import { Grid } from "./grid.js";
import { Marks } from "./hints.js";
import { actionOf, walk } from "./keyboard.js";
import { settings } from "./settings.js";
import { Zoom } from "./zoom.js";
import { t } from "./words.js";

/** @import { SizeAndMines } from "./types.js" */

/** A board with its stage. */
export class ShownBoard {
  /** @param {string} label what it is called @param {{isNamed?: boolean}} [how] `isNamed`: its coordinates are always shown */
  constructor(label, { isNamed = false } = {}) {
    this.stage = h("div", { class: "stage" });
    this.element = h("div", { class: "table looked-at" }, this.stage);
    this.grid = new Grid(this.stage);
    this.marks = new Marks(this.grid);
    this.#zoom = new Zoom(this.grid, { isCalm: () => true });
    this.#label = label;
    this.grid.root.addEventListener("keydown", (event) => this.#pressed(event));
    const names = h("button", { type: "button", class: "button names", onclick: () => settings.set("coordinates", !settings.get("coordinates")) }, t("tool-names"));
    if (!isNamed) this.element.append(names);
    const show = () => {
      const are = isNamed || settings.get("coordinates");
      names.setAttribute("aria-pressed", String(are));
      if (this.grid.showNames(are) && this.stage.isConnected) this.#zoom.resized();
    };
    show();
    this.#stop = settings.onChange(show);
  }

  #zoom;
  #label;
  #stop;

  /** @returns {boolean} */
  get isShown() {
    return this.grid.isShown;
  }

  /**
   * Show a position; the elements stay where the size is the same.
   * @param {SizeAndMines} size
   * @param {string[]} tiles
   */
  show(size, tiles) {
    const rows = [tiles.join("")];
    const same = this.isShown && this.grid.board.width === size.width && this.grid.board.height === size.height;
    if (same) {
      const { board } = this.grid;
      board.mine_count = size.mine_count;
      this.grid.refresh(board.apply([[0, rows[0]]]).cells);
      return;
    }
    this.marks.forget();
    this.grid.show(new Board({ ...size, board: rows }));
    this.grid.root.setAttribute("aria-label", t("shown-board-label", { label: this.#label, width: size.width, height: size.height }));
    if (this.stage.isConnected) this.#zoom.reset();
  }

  /** It is in the page now: have it fit. */
  fit() {
    if (this.isShown) this.#zoom.reset();
  }

  close() {
    this.#zoom.close();
    this.#stop();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.defaultPrevented || !this.isShown) return;
    const action = actionOf(event, { ...DEFAULT_KEYS, up: ["ArrowUp"], down: ["ArrowDown"], left: ["ArrowLeft"], right: ["ArrowRight"] });
    const next = action && walk(this.grid.board, this.grid.cursor, action);
    if (next === null || next === "") return;
    this.grid.moveTo(next);
    this.grid.reveal();
    event.preventDefault();
    event.stopPropagation();
  }
}
