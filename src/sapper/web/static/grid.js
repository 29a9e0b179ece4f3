/**
 * The board on the screen: a grid of real elements that a screen reader can walk.
 *
 * Every cell is an element whose `data-t` is its tile; looks are style sheet. There are no listeners on cells, and an
 * update touches the cells that it changes, no other; a large one a part in each frame, from the cursor outwards.
 *
 * Knows: elements of cells, which cell is focused, which are pressed or near the pointer.
 * Does not know: the server, what a press means, sizes on the screen (see `zoom.js`).
 */

import { h } from "./dom.js";
import { COVERED, EXPLODED, FLAGGED, MINE, QUESTION, WRONG_FLAG, ZERO, clueOf, columnName } from "./board.js";
import { t } from "./words.js";

/** @import { Board } from "./board.js" */
/** @import { Size } from "./types.js" */

/**
 * The class of each tile: the style sheet finds a rule by one class faster than by an attribute.
 * @type {Record<string, string>}
 */
const CLASSES = {
  [COVERED]: "t-covered",
  [FLAGGED]: "t-flag",
  [QUESTION]: "t-question",
  [ZERO]: "t-zero",
  [MINE]: "t-mine",
  [EXPLODED]: "t-exploded",
  [WRONG_FLAG]: "t-wrong",
};
const classOf = (/** @type {string} */ tile) => CLASSES[tile] ?? `t-n${tile}`;

/** So many cells are drawn before the first frame of an update: a cell takes some 50 µs from here to the screen. */
const FIRST_PART = 200;
/** Each later frame has twice as many as the one before, up to these: a frame has its price too, and moves may wait. */
const LARGEST_PART = 800;
/** Columns and rows, from the first to before the last. @typedef {{left: number, right: number, top: number, bottom: number}} Sight */
const EVERYWHERE = { left: 0, top: 0, right: Infinity, bottom: Infinity };
/** Of a board with more cells than this, corners are square: round ones take most of the time that its pixels take. */
const MANY = 2000;

/** The view of one board. */
export class Grid {
  /** @param {HTMLElement} stage the element that scrolls the board */
  constructor(stage) {
    this.stage = stage;
    this.root = h("div", { class: "board", role: "grid", "aria-label": t("board") });
    stage.append(this.root);
    this.cursor = 0;
  }

  /** @type {Board | null} */
  #board = null;
  /** @type {HTMLElement[]} */
  #elements = [];
  /** @type {number[]} */
  #near = [];
  /** @type {number[]} */
  #pressed = [];
  /** @type {Map<number, number[]>} the cells that wait for the answer to each message */
  #pending = new Map();
  /** @type {Map<number, string>} what is said of cells besides what is seen on them */
  #suffixes = new Map();

  /** The letters and numbers at the edges: corner, columns, rows. @type {HTMLElement[]} */
  #edges = [];

  /** @returns {Size} the room that they take, in pixels */
  get edges() {
    const [corner] = this.#edges;
    return { width: corner?.offsetWidth ?? 0, height: corner?.offsetHeight ?? 0 };
  }

