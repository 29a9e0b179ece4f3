/**
 * What a player sees of a game, as a model without a screen.
 *
 * Knows: tiles, neighbours, what a run changes, how a cell is put in words.
 * Does not know: elements, the socket, settings.
 */

import { t } from "./words.js";

/** @import { Changes, Place, Run, SizeAndMines } from "./types.js" */

/** Tiles, as the protocol writes them. */
export const COVERED = "#";
export const FLAGGED = "F";
export const QUESTION = "?";
export const ZERO = ".";
export const MINE = "*";
export const EXPLODED = "X";
export const WRONG_FLAG = "!";

/** @type {Record<string, string>} */
const WORDS = {
  [COVERED]: t("tile-covered"),
  [FLAGGED]: t("tile-flagged"),
  [QUESTION]: t("tile-question"),
  [ZERO]: t("tile-empty"),
  [MINE]: t("tile-mine"),
  [EXPLODED]: t("tile-exploded"),
  [WRONG_FLAG]: t("tile-wrong-flag"),
};

/** The letters of a column from 0: a to z, aa, ab … @param {number} x @returns {string} */
export function columnName(x) {
  const last = String.fromCharCode(97 + (x % 26));
  return x < 26 ? last : columnName(Math.floor(x / 26) - 1) + last;
}

/** A cell as it is said: `c4` is column 2 and row 3 from 0. @param {Place} place @returns {string} */
export function placeName([x, y]) {
  return `${columnName(x)}${y + 1}`;
}

/** The column and row of a cell's name, on whatever board. @param {string} name @returns {Place} */
export function placeOf(name) {
  const [, letters, number] = /** @type {RegExpMatchArray} */ (/^([a-z]+)(\d+)$/.exec(name));
  return [[...letters].reduce((x, letter) => x * 26 + letter.charCodeAt(0) - 96, 0) - 1, Number(number) - 1];
}

/**
 * Whether a tile is covered: a flag and a question mark cover too.
 * @param {string} tile
 * @returns {boolean}
 */
export function isCovered(tile) {
  return tile === COVERED || tile === FLAGGED || tile === QUESTION;
}

/**
 * The number of a clue, 0 for a zero; -1 for what is no clue.
 * @param {string} tile
 * @returns {number}
 */
export function clueOf(tile) {
  if (tile === ZERO) return 0;
  return tile >= "1" && tile <= "8" ? Number(tile) : -1;
}

/**
 * A tile in words.
 * @param {string} tile
 * @returns {string}
 */
export function tileWords(tile) {
  return WORDS[tile] ?? tile;
}

/** @returns {Changes} */
function noChanges() {
  return { cells: [], before: [], after: [] };
}

/**
 * What a right click makes of a tile; null where it does nothing.
 * @param {string} tile
 * @param {boolean} hasQuestions whether the rules know question marks
 * @returns {string | null}
 */
export function nextMark(tile, hasQuestions) {
  if (tile === COVERED) return FLAGGED;
  if (tile === FLAGGED) return hasQuestions ? QUESTION : COVERED;
  return tile === QUESTION ? COVERED : null;
}

/** The board of a game: its tiles by cell, `cell = y * width + x`. */
export class Board {
  /**
   * @param {SizeAndMines & {board: string[]}} state of a game, as the server says it
   */
  constructor(state) {
    this.width = state.width;
    this.height = state.height;
    this.mine_count = state.mine_count;
    this.size = state.width * state.height;
    /** What is shown: what was told, and over it what is expected of moves that were not answered yet. */
    this.tiles = [...state.board.join("")];
    this.#told = [...this.tiles];
    if (this.tiles.length !== this.size) throw new RangeError("the board has not the size that it says");
  }

  /** @type {string[]} */
  #told;
  /** @type {Map<number, {cell: number, tile: string}>} by the id of the message, in the order in which they were sent */
  #expected = new Map();

  /** @param {number} cell @returns {string} */
  tile(cell) {
    return this.tiles[cell];
  }

  /** @param {number} cell @returns {Place} column and row from 0 */
  xy(cell) {
    return [cell % this.width, Math.floor(cell / this.width)];
  }

  /** @param {number} x @param {number} y @returns {number} the cell, -1 off the board */
  at(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height ? y * this.width + x : -1;
  }

  /** @param {Place[]} places @returns {number[]} */
  cellsOf(places) {
    return places.map(([x, y]) => this.at(x, y));
  }

  /** @param {number} cell @returns {number[]} ascending */
  neighbours(cell) {
    const [x, y] = this.xy(cell);
    const found = [];
    for (let row = Math.max(0, y - 1); row <= Math.min(this.height - 1, y + 1); row++) {
      for (let column = Math.max(0, x - 1); column <= Math.min(this.width - 1, x + 1); column++) {
        if (row !== y || column !== x) found.push(row * this.width + column);
      }
    }
    return found;
  }

