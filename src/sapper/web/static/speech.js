/**
 * What a screen reader is told of a game: results of moves, not of every pointer that moves.
 *
 * Knows: a polite live region, sentences about updates.
 * Does not know: the server, keys.
 */

import { COVERED, FLAGGED, clueOf, isCovered, tileWords } from "./board.js";
import { hasWords, t } from "./words.js";

/** @import { Board } from "./board.js" */
/** @import { Changes, Now, Update } from "./types.js" */

const SETTLE = 120;

/** Says sentences one after another, those of one moment together. */
export class Speech {
  /** @param {HTMLElement} region an element with `aria-live` */
  constructor(region) {
    this.#region = region;
  }

  #region;
  /** @type {string[]} */
  #waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} sentence nothing is said for an empty one */
  say(sentence) {
    if (!sentence) return;
    this.#waiting.push(sentence);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#speak(), SETTLE);
  }

  /** Say nothing more. */
  stop() {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #speak() {
    const text = this.#waiting.join(" ");
    this.#waiting = [];
    // The same sentence twice would be no change, and is said all the same: a no-break space more or less.
    this.#region.textContent = this.#region.textContent === text ? `${text}\u00a0` : text;
  }
}

/**
 * An update in words.
 * @param {Board} board after it
 * @param {Changes} changes
 * @param {Pick<Update, "what" | "flags">} update
 * @returns {string}
 */
export function updateWords(board, changes, update) {
  switch (update.what) {
    case "moved":
    case "redone":
      return movedWords(board, changes, update.flags);
    case "undone":
      return t("said-undone", { count: changes.cells.length });
    case "restarted":
      return t("said-restarted");
    case "paused":
      return t("said-paused");
    case "went on":
      return t("said-went-on");
    case "working":
      return t("said-working");
    default:
      return "";
  }
}

/** What a move sounds like. @param {Changes} changes @param {Update["what"]} what @returns {string} none if empty */
export function soundOf({ cells, before, after }, what) {
  if ((what !== "moved" && what !== "redone") || !cells.length) return "";
  if (after[0] === FLAGGED) return "flag";
  if (before[0] === FLAGGED && after[0] === COVERED) return "unflag";
  return cells.length > 8 ? "cascade" : "reveal";
}

/** @param {Board} board @param {Changes} changes @param {number} flags */
function movedWords(board, changes, flags) {
  const { before, after } = changes;
  const revealed = changes.cells.filter((_, place) => isCovered(before[place]) && clueOf(after[place]) >= 0);
  const others = changes.cells.length - revealed.length;
  const parts = [];
  if (revealed.length === 1) parts.push(clueWords(board, revealed[0]));
  else if (revealed.length) parts.push(t("said-revealed", { count: revealed.length }));
  if (others === 1 && !revealed.length) parts.push(markWords(board, changes, flags));
  if (revealed.length > 1) parts.push(`${minesLeft(board, flags)}.`);
  return parts.join(" ");
}

/** @param {Board} board @param {number} cell */
function clueWords(board, cell) {
  const clue = clueOf(board.tile(cell));
  const flags = board.flagsAround(cell);
  const beside = flags ? `, ${t("said-flags-around", { count: flags })}` : "";
  return `${board.place(cell)}: ${clue || t("tile-empty")}${beside}.`;
}

/** @param {Board} board @param {Changes} changes @param {number} flags */
function markWords(board, changes, flags) {
  const [cell] = changes.cells;
  const after = changes.after[0];
  const before = changes.before[0];
  if (after === "X") return "";
  const word = after === "F" || after === "?" ? tileWords(after) : t("said-taken-away", { what: tileWords(before) });
  const left = after === "?" ? "" : `, ${minesLeft(board, flags)}`;
  return `${board.place(cell)}: ${before === "F" && after === "#" ? t("said-flag-taken-away") : word}${left}.`;
}

/**
 * How many mines no flag stands for.
 * @param {Board} board
 * @param {number} flags
 * @returns {string}
 */
export function minesLeft(board, flags) {
  const left = board.mine_count - flags;
  return left < 0 ? t("flags-too-many", { count: -left }) : t("mines-left", { count: left });
}

/**
 * How a game stands, in words: what the boxes above the board show.
 * @param {Board} board
 * @param {Pick<Now, "status" | "flags" | "paused">} fields
 * @param {number} seconds
 * @returns {string}
 */
export function standingWords(board, { status, flags, paused }, seconds) {
  const isOver = hasWords(`result-${status}`);
  const how = isOver ? t(`result-${status}`) : paused ? t("paused") : "";
  const parts = [minesLeft(board, flags), t("count-flags", { count: flags }), t("count-seconds", { count: seconds })];
  return `${how ? `${how}: ` : ""}${parts.join(", ")}.`;
}

/**
 * The end in words.
 * @param {Board} board with the mines shown
 * @param {string} status
 * @param {number} seconds
 * @returns {string}
 */
export function endWords(board, status, seconds) {
  if (status === "won") return t("said-won", { count: seconds });
  if (status === "terminated") return t("said-given-up");
  const struck = board.tiles.indexOf("X");
  return struck < 0 ? t("said-over") : t("said-mine-at", { cell: board.place(struck) });
}

/** What is said of a result that is kept late. @param {boolean} isSaved @returns {string} */
export function savingWords(isSaved) {
  return t(isSaved ? "saved-now" : "not-saved-yet");
}