  /**
   * Have the columns' letters and the rows' numbers at the edges, or not. Each cell says its own name to who does not see them.
   * @param {boolean} are
   * @returns {boolean} whether that is new
   */
  showNames(are) {
    if (are === this.#edges.length > 0) return false;
    for (const edge of this.#edges) edge.remove();
    this.#edges = are ? ["corner", "columns", "rows"].map((name) => h("div", { class: `edge ${name}`, "aria-hidden": "true" })) : [];
    this.root.before(...this.#edges);
    this.stage.classList.toggle("with-names", are);
    this.#nameEdges();
    return true;
  }

  #nameEdges() {
    if (!this.#edges.length || !this.#board) return;
    const { width, height } = this.board;
    const [corner, columns, rows] = this.#edges;
    const letters = Array.from({ length: width }, (_, x) => h("span", {}, columnName(x)));
    const numbers = Array.from({ length: height }, (_, y) => h("span", {}, String(y + 1)));
    corner.textContent = this.#isTurned ? columnName(width - 1) : String(height); // as wide as the widest
    columns.replaceChildren(...(this.#isTurned ? numbers : letters));
    rows.replaceChildren(...(this.#isTurned ? letters : numbers));
  }

  #isTurned = false;

  /** @returns {boolean} whether the board's columns are shown as rows */
  get isTurned() {
    return this.#isTurned;
  }

  /**
   * Show the board's columns as rows, or not; the cells keep their names.
   * @param {boolean} is
   * @returns {boolean} whether that is new
   */
  turn(is) {
    if (is === this.#isTurned) return false;
    this.#isTurned = is;
    this.root.classList.toggle("turned", is);
    if (this.isShown) this.#shape();
    return true;
  }

  #shape() {
    const { width, height } = this.shown;
    this.root.style.setProperty("--columns", String(width));
    this.root.style.setProperty("--rows", String(height));
    this.#nameEdges();
  }

  /** @returns {Size} columns and rows as they are shown */
  get shown() {
    const { width, height } = this.board;
    return this.#isTurned ? { width: height, height: width } : { width, height };
  }

  /** @param {number} cell @returns {[column: number, row: number]} where it is shown */
  #shownAt(cell) {
    const [x, y] = this.board.xy(cell);
    return this.#isTurned ? [y, x] : [x, y];
  }

  /** @returns {boolean} whether there is a board */
  get isShown() {
    return this.#board !== null;
  }

  /** @returns {Board} the one that is shown */
  get board() {
    if (!this.#board) throw new Error("no board is shown yet");
    return this.#board;
  }

  /**
   * Show a board, whose elements are made anew only if its size is another.
   * @param {Board} board
   */
  show(board) {
    const same = this.#board?.width === board.width && this.#board.height === board.height;
    this.#board = board;
    if (same) return this.refresh(board.tiles.keys());
    this.#build();
    // Cells are made covered: what else there is to see comes first, what is said of them after it. Nothing has its place yet.
    const cells = [...board.tiles.keys()];
    const seen = this.#nearFirst(cells.filter((cell) => board.tiles[cell] !== COVERED), EVERYWHERE);
    // The cursor's, which may have the focus, is never without its words.
    this.#putOff([this.cursor, ...seen, ...cells], 1 + Math.min(seen.length, FIRST_PART));
    return undefined;
  }

  #build() {
    const { width, height } = this.board;
    const row = h("div", { class: "row", role: "row" });
    for (let x = 0; x < width; x++) {
      const more = { tabindex: "-1", "aria-colindex": x + 1, "data-t": COVERED };
      row.append(h("div", { class: "cell t-covered", role: "gridcell", ...more }));
    }
    const rows = document.createDocumentFragment();
    this.#elements = [];
    for (let y = 0; y < height; y++) {
      const copy = /** @type {HTMLElement} */ (row.cloneNode(true));
      copy.setAttribute("aria-rowindex", String(y + 1));
      this.#elements.push(.../** @type {HTMLCollectionOf<HTMLElement>} */ (copy.children));
      rows.append(copy);
    }
    this.root.setAttribute("aria-rowcount", String(height));
    this.root.setAttribute("aria-colcount", String(width));
    this.root.classList.toggle("many", width * height > MANY);
    this.#near = [];
    this.#pressed = [];
    this.#pending.clear();
    this.#late.clear();
    this.#suffixes.clear();
    this.cursor = Math.floor(height / 2) * width + Math.floor(width / 2);
    const hadFocus = this.hasFocus;
    this.root.replaceChildren(rows);
    this.#shape();
    this.#elements[this.cursor].tabIndex = 0;
    this.#elements[this.cursor].classList.add("ring");
    if (hadFocus) this.focus();
  }

  /**
   * @param {number} cell
   * @returns {HTMLElement} as the board has it, even if it was put off
   */
  element(cell) {
    if (this.#late.delete(cell)) this.#draw(cell);
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
    const list = this.#touched([...cells]);
    if (list.length <= FIRST_PART) {
      for (const cell of list) this.#draw(cell);
      return;
    }
    this.#putOff(this.#nearFirst(list), FIRST_PART);
  }

  /** Draw these cells after the next frame. @param {number[]} cells */
  refreshLater(cells) {
    this.#putOff(this.#touched(cells), 0);
  }

  /** What looks another way where these cells have changed: clues beside them too, if flags are counted there. @param {number[]} cells */
  #touched(cells) {
    const hasAids = this.#aids.dim || this.#aids.less;
    return hasAids ? [...new Set(cells.flatMap((cell) => [cell, ...this.board.neighbours(cell)]))] : cells;
  }

  /** Draw these cells a part in each frame. @param {number[]} cells @param {number} first how many of them now */
  #putOff(cells, first) {
    this.#late = new Set([...cells, ...this.#late]);
    this.root.setAttribute("aria-busy", "true");
    this.#drawPart(document.hidden ? this.#late.size : first); // a tab that is not looked at has no frames
  }

  /** @type {Set<number>} */
  #late = new Set();
  #nextPart = 0;
  #isAwaited = false;

  /** Show clues by the flags around them, or no longer: `dim` those that have all of theirs, show others `less` them. @param {{dim: boolean, less: boolean}} aids */
  showAids({ dim, less }) {
    if (dim === this.#aids.dim && less === this.#aids.less) return;
    this.#aids = { dim, less };
    if (this.isShown) this.refresh(this.board.tiles.keys());
  }

  #aids = { dim: false, less: false };

  /** What is written on a clue. @param {number} cell @param {HTMLElement} element */
  #clueText(cell, element) {
    const clue = clueOf(this.board.tiles[cell]);
    const hasAids = (this.#aids.dim || this.#aids.less) && clue > 0;
    const flags = hasAids ? this.board.flagsAround(cell) : 0;
    element.classList.toggle("satisfied", this.#aids.dim && hasAids && flags === clue);
    return clue > 0 ? String(this.#aids.less ? clue - flags : clue).replace("-", "\u2212") : "";
  }

  /** @param {number} cell */
  #draw(cell) {
    const element = this.#elements[cell];
    const tile = this.board.tiles[cell];
    const before = element.getAttribute("data-t") ?? COVERED;
    if (before !== tile) {
      element.setAttribute("data-t", tile);
      element.classList.replace(classOf(before), classOf(tile));
    }
    const text = this.#clueText(cell, element);
    if (element.textContent !== text) write(element, text);
    element.setAttribute("aria-label", this.#words(cell));
  }

  /**
   * The first of the cells that were put off, the next when they are on the screen: each as the board is then.
   * @param {number} size how many
   */
  #drawPart(size) {
    let left = size;
    for (const cell of this.#late) {
      if (left-- === 0) break;
      this.#late.delete(cell);
      this.#draw(cell);
    }
    this.#nextPart = Math.min(Math.max(2 * size, FIRST_PART), LARGEST_PART);
    if (this.#late.size) this.#afterFrame();
    else this.root.removeAttribute("aria-busy");
  }

  /** A frame's own callbacks come before it is drawn: what they did would be in it. */
  #afterFrame() {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    requestAnimationFrame(() => setTimeout(() => {
      this.#isAwaited = false;
      this.#drawPart(this.#nextPart);
    }));
  }

  /** The cells in another order: those in sight, from the cursor outwards, then the others. @param {number[]} cells @param {Sight} [sight] */
  #nearFirst(cells, { left, right, top, bottom } = this.#sight()) {
    const [x, y] = this.#shownAt(this.cursor);
    /** @type {number[][]} */
    const rings = [];
    /** @type {number[]} */
    const others = [];
    for (const cell of cells) {
      const [column, row] = this.#shownAt(cell);
      if (column < left || column >= right || row < top || row >= bottom) others.push(cell);
      else (rings[Math.max(Math.abs(column - x), Math.abs(row - y))] ??= []).push(cell);
    }
    return [...rings.flat(), ...others];
  }

  /**
   * Which columns and rows are in sight, as the stage is scrolled now.
   * @returns {Sight}
   */
  #sight() {
    const { stage, root } = this;
    const size = root.offsetWidth / this.shown.width;
    const frame = stage.getBoundingClientRect();
    const box = root.getBoundingClientRect();
    return {
      left: Math.floor((Math.max(frame.left, 0) - box.left) / size),
      right: Math.ceil((Math.min(frame.right, innerWidth) - box.left) / size),
      top: Math.floor((Math.max(frame.top, 0) - box.top) / size),
      bottom: Math.ceil((Math.min(frame.bottom, innerHeight) - box.top) / size),
    };
  }

  /** @param {number} cell */
  #words(cell) {
    const more = this.#suffixes.get(cell);
    return more ? `${this.board.words(cell)}, ${more}` : this.board.words(cell);
  }

  /**
   * Say more of these cells than what is seen on them: hints, chances. It stays until it is said otherwise.
   * @param {Map<number, string>} suffixes
   */
  tell(suffixes) {
    const changed = new Set([...this.#suffixes.keys(), ...suffixes.keys()]);
    this.#suffixes = suffixes;
    for (const cell of changed) this.#elements[cell].setAttribute("aria-label", this.#words(cell));
  }

  /**
   * Which cell is at a point of the window, -1 if none is.
   * @param {number} clientX
   * @param {number} clientY
   * @returns {number}
   */
  cellAt(clientX, clientY) {
    if (!this.isShown) return -1;
    const box = this.root.getBoundingClientRect();
    const column = Math.floor(((clientX - box.left) / box.width) * this.shown.width);
    const row = Math.floor(((clientY - box.top) / box.height) * this.shown.height);
    return this.#isTurned ? this.board.at(row, column) : this.board.at(column, row);
  }

  // --- where the player is -----------------------------------------------------------------------

  /**
   * Put the cursor on a cell, and the focus if asked for. Only this cell is in the order of Tab.
   * @param {number} cell
   * @param {{focus?: boolean, ring?: boolean}} [how] `ring`: show where it is; a pointer shows that itself
   */
  moveTo(cell, { focus = true, ring = true } = {}) {
    if (cell < 0 || !this.isShown || cell >= this.board.size) return;
    const old = this.#elements[this.cursor];
    old.tabIndex = -1;
    old.classList.remove("ring", "keyed");
    this.cursor = cell;
    const element = this.element(cell);
    element.tabIndex = 0;
    element.classList.toggle("ring", ring);
    element.classList.toggle("keyed", ring);
    if (focus) this.focus();
  }

  /** Focus the cursor's cell, without a jump of the page. */
  focus() {
    this.#elements[this.cursor]?.focus({ preventScroll: true });
  }

  /** Scroll the stage until the cursor's cell, and a cell around it, is in sight. */
  reveal() {
    const [x, y] = this.#shownAt(this.cursor);
    const { stage, root } = this;
    const size = root.offsetWidth / this.shown.width;
    const left = root.offsetLeft + x * size;
    const top = root.offsetTop + y * size;
    const margin = Math.min(size, stage.clientWidth / 4);
    if (left - margin < stage.scrollLeft) stage.scrollLeft = left - margin;
    else stage.scrollLeft = Math.max(stage.scrollLeft, left + size + margin - stage.clientWidth);
    if (top - margin < stage.scrollTop) stage.scrollTop = top - margin;
    else stage.scrollTop = Math.max(stage.scrollTop, top + size + margin - stage.clientHeight);
    this.#elements[this.cursor].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /**
   * Scroll the stage so that some cells are in sight, a little above its middle; not at all if they are.
   * @param {number[]} cells
   */
  bring(cells) {
    if (!cells.length) return;
    const { stage, root } = this;
    const size = root.offsetWidth / this.shown.width;
    const xs = cells.map((cell) => this.#shownAt(cell)[0]);
    const ys = cells.map((cell) => this.#shownAt(cell)[1]);
    /** @param {number} from @param {number[]} places @returns {[begin: number, end: number]} */
    const ends = (from, places) => [from + Math.min(...places) * size, from + (Math.max(...places) + 1) * size];
    scrollInto(stage, "scrollLeft", stage.clientWidth, ...ends(root.offsetLeft, xs), 0.5);
    scrollInto(stage, "scrollTop", stage.clientHeight, ...ends(root.offsetTop, ys), 0.4);
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

  /** @param {string} name @param {number[]} before @param {number[]} after */
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

/**
 * Write on a cell; the name that a hint has put there stays.
 * @param {HTMLElement} element
 * @param {string} text
 */
export function write(element, text) {
  const name = element.lastElementChild;
  element.textContent = text;
  if (name) element.append(name);
}

/**
 * Scroll a length into a window: its middle to that share of it, unless all of it is in the upper part already.
 * @param {HTMLElement} stage
 * @param {"scrollLeft" | "scrollTop"} side
 * @param {number} room
 * @param {number} begin
 * @param {number} end
 * @param {number} share
 */
function scrollInto(stage, side, room, begin, end, share) {
  const from = stage[side];
  if (begin >= from && end <= from + room * 2 * share) return;
  stage[side] = (begin + end) / 2 - room * share;
}
