/**
 * Positions as texts: in the address of the analyser, and as board texts.
 *
 * In an address a position is `WIDTHxHEIGHTxMINES.TILES`: tiles row by row, a letter each, a number before a letter saying how often it
 * comes. `o` covered, `f` flagged, `q` question mark, `z` zero, `A` to `H` the clues 1 to 8, `m` mine, `x` exploded mine, `w` wrong flag.
 *
 * Knows: both forms. Does not know: what can be known of a position.
 */

import { linkPart } from "./places.js";

/** @import { Position } from "./types.js" */

/** @type {Record<string, string>} */
const LETTERS = { "#": "o", "F": "f", "?": "q", ".": "z", "*": "m", "X": "x", "!": "w" };
for (let clue = 1; clue <= 8; clue++) LETTERS[String(clue)] = "ABCDEFGH"[clue - 1];
/** @type {Record<string, string>} */
const TILES = Object.fromEntries(Object.entries(LETTERS).map(([tile, letter]) => [letter, tile]));
export const LARGEST = 10_000;

/** @param {Position} position @returns {string} what stands behind `p=` */
export function writePosition({ width, height, mine_count, tiles }) {
  const text = tiles.map((tile) => LETTERS[tile] ?? "o").join("");
  const short = text.replace(/(.)\1+/g, (run, letter) => (run.length > 2 ? `${run.length}${letter}` : run));
  return `${width}x${height}x${mine_count}.${short}`;
}

/** @param {string} text @returns {Position | null} null for what is none */
export function readPosition(text) {
  const parts = /^(\d{1,5})x(\d{1,5})x(\d{1,6})\.([0-9A-Za-z]+)$/.exec(text);
  if (!parts) return null;
  const [width, height, mines] = parts.slice(1, 4).map(Number);
  const size = width * height;
  if (!size || size > LARGEST || mines > size) return null;
  /** @type {string[]} */
  const tiles = [];
  for (const [, count, letter] of parts[4].matchAll(/(\d*)([A-Za-z])/g)) {
    const tile = TILES[letter];
    const times = count ? Number(count) : 1;
    if (!tile || tiles.length + times > size) return null;
    for (let time = 0; time < times; time++) tiles.push(tile);
  }
  return tiles.length === size && /[A-Za-z]$/.test(parts[4]) ? { width, height, mine_count: mines, tiles } : null;
}

/** @param {Position} position @returns {string} as `sapper analyse` reads it */
export function boardText({ width, height, mine_count, tiles }) {
  const rows = Array.from({ length: height }, (_, y) => tiles.slice(y * width, (y + 1) * width).join(""));
  return `${width}x${height}/${mine_count}\n${rows.join("\n")}\n`;
}

/** @param {Position} position @returns {string} a link that shows it */
export function positionLink(position) {
  return `/analyse${linkPart("p", writePosition(position))}`;
}

/**
 * The position in a pasted link of ours, or the text that is to be read by the server.
 * @param {string} text
 * @returns {{position: Position} | {text: string}}
 */
export function readPasted(text) {
  const link = /[#?]p=([^\s#]+)\s*$/.exec(text);
  const position = readPosition(link ? link[1] : text.trim());
  if (position) return { position };
  const code = /[#?]code=(\S+)\s*$/.exec(text);
  if (!code) return { text };
  try {
    return { text: decodeURIComponent(code[1]) };
  } catch {
    return { text: code[1] };
  }
}
