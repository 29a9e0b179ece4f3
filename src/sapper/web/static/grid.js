/**
 * The board on the screen: a grid of real elements that a screen reader can walk.
 *
 * Every cell is an element whose `data-t` is its tile; looks are style sheet. There are no listeners on cells, and an
 * update touches the cells that it changes, no other.
 *
 * Knows: elements of cells, which cell is focused, which are pressed or near the pointer.
 * Does not know: the server, what a press means, sizes on the screen (see `zoom.js`).
 */

import { h } from "./dom.js";
import { clueOf } from "./board.js";

/** The view of one board. */
export class Grid {
  /** @param {HTMLElement} stage the element that scrolls the board */
  constructor(stage) {
    this.stage = stage;
    this.root = h("div", { class: "board", role: "grid", "aria-label": "Board" });
    stage.append(this.root);
    this.board = null;
    this.cursor = 0;
    this.size = 32;
    this.suffixes = new Map();
    this.#elements = [];
    this.#near = [];
    this.#pressed = [];
    this.#pending = new Map();
  }

  #elements;
  #near;
  #pressed;
  #pending;

  /**
   * Show a board, whose elements are made anew only if its size is another.
   * @param {import("./board.js").Board} board
   */
  show(board) {
    const same = this.board && this.board.width === board.width && this.board.height === board.height;
    this.board = board;
    if (!same) this.#build();
    this.refresh(board.tiles.keys());
  }

  #build() {
    const { width, height } = this.board;
    const row = h("div", { class: "row", role: "row" });
    for (let x = 0; x < width; x++) {
      row.append(h("div", { class: "cell", role: "gridcell", tabindex: "-1", "aria-colindex": x + 1, "data-t": "#" }));
    }
    const rows = document.createDocumentFragment();
    this.#elements = [];
    for (let y = 0; y < height; y++) {
      const copy = row.cloneNode(true);
      copy.setAttribute("aria-rowindex", y + 1);
      this.#elements.push(...copy.children);
      rows.append(copy);
    }
    this.root.setAttribute("aria-rowcount", height);
    this.root.setAttribute("aria-colcount", width);
    this.root.style.setProperty("--columns", width);
    this.root.style.setProperty("--rows", height);
    this.#near = [];
    this.#pressed = [];
    this.#pending.clear();
    this.suffixes.clear();
    this.cursor = Math.floor(height / 2) * width + Math.floor(width / 2);
    const hadFocus = this.hasFocus;
    this.root.replaceChildren(rows);
    this.#elements[this.cursor].tabIndex = 0;
    if (hadFocus) this.focus();
  }

  /** @param {number} cell @returns {HTMLElement} */
  element(cell) {
    return this.#elements[cell];
  }

  /** @returns {boolean} */
  get hasFocus() {
    return this.root.contains(document.activeElement);
  }

  /**
   * Draw these cells as the board has them.
   * @param {Iterable<number>} cells
   */
  refresh(cells) {
    const { board } = this;
    for (const cell of cells) {
      const element = this.#elements[cell];
      const tile = board.tiles[cell];
      element.setAttribute("data-t", tile);
      const text = clueOf(tile) > 0 ? tile : "";
      if (element.textContent !== text) element.textContent = text;
      element.setAttribute("aria-label", this.#words(cell));
    }
  }

  #words(cell) {
    const more = this.suffixes.get(cell);
    return more ? `${this.board.words(cell)}, ${more}` : this.board.words(cell);
  }

  /**
   * Say more of these cells than what is seen on them: hints, chances. It stays until it is said otherwise.
   * @param {Map<number, string>} suffixes
   */
  tell(suffixes) {
    const changed = new Set([...this.suffixes.keys(), ...suffixes.keys()]);
    this.suffixes = suffixes;
    for (const cell of changed) this.#elements[cell].setAttribute("aria-label", this.#words(cell));
  }

  /**
   * Which cell is at a point of the window, -1 if none is.
   * @param {number} clientX
   * @param {number} clientY
   * @returns {number}
   */
  cellAt(clientX, clientY) {
    if (!this.board) return -1;
    const box = this.root.getBoundingClientRect();
    const x = Math.floor(((clientX - box.left) / box.width) * this.board.width);
    const y = Math.floor(((clientY - box.top) / box.height) * this.board.height);
    return this.board.at(x, y);
  }

  // --- where the player is -----------------------------------------------------------------------

  /**
   * Put the cursor on a cell, and the focus if asked for. Only this cell is in the order of Tab.
   * @param {number} cell
   * @param {{focus?: boolean}} [how]
   */
  moveTo(cell, { focus = true } = {}) {
    if (cell < 0 || !this.board || cell >= this.board.size) return;
    this.#elements[this.cursor].tabIndex = -1;
    this.cursor = cell;
    this.#elements[cell].tabIndex = 0;
    if (focus) this.focus();
  }

  /** Focus the cursor's cell, without a jump of the page. */
  focus() {
    this.#elements[this.cursor]?.focus({ preventScroll: true });
  }

  /** Scroll the stage until the cursor's cell, and a cell around it, is in sight. */
  reveal() {
    const [x, y] = this.board.xy(this.cursor);
    const { stage, root } = this;
    const size = root.offsetWidth / this.board.width;
    const left = root.offsetLeft + x * size;
    const top = root.offsetTop + y * size;
    const margin = Math.min(size, stage.clientWidth / 4);
    if (left - margin < stage.scrollLeft) stage.scrollLeft = left - margin;
    else if (left + size + margin > stage.scrollLeft + stage.clientWidth) stage.scrollLeft = left + size + margin - stage.clientWidth;
    if (top - margin < stage.scrollTop) stage.scrollTop = top - margin;
    else if (top + size + margin > stage.scrollTop + stage.clientHeight) stage.scrollTop = top + size + margin - stage.clientHeight;
    this.#elements[this.cursor].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // --- what hands do -------------------------------------------------------------------------------

  /**
   * Tint the neighbourhood of a cell; of -1, none.
   * @param {number} cell
   */
  hover(cell) {
    const next = cell < 0 ? [] : [cell, ...this.board.neighbours(cell)];
    this.#swap("near", this.#near, next);
    this.#near = next;
  }

  /**
   * Show cells pressed, and no others.
   * @param {number[]} cells
   */
  press(cells) {
    this.#swap("pressed", this.#pressed, cells);
    this.#pressed = cells;
  }

  #swap(name, before, after) {
    const stay = new Set(after);
    for (const cell of before) if (!stay.has(cell)) this.#elements[cell].classList.remove(name);
    for (const cell of after) this.#elements[cell].classList.add(name);
  }

  /**
   * Keep cells looking pressed until the answer to a message is here.
   * @param {number} id of the message
   * @param {number[]} cells
   */
  wait(id, cells) {
    this.#pending.set(id, cells);
    for (const cell of cells) this.#elements[cell].classList.add("waiting");
  }

  /** @param {number|null} id of the message that was answered; null: nothing is waited for any more */
  waited(id) {
    const ids = id === null ? [...this.#pending.keys()] : [id];
    for (const one of ids) {
      for (const cell of this.#pending.get(one) ?? []) this.#elements[cell].classList.remove("waiting");
      this.#pending.delete(one);
    }
  }
}
