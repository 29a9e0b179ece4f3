/**
 * What helps, shown over and below the board: hints, whether a guess is due, chances, and what had been certain.
 *
 * Knows: which words and marks go with each answer.
 * Does not know: the server, when an answer is still about the board that is seen.
 */

/** @import { Chances, Hint, Place, Review, Status } from "./types.js" */

import { isCovered } from "./board.js";
import { chanceText } from "./format.js";
import { Marks, elsewhereText, reviewSentence } from "./hints.js";
import { t } from "./words.js";

/** @param {Chances} message @returns {string} the chance to win, or why it is not known */
function winWords({ win, win_low: low, win_high: high, unknown }) {
  if (win === null || win === undefined) return unknown ? t(`win-unknown-${unknown}`) : "";
  return t("win-chance", { chance: chanceText(win, low === high) });
}

/** The help that one game shows. */
export class Advice {
  /**
   * @param {import("./game_view.js").GameView} view
   * @param {(name: string) => void} play sounds
   */
  constructor(view, play) {
    this.#view = view;
    this.#play = play;
    this.#marks = new Marks(view.grid);
  }

  #view;
  #play;
  #marks;

  /** The board has other elements. */
  forget() {
    this.#marks.forget();
  }

  /** Take the marks of a hint or a review away. */
  clear() {
    this.#marks.clear();
  }

  /** The board has changed: what was said about the old one is no longer shown. */
  drop() {
    const { note, grid } = this.#view;
    this.#marks.clear();
    this.#view.showLegend(null);
    const hadFocus = note.element.contains(document.activeElement);
    note.hide();
    if (hadFocus) grid.focus();
  }

  /**
   * Mark the cell with which a board begins, until anything is revealed.
   * @param {import("./board.js").Board} board
   * @param {{first: Place | null, no_guess: boolean} | null} state its column and row, and whether no guess is needed from there; null for none
   * @returns {number} the cell, -1 for none
   */
  start(board, state) {
    const cell = state?.first && board.tiles.every(isCovered) ? board.at(...state.first) : -1;
    this.#marks.showStart(cell);
    const from = t(state?.no_guess ? "start-no-guess" : "start-marked");
    this.#view.showStart(cell >= 0 ? from : "");
    return cell;
  }

  /** @param {Hint} hint @param {typeof import("./reasons.js")} reasons */
  hint(hint, { namedStep, plain, stepText, techniqueName }) {
    const { speech, grid } = this.#view;
    if (!hint.steps.length) {
      this.#view.showNote(t("tool-hint"), [this.#view.paragraph(t("too-hard"))]);
      speech.say(t("too-hard"));
      return;
    }
    const told = hint.steps.map((step) => namedStep(grid.board, step));
    const spoken = hint.steps.map((step) => plain(stepText(step)));
    const choose = (/** @type {number} */ place) => {
      const named = new Set(told.slice(0, place + 1).flatMap((one) => [...one.named]));
      this.#marks.showStep(hint.steps[place], named, hint.steps.slice(0, place));
      speech.say(t("hint-spoken", { sentence: spoken[place] }));
    };
    choose(spoken.length - 1);
    const lines = told.map(({ pieces }, place) => ({ name: techniqueName(hint.steps[place]), pieces }));
    this.#view.showHint(lines, hint.may_guess === true, choose);
    this.#play("hint");
  }

  /** @param {boolean|null} answer */
  mayGuess(answer) {
    const text = t(answer === null ? "too-hard" : answer ? "may-guess" : "may-not-guess");
    this.#marks.clear(); // what explained them makes room for this
    this.#view.showNote(t("tool-guess"), [this.#view.paragraph(text)]);
    this.#view.speech.say(text);
  }

  /** @param {Chances} message chances of mines, null where that is too much work, and the chance to win */
  chances(message) {
    const { chances } = message;
    const elsewhere = chances ? this.#marks.showChances(chances) : null;
    if (!chances) this.#marks.hideChances();
    const more = [elsewhereText(elsewhere), winWords(message)].filter(Boolean).join(" · ");
    this.#view.showLeast(chances ? Math.min(...chances.map(([, , chance]) => chance)) : null, more);
  }

  hideChances() {
    this.#marks.hideChances();
  }

  /**
   * What was certain before the last move; after a win nobody asks what else could have been done.
   * @param {Review} review
   * @param {Status} status how the game ended
   */
  review(review, status) {
    const { grid, speech } = this.#view;
    if (status !== "won") {
      this.#marks.showReview(review);
      this.#view.showLegend({ safe: review.safe.length, mined: review.mined.length });
    }
    speech.say(reviewSentence(grid.board, review, status));
  }
}
