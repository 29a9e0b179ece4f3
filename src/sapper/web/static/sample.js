/**
 * The picture on the menu: a small board in the middle of a game, for who has never seen one.
 *
 * Knows: which cells it shows. Its numbers are counted, not written down. Does not know: real games.
 */

import { s } from "./dom.js";

const WIDTH = 6;
const HEIGHT = 5;
const SIZE = 40;
const MINES = new Set([4, 10, 16, 25, 18]);
const COVERED = new Set([4, 5, 10, 11, 16, 17, 18, 22, 23, 24, 25, 26, 27, 28, 29]);
const FLAGS = new Set([4, 10, 16]);
const BEST = 22; // The 2 to its upper left has both of its mines.

function count(cell) {
  const [x, y] = [cell % WIDTH, Math.floor(cell / WIDTH)];
  return [...MINES].filter((mine) => Math.abs((mine % WIDTH) - x) <= 1 && Math.abs(Math.floor(mine / WIDTH) - y) <= 1).length;
}

function drawCell(cell) {
  const [x, y] = [(cell % WIDTH) * SIZE, Math.floor(cell / WIDTH) * SIZE];
  const covered = COVERED.has(cell);
  const name = cell === BEST ? "best" : covered ? "covered" : "open";
  const parts = [s("rect", { x: x + 1.5, y: y + 1.5, width: SIZE - 3, height: SIZE - 3, rx: 6, class: `sample-${name}` })];
  if (FLAGS.has(cell)) parts.push(s("path", { d: `M${x + 15} ${y + 30}V${y + 10}l13 6-13 6`, class: "sample-flag" }));
  const clue = covered ? 0 : count(cell);
  if (clue) parts.push(s("text", { x: x + SIZE / 2, y: y + 28, class: `sample-clue sample-${clue}` }, String(clue)));
  return parts;
}

/** @returns {SVGElement} hidden from screen readers: the words beside it say the same */
export function drawSample() {
  const picture = s("svg", { viewBox: `0 0 ${WIDTH * SIZE} ${HEIGHT * SIZE}`, class: "sample tiles", "aria-hidden": "true" });
  for (let cell = 0; cell < WIDTH * HEIGHT; cell += 1) picture.append(...drawCell(cell));
  return picture;
}
