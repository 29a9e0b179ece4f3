/**
 * A mouse on the board: press shows, release reveals what is under the pointer then, or nothing if that is another cell and the
 * player has it so; right flags; chords by click, two buttons or the middle.
 *
 * Knows: buttons, which cells they press.
 * Does not know: what a click does to a board, fingers (see `touch.js`), elements of cells.
 */

import { elementOf } from "./dom.js";

const LEFT = 0;
const MIDDLE = 1;
const RIGHT = 2;

/**
 * What hands can do at a cell, for mouse, fingers and keys alike.
 * @typedef {object} Hands
 * @property {() => boolean} canPlay
 * @property {(cell: number) => void} left a click of the left button
 * @property {(cell: number) => void} right a click of the right button
 * @property {(cell: number) => void} chord
 * @property {(cell: number) => number[]} leftCells what a left click presses
 * @property {(cell: number) => number[]} chordCells what a chord presses
 * @property {(cells: number[]) => void} press show cells pressed
 * @property {() => boolean} slides whether a press goes along with the pointer to other cells; else sliding away ends it
 * @property {(cell: number) => void} hover tint a neighbourhood; -1 for none
 */

/** The buttons that are down, without an element: which cell is pressed, and what it comes to. */
export class Buttons {
  /** @param {Hands} hands */
  constructor(hands) {
    this.#hands = hands;
  }

  #hands;
  /** @type {Set<number>} */
  #down = new Set();
  #cell = -1;
  #chord = false;
  #spent = false;

  /** @param {number} button @param {number} cell */
  down(button, cell) {
    if (button !== LEFT && button !== MIDDLE && button !== RIGHT) return;
    if (this.#down.size === 0) {
      this.#cell = cell;
      this.#chord = button === MIDDLE;
      this.#spent = false;
    }
    this.#down.add(button);
    if (this.#down.has(LEFT) && this.#down.has(RIGHT)) {
      this.#chord = true;
      this.#cell = cell;
      this.#spent = false;
    } else if (button === RIGHT && this.#down.size === 1) {
      this.#spent = true; // it has done what it does: a second button may still make a chord of it
      this.#hands.right(cell);
    }
    this.over(cell);
  }

  /** The pointer is over a cell now, or over none (-1). @param {number} cell */
  over(cell) {
    const pressed = this.#down.size > 0 && !this.#spent && this.#means(cell);
    if (!pressed) this.#hands.press([]);
    else this.#hands.press(this.#chord ? this.#hands.chordCells(cell) : this.#hands.leftCells(cell));
  }

  /** @param {number} button @param {number} cell where it is let go; -1 off the board */
  up(button, cell) {
    if (!this.#down.delete(button)) return;
    const meant = !this.#spent && this.#means(cell);
    if (!this.#spent) {
      this.#spent = true; // the first button to be let go decides
      this.#hands.press([]);
      if (meant && this.#chord) this.#hands.chord(cell);
      else if (meant) this.#hands.left(cell);
    }
    if (this.#down.size === 0) this.#cell = -1;
  }

  /** Whether to let go over a cell does what was begun. @param {number} cell */
  #means(cell) {
    return cell >= 0 && (cell === this.#cell || this.#hands.slides());
  }

  /** Nothing is down any more, and nothing comes of it. */
  cancel() {
    this.#down.clear();
    this.#cell = -1;
    this.#spent = true;
    this.#hands.press([]);
  }
}

/**
 * Whether a mouse event was made from a touch, where a browser says so (Chromium).
 * @param {UIEvent & {sourceCapabilities?: {firesTouchEvents: boolean}}} event
 */
function firesTouch(event) {
  return event.sourceCapabilities?.firesTouchEvents ?? false;
}

/**
 * Listen to a mouse on a grid.
 * @param {import("./grid.js").Grid} grid
 * @param {Hands} hands
 * @returns {() => void} stops listening
 */
export function attachMouse(grid, hands) {
  const { root } = grid;
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const buttons = new Buttons(hands);
  let near = -1;
  const isMouse = (/** @type {PointerEvent} */ event) => event.pointerType === "mouse";
  const cellOf = (/** @type {MouseEvent} */ event) => (root.contains(elementOf(event.target)) ? grid.cellAt(event.clientX, event.clientY) : -1);
  /** Which button each is taken for while it is down: with Ctrl the left one is the right one, as on a Mac of one button. */
  const taken = new Map();
  const tint = (/** @type {number} */ cell) => {
    if (cell !== near) hands.hover((near = cell));
  };
  let [atX, atY] = [-1, -1];
  /** Keys act where the mouse has moved to last. A page that scrolls beneath a mouse at rest tells of moves, too. @param {PointerEvent} event @param {number} cell */
  const lead = ({ clientX, clientY }, cell) => {
    if (clientX === atX && clientY === atY) return;
    [atX, atY] = [clientX, clientY];
    if (cell !== grid.cursor) grid.moveTo(cell, { focus: false, ring: false });
  };

  // Of several buttons a pointer only tells the first down and the last up: the old mouse events tell each.
  root.addEventListener("mousedown", (event) => {
    event.preventDefault(); // no text selection, no scrolling by the middle button
    if (firesTouch(event) || !hands.canPlay()) return;
    const cell = cellOf(event);
    if (cell < 0) return;
    grid.moveTo(cell, { ring: false });
    const button = event.button === LEFT && event.ctrlKey ? RIGHT : event.button;
    taken.set(event.button, button);
    buttons.down(button, cell);
  }, options);
  addEventListener("mouseup", (event) => buttons.up(taken.get(event.button) ?? event.button, cellOf(event)), options);
  addEventListener("pointermove", (event) => {
    if (!isMouse(event)) return;
    const cell = cellOf(event);
    tint(cell);
    lead(event, cell);
    if (event.buttons) buttons.over(cell);
  }, { ...options, passive: true });
  document.documentElement.addEventListener("pointerleave", () => tint(-1), options);
  addEventListener("blur", () => buttons.cancel(), options);
  root.addEventListener("contextmenu", (event) => event.preventDefault(), options);
  root.addEventListener("auxclick", (event) => event.preventDefault(), options);
  root.addEventListener("dragstart", (event) => event.preventDefault(), options);
  return () => stop.abort();
}
