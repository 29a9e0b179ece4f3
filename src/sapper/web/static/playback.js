/**
 * A game that has ended, moment by moment: the board after each move that changed something.
 *
 * Knows: moves and what each changed, words for them.
 * Does not know: elements, what a move was worth.
 */

import { COVERED, FLAGGED, MINE, WRONG_FLAG, placeName } from "./board.js";
import { t } from "./words.js";

/** @import { PlayedGame, PlayedMove } from "./types.js" */

/** Boards that are kept: one in so many moves. */
const KEPT = 40;

/** A game that is looked through. */
export class Playback {
  /** @param {PlayedGame} game */
  constructor(game) {
    this.game = game;
    /** The moves that are moments, each with its place among all moves. @type {{move: PlayedMove, index: number}[]} */
    this.steps = game.moves
      .map((move, index) => ({ move, index }))
      .filter(({ move }) => move.runs.length || move.action === "terminate");
    this.#kept = [COVERED.repeat(game.width * game.height).split("")];
  }

  /** @type {string[][]} the boards after no move, after `KEPT` moves, and so on */
  #kept;

  /** @returns {number} the last moment; 0 is before the first move */
  get last() {
    return this.steps.length;
  }

  /**
   * The tiles at a moment; at the last one with all that is told at the end.
   * @param {number} at
   * @returns {string[]}
   */
  tiles(at) {
    const begin = Math.min(Math.floor(at / KEPT), this.#kept.length - 1);
    const tiles = [...this.#kept[begin]];
    for (let step = begin * KEPT; step < at; step++) {
      for (const [start, text] of this.steps[step].move.runs) {
        for (let place = 0; place < text.length; place++) tiles[start + place] = text[place];
      }
      if ((step + 1) % KEPT === 0 && (step + 1) / KEPT === this.#kept.length) this.#kept.push([...tiles]);
    }
    return at === this.last ? this.#atTheEnd(tiles) : tiles;
  }

  /** @param {string[]} tiles */
  #atTheEnd(tiles) {
    const { mined, width } = this.game;
    if (!mined) return tiles;
    const mines = new Set(mined.map(([x, y]) => y * width + x));
    return tiles.map((tile, cell) => {
      if (mines.has(cell)) return tile === COVERED || tile === "?" ? MINE : tile;
      return tile === FLAGGED ? WRONG_FLAG : tile;
    });
  }

  /** @param {number} at @returns {string[]} the same, a text a row */
  rows(at) {
    return rowsOf(this.tiles(at), this.game.width);
  }

  /** @param {number} at @returns {number} milliseconds on the game's clock */
  time(at) {
    return at ? this.steps[at - 1].move.at : 0;
  }

  /** @param {number} index of a move among all moves, from 0 @returns {number} the moment after it, 0 if it is none */
  momentOf(index) {
    return this.steps.findIndex((step) => step.index === index) + 1;
  }
}

/** @param {string[]} tiles @param {number} width @returns {string[]} */
export function rowsOf(tiles, width) {
  return Array.from({ length: tiles.length / width }, (_, y) => tiles.slice(y * width, (y + 1) * width).join(""));
}

/** @param {PlayedMove} move @returns {string} `Revealed c2` */
export function moveWords({ action, cell }) {
  return t(`move-${action}`, { cell: placeName(cell) });
}