  /**
   * The covered neighbours that a chord would reveal; none where there is no clue.
   * @param {number} cell
   * @returns {number[]}
   */
  chordCells(cell) {
    if (clueOf(this.tiles[cell]) < 0) return [];
    return this.neighbours(cell).filter((other) => this.tiles[other] === COVERED || this.tiles[other] === QUESTION);
  }

  /**
   * The neighbours of a clue that are not flagged, if it has as many covered ones as it says: all of them are mines.
   * @param {number} cell
   * @returns {number[]}
   */
  unflaggedMines(cell) {
    const clue = clueOf(this.tiles[cell]);
    const covered = this.neighbours(cell).filter((other) => isCovered(this.tiles[other]));
    return clue > 0 && covered.length === clue ? covered.filter((other) => this.tiles[other] !== FLAGGED) : [];
  }

  /** @param {number} cell @returns {number} flags beside a cell */
  flagsAround(cell) {
    return this.neighbours(cell).filter((other) => this.tiles[other] === FLAGGED).length;
  }

  /**
   * Take the runs of an update over, and say what they changed of what is shown.
   * @param {Run[]} runs
   * @param {number} [id] of the message that the update answers: nothing more is expected of it
   * @returns {Changes}
   */
  apply(runs, id) {
    const done = id === undefined ? undefined : this.#expected.get(id);
    if (id !== undefined) this.#expected.delete(id);
    const changes = noChanges();
    for (const [start, tiles] of runs) {
      for (let place = 0; place < tiles.length; place++) this.#put(start + place, tiles[place], changes);
    }
    if (done) this.#show(done.cell, changes);
    return changes;
  }

  /**
   * Show a tile before the server has said that it is so.
   * @param {number} id of the message that asked for it
   * @param {number} cell
   * @param {string} tile
   * @returns {Changes}
   */
  expect(id, cell, tile) {
    this.#expected.set(id, { cell, tile });
    const changes = noChanges();
    this.#show(cell, changes);
    return changes;
  }

  /**
   * Take back what is expected: of one message, which was refused, or of all.
   * @param {number} [id]
   * @returns {Changes}
   */
  takeBack(id) {
    const ids = id === undefined ? [...this.#expected.keys()] : [id];
    const changes = noChanges();
    for (const one of ids) {
      const cell = this.#expected.get(one)?.cell;
      this.#expected.delete(one);
      if (cell !== undefined) this.#show(cell, changes);
    }
    return changes;
  }

  /** @returns {number} how many flags more are shown than were told */
  get expectedFlags() {
    const cells = new Set([...this.#expected.values()].map(({ cell }) => cell));
    const flags = (/** @type {string[]} */ tiles) => [...cells].filter((cell) => tiles[cell] === FLAGGED).length;
    return flags(this.tiles) - flags(this.#told);
  }

  /**
   * Become the board of a state of the same size, and say what that changed.
   * @param {string[]} rows
   * @returns {Changes}
   */
  become(rows) {
    this.#expected.clear();
    return this.apply(rows.map((row, y) => [y * this.width, row]));
  }

  /**
   * Hide what an end has shown, for the game goes on: no update does, since to the game those cells were covered all
   * along.
   * @param {Run[]} runs of the end
   * @returns {Changes}
   */
  coverAgain(runs) {
    /** @type {Record<string, string>} */
    const covered = { [MINE]: COVERED, [WRONG_FLAG]: FLAGGED };
    return this.apply(runs.map(([start, tiles]) => [start, [...tiles].map((tile) => covered[tile] ?? tile).join("")]));
  }

  /** @param {number} cell @param {string} tile @param {Changes} changes */
  #put(cell, tile, changes) {
    if (cell >= this.size) return;
    this.#told[cell] = tile;
    this.#show(cell, changes);
  }

  /** @param {number} cell @param {Changes} changes */
  #show(cell, changes) {
    const before = this.tiles[cell];
    let tile = this.#told[cell];
    for (const expected of this.#expected.values()) if (expected.cell === cell) ({ tile } = expected);
    if (before === tile) return;
    this.tiles[cell] = tile;
    changes.cells.push(cell);
    changes.before.push(before);
    changes.after.push(tile);
  }

  /**
   * A cell's name, as `c4`.
   * @param {number} cell
   * @returns {string}
   */
  place(cell) {
    return placeName(this.xy(cell));
  }

  /**
   * A cell in words: its name and what is seen.
   * @param {number} cell
   * @returns {string}
   */
  words(cell) {
    return `${this.place(cell)}: ${tileWords(this.tiles[cell])}`;
  }
}
