/**
 * A player's hands on a game: what a click, a tap and a long press come to, by the rules and by the settings.
 *
 * A click that can do nothing is sent all the same, for clicks are counted; a chord that is switched off is none.
 *
 * Knows: verbs, when a chord may be, flag mode.
 * Does not know: buttons and fingers (`mouse.js`, `touch.js`), what the server answers.
 */

/** @import { Board } from "./board.js" */
/** @import { Grid } from "./grid.js" */
/** @import { Rules, Settings, State } from "./types.js" */

import { holds } from "./aids.js";
import { COVERED, FLAGGED, QUESTION, clueOf, isCovered, nextMark } from "./board.js";

/**
 * What hands need of a game.
 * @typedef {{board: Board, rules: Rules, state: Pick<State, "rules" | "preset"> | null, settings: Pick<Settings, "get">, canPlay: boolean,
 *   flagMode: boolean, markAided: () => void,
 *   send: (verb: string, more: object) => number,
 *   expectChange: (id: number, cells: number[]) => void, expectMark: (id: number, cell: number, tile: string) => void}}
 *   HandledGame
 */

/** The hands that `mouse.js` and `touch.js` move. */
export class PlayerHands {
  /**
   * @param {HandledGame} game
   * @param {Grid} grid
   */
  constructor(game, grid) {
    this.game = game;
    this.grid = grid;
  }

  canPlay() {
    return this.game.canPlay;
  }

  /** A click of the left button; on a clue it chords, where one click may. @param {number} cell */
  left(cell) {
    if (this.#flagAround(cell, "clickFlags")) return;
    if (this.#isClue(cell) && !this.#chordsByClick) return;
    this.#move("left", cell, this.leftCells(cell));
  }

  /** @param {number} cell */
  right(cell) {
    if (this.#flagAround(cell, "rightFlags")) return;
    const { board, rules } = this.game;
    this.#mark("right", cell, nextMark(board.tile(cell), rules.question_marks));
  }

  /** @param {string} verb @param {number} cell @param {string | null} mark what the cell becomes; null: nothing else */
  #mark(verb, cell, mark) {
    const id = this.#move(verb, cell, []);
    if (!id || mark === null) return;
    this.game.expectChange(id, [cell]);
    this.game.expectMark(id, cell, mark);
  }

  /**
   * Flag all covered neighbours of a number that has as many of them as it says, where the player has it so.
   * @param {number} cell @param {"clickFlags" | "rightFlags"} aid @returns {boolean} whether there were any to flag
   */
  #flagAround(cell, aid) {
    const { game } = this;
    const cells = game.canPlay && holds(aid, game) ? game.board.unflaggedMines(cell) : [];
    if (cells.length) game.markAided();
    for (const one of cells) this.#mark("flag", one, FLAGGED);
    return cells.length > 0;
  }

  /** `left` chords, and is no error where there is nothing to chord. @param {number} cell */
  chord(cell) {
    if (this.#mayChord && this.#isClue(cell)) this.#move("left", cell, this.game.board.chordCells(cell));
  }

  /** In flag mode a tap flags. On a clue it chords all the same, for there is nothing to flag. @param {number} cell */
  tap(cell) {
    this.grid.moveTo(cell, { ring: false });
    if (this.game.flagMode && !this.#isClue(cell)) this.right(cell);
    else this.left(cell);
  }

  /** A long press flags; in flag mode it reveals. @param {number} cell */
  hold(cell) {
    this.grid.moveTo(cell, { ring: false });
    // Before the page was touched, it is refused and warned of.
    if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(18);
    const isOpen = !isCovered(this.game.board.tile(cell));
    if (isOpen && this.#flagAround(cell, "rightFlags")) return;
    if (isOpen) this.chord(cell);
    else if (this.game.flagMode) this.left(cell);
    else this.right(cell);
  }

  /** The cells that a left click would press. @param {number} cell @returns {number[]} */
  leftCells(cell) {
    const tile = this.game.board.tile(cell);
    if (tile === COVERED || tile === QUESTION) return [cell];
    if (tile === FLAGGED) return this.game.rules.click_reveals_flagged ? [cell] : [];
    return this.#chordsByClick ? this.game.board.chordCells(cell) : [];
  }

  /** The cells that a chord would press. @param {number} cell @returns {number[]} */
  chordCells(cell) {
    return this.#mayChord ? this.game.board.chordCells(cell) : [];
  }

  /** @param {number[]} cells */
  press(cells) {
    this.grid.press(this.game.canPlay ? cells : []);
  }

  slides() {
    return holds("openAtRelease", this.game);
  }

  /** @param {number} cell */
  hover(cell) {
    this.grid.hover(cell);
  }

  get #mayChord() {
    return this.game.rules.chording && this.game.settings.get("chording");
  }

  get #chordsByClick() {
    return this.#mayChord && this.game.settings.get("singleClickChord");
  }

  /** @param {number} cell */
  #isClue(cell) {
    return clueOf(this.game.board.tile(cell)) >= 0;
  }

  /** @param {string} verb @param {number} cell @param {number[]} pressed @returns {number} 0 if it was not sent */
  #move(verb, cell, pressed) {
    if (!this.game.canPlay) return 0;
    const id = this.game.send(verb, { cell: this.game.board.xy(cell) });
    if (!id) return 0;
    this.grid.wait(id, pressed);
    if (pressed.length) this.game.expectChange(id, pressed);
    return id;
  }
}
