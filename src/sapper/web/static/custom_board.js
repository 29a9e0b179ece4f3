/**
 * What a board of one's own may be, in words.
 *
 * Knows: the limits of GET /api/presets, and what cannot be played. Does not know: fields, the server.
 */

/** @import { Limits, SizeAndMines, Start } from "./types.js" */

/** Until the server has said what it allows. */
export const LIMITS = Object.freeze(/** @type {Limits} */ ({
  width: [1, 100], height: [1, 100], cells: 10_000, no_guess_cells: 600,
}));

/** Cells that stay free of mines for each rule about the first reveal. */
const FREE = { any: 1, safe: 1, open: 9 };

/** @param {string} text */
function whole(text) {
  return /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : null;
}

/** @param {string} name @param {number | null} number @param {[least: number, most: number]} limits */
function sideFault(name, number, [least, most]) {
  if (number === null) return `${name} is a whole number from ${least} to ${most}.`;
  if (number < least || number > most) return `${name} can be ${least} to ${most}.`;
  return "";
}

/**
 * The most mines that a board can have.
 * @param {number} width
 * @param {number} height
 * @param {Start} start
 * @returns {number}
 */
export function mostMines(width, height, start) {
  const free = start === "open" ? Math.min(3, width) * Math.min(3, height) : FREE[start];
  return Math.max(0, width * height - free);
}

/**
 * What is wrong with a board, field by field; empty texts where nothing is.
 * @param {{width: string, height: string, mine_count: string, start: Start, noGuess: boolean}} wanted texts as typed
 * @param {Limits} limits
 * @returns {{width: string, height: string, mine_count: string, noGuess: string, board: SizeAndMines | null}} `board`: null
 *   where it is no board
 */
export function checkBoard(wanted, limits) {
  const [width, height, mine_count] = [whole(wanted.width), whole(wanted.height), whole(wanted.mine_count)];
  const faults = {
    width: sideFault("Width", width, limits.width),
    height: sideFault("Height", height, limits.height),
    mine_count: "",
    noGuess: "",
    board: /** @type {SizeAndMines | null} */ (null),
  };
  if (width === null || height === null || faults.width || faults.height) return faults;
  const cells = width * height;
  if (cells > limits.cells) faults.height = `${cells} cells are too many: this server plays up to ${limits.cells}.`;
  const most = mostMines(width, height, wanted.start);
  if (most < 1) faults.width = "That leaves no room for a mine.";
  else if (mine_count === null || mine_count < 1 || mine_count > most) faults.mine_count = `Mines can be 1 to ${most} on this board.`;
  if (mine_count !== null && !faults.width && !faults.height && !faults.mine_count) faults.board = { width, height, mine_count };
  if (wanted.noGuess && cells > limits.no_guess_cells) {
    faults.noGuess = `Boards without guessing can have up to ${limits.no_guess_cells} cells; this one has ${cells}.`;
  }
  return faults;
}

/**
 * How hard a share of mines plays, in words.
 * @param {SizeAndMines} board
 * @returns {string}
 */
export function densityText({ width, height, mine_count }) {
  const share = mine_count / (width * height);
  const percent = `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} % of the cells are mines`;
  if (share < 0.11) return `${percent}: a stroll.`;
  if (share < 0.145) return `${percent}, about as on Beginner.`;
  if (share < 0.18) return `${percent}, about as on Intermediate.`;
  if (share < 0.225) return `${percent}, about as on Expert.`;
  if (share < 0.3) return `${percent}: harder than Expert.`;
  return `${percent}: winning takes a lot of luck.`;
}
