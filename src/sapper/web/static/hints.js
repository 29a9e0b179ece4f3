/**
 * What is drawn over a board to explain it: a hint's cells, chances, and at the end what had been certain.
 *
 * Knows: which cells have which mark, and the sentences that go with them.
 * Does not know: panels, the server.
 */

import { Board, counted } from "./board.js";


/** The marks over one grid. */
export class Marks {
  /** @param {import("./grid.js").Grid} grid */
  constructor(grid) {
    this.grid = grid;
    this.#marked = [];
    this.#chances = [];
    this.#words = new Map();
  }

  #marked;
  #chances;
  #words;

  /**
   * Show a step: the clues that it reads, the cells that it shows, the one to reveal.
   * @param {{clues: [number, number][], safe: [number, number][], mined: [number, number][], best: [number, number]|null}} step
   */
  showStep(step) {
    this.clear();
    const { board } = this.grid;
    this.#mark("read", board.cellsOf(step.clues), "read by the hint");
    this.#mark("mined", board.cellsOf(step.mined), "is a mine");
    this.#mark("safe", board.cellsOf(step.safe), "is safe");
    if (step.best) this.#mark("best", board.cellsOf([step.best]), "the best cell to reveal");
    this.grid.tell(this.#words);
    const acted = step.best ? [step.best] : [...step.safe, ...step.mined];
    this.grid.bring(board.cellsOf([...acted, ...step.clues].slice(0, 12)));
  }

  /**
   * Show what was certain before the last move of a game.
   * @param {{safe: [number, number][], mined: [number, number][]}} review
   */
  showReview(review) {
    this.clear();
    this.#mark("was-safe", this.grid.board.cellsOf(review.safe), "was certain to be safe");
    this.#mark("was-mined", this.grid.board.cellsOf(review.mined), "was certain to be a mine");
    this.grid.tell(this.#words);
  }

  /** Take the marks of a step or a review away. */
  clear() {
    for (const [cell, name] of this.#marked) this.grid.element(cell)?.classList.remove(name);
    this.#marked = [];
    if (this.#words.size) this.grid.tell(new Map());
    this.#words = new Map();
  }

  /** Forget all marks: the grid has new elements. */
  forget() {
    this.#marked = [];
    this.#chances = [];
    this.#words = new Map();
  }

  /** @returns {boolean} */
  get areShown() {
    return this.#marked.length > 0;
  }

  #mark(name, cells, words) {
    for (const cell of cells) {
      if (cell < 0) continue;
      this.grid.element(cell).classList.add(name);
      this.#marked.push([cell, name]);
      this.#words.set(cell, words);
    }
  }

  /**
   * Write each covered cell's chance to be a mine on it.
   * @param {[number, number, number][]} chances column, row, chance
   */
  showChances(chances) {
    const { grid } = this;
    const words = new Map();
    const next = [];
    const lowest = Math.min(...chances.map(([, , chance]) => chance));
    for (const [x, y, chance] of chances) {
      const cell = grid.board.at(x, y);
      const element = grid.element(cell);
      const text = percent(chance);
      element.setAttribute("data-heat", Math.round(chance * 10) * 10);
      element.toggleAttribute("data-least", chance === lowest);
      if (grid.board.tile(cell) !== "F") element.textContent = text;
      words.set(cell, `${text} % mine`);
      next.push(cell);
    }
    this.#dropChances(new Set(next));
    this.#chances = next;
    grid.tell(words);
  }

  /** Take the chances away. */
  hideChances() {
    if (!this.#chances.length) return;
    this.#dropChances(new Set());
    this.#chances = [];
    this.grid.tell(new Map());
  }

  #dropChances(stay) {
    const gone = this.#chances.filter((cell) => !stay.has(cell));
    for (const cell of gone) {
      this.grid.element(cell).removeAttribute("data-heat");
      this.grid.element(cell).removeAttribute("data-least");
    }
    this.grid.refresh(gone);
  }
}

/**
 * A chance in whole percent; what is not quite certain never reads as if it were.
 * @param {number} chance
 * @returns {string}
 */
export function percent(chance) {
  if (chance > 0 && chance < 0.005) return "<1";
  if (chance < 1 && chance > 0.995) return ">99";
  return String(Math.round(chance * 100));
}

/**
 * The sentences of a hint, the last the one to act on.
 * @param {{why: string}[]} steps
 * @returns {string[]}
 */
export function hintSentences(steps) {
  return steps.map((step) => {
    const text = Board.retold(step.why);
    const ended = /[.!?]$/.test(text) ? text : `${text}.`;
    return ended[0].toUpperCase() + ended.slice(1);
  });
}

/**
 * What was certain before the last move, in a sentence.
 * @param {import("./board.js").Board} board
 * @param {{safe: [number, number][], mined: [number, number][], risk: number|null, least: number|null, forced: boolean|null}} review
 * @param {string} status how the game ended
 * @returns {string}
 */
export function reviewSentence(board, review, status) {
  const safe = board.cellsOf(review.safe).filter((cell) => cell >= 0);
  const risk = review.risk === null || review.risk === undefined ? null : `${percent(review.risk)} %`;
  const least = review.least === null || review.least === undefined ? null : `${percent(review.least)} %`;
  if (safe.length && status !== "won") {
    const others = safe.length > 1 ? `, and ${safe.length - 1} more` : "";
    const taken = risk ? `; the risk that was taken was ${risk}` : "";
    return `${capital(board.place(safe[0]))} was certain to be safe${others}${taken}.`;
  }
  if (!review.forced || risk === null) return "";
  if (least === null || risk === least) return `Nothing was certain to be safe: the risk was ${risk}, and no less could be had.`;
  return `Nothing was certain to be safe: the risk was ${risk}, the least there was ${least}.`;
}

/**
 * What the outlines of a review mean; empty if there are none.
 * @param {{safe: unknown[], mined: unknown[]}} review
 * @returns {string}
 */
export function reviewLegend({ safe, mined }) {
  const parts = [];
  if (safe.length) parts.push(`${counted(safe.length, "cell")} that had to be safe (✓)`);
  if (mined.length) parts.push(`${counted(mined.length, "cell")} that had to be mines`);
  return parts.length ? `Outlined on the board: ${parts.join(" and ")}.` : "";
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

