/**
 * The picture on the menu: a small board in the middle of a game, for who has never seen one.
 *
 * It is made of a board's own cells, so that it looks as a game does in every theme and palette.
 *
 * Knows: which cells it shows. Its numbers are counted, not written down. Does not know: real games.
 */

import { afterFrame, h } from "./dom.js";

const WIDTH = 6;
const HEIGHT = 5;
const MINES = new Set([4, 10, 16, 25, 18]);
const COVERED = new Set([4, 5, 10, 11, 16, 17, 18, 22, 23, 24, 25, 26, 27, 28, 29]);
const FLAGS = new Set([4, 10, 16]);
const SAFE = 22; // The 2 to its upper left has both of its mines.

/** @param {number} cell @returns {[number, number]} */
function xy(cell) {
  return [cell % WIDTH, Math.floor(cell / WIDTH)];
}

/** @param {number} cell */
function count(cell) {
  const [x, y] = xy(cell);
  /** @param {[number, number]} place */
  const isNear = ([column, row]) => Math.abs(column - x) <= 1 && Math.abs(row - y) <= 1;
  return [...MINES].filter((mine) => isNear(xy(mine))).length;
}

/** @param {number} cell */
function makeCell(cell) {
  if (FLAGS.has(cell)) return h("div", { class: "cell t-flag" });
  if (COVERED.has(cell)) return h("div", { class: cell === SAFE ? "cell t-covered safe" : "cell t-covered" });
  const clue = count(cell);
  return h("div", { class: clue ? `cell t-n${clue}` : "cell" }, clue ? String(clue) : null);
}

/**
 * Its cells come when the menu's words are painted, a row in each frame: all at once would hold a slow phone up.
 * @returns {HTMLElement} hidden from screen readers: the words beside it say the same
 */
export function drawSample() {
  const rows = Array.from({ length: HEIGHT }, () => h("div", { class: "row" }));
  const fill = (y = 0) => afterFrame(() => {
    rows[y].append(...Array.from({ length: WIDTH }, (_, x) => makeCell(y * WIDTH + x)));
    if (y + 1 < HEIGHT) fill(y + 1);
  });
  fill();
  return h("div", { class: "board sample", "aria-hidden": "true" }, rows);
}
