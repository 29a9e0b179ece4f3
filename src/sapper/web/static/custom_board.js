/**
 * What a board of one's own may be, in words.
 *
 * Knows: the limits of GET /api/presets, and what cannot be played. Does not know: fields, the server.
 */

import { percentText } from "./format.js";
import { t } from "./words.js";

/** @import { Limits, SizeAndMines, Start } from "./types.js" */

/** Until the server has said what it allows. */
export const LIMITS = Object.freeze(/** @type {Limits} */ ({
  width: [1, 100], height: [1, 100], cells: 10_000, no_guess_cells: 600,
}));

/** Cells that stay free of mines for each rule about the first reveal. */
const FREE = { any: 1, safe: 1, open: 9 };

/** Below which share of mines a board is called so. @type {readonly [number, string][]} */
const LEVELS = [[0.11, "stroll"], [0.145, "beginner"], [0.18, "intermediate"], [0.225, "expert"], [0.3, "harder"]];

/** @param {string} text */
function whole(text) {
  return /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : null;
}

/** @param {"width" | "height"} name @param {number | null} number @param {[least: number, most: number]} limits */
function sideFault(name, number, [least, most]) {
  if (number === null) return t(`no-whole-${name}`, { least, most });
  return number < least || number > most ? t(`wrong-${name}`, { least, most }) : "";
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
    width: sideFault("width", width, limits.width),
    height: sideFault("height", height, limits.height),
    mine_count: "",
    noGuess: "",
    board: /** @type {SizeAndMines | null} */ (null),
  };
  if (width === null || height === null || faults.width || faults.height) return faults;
  const cells = width * height;
  if (cells > limits.cells) faults.height = t("too-many-cells", { cells, most: limits.cells });
  const most = mostMines(width, height, wanted.start);
  if (most < 1) faults.width = t("no-room-for-mine");
  else if (mine_count === null || mine_count < 1 || mine_count > most) faults.mine_count = t("wrong-mines", { most });
  if (mine_count !== null && !faults.width && !faults.height && !faults.mine_count) faults.board = { width, height, mine_count };
  if (wanted.noGuess && cells > limits.no_guess_cells) {
    faults.noGuess = t("no-guess-too-large", { most: limits.no_guess_cells, cells });
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
  const level = LEVELS.find(([most]) => share < most)?.[1] ?? "luck";
  return t(`density-${level}`, { share: percentText(share, share < 0.1 ? 1 : 0) });
}
