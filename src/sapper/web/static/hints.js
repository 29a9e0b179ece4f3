/**
 * What is drawn over a board to explain it: a hint's cells, chances, and at the end what had been certain.
 *
 * Knows: which cells have which mark, and the sentences that go with them.
 * Does not know: panels, the server.
 */

import { clueOf } from "./board.js";
import { h } from "./dom.js";
import { write } from "./grid.js";
import { numberOf, t } from "./words.js";

/** @import { Grid } from "./grid.js" */
/** @import { Chance, Place, Review, Step } from "./types.js" */

/** As many cells are told of once, not each. */
const MANY = 6;

/** The marks over one grid. */
export class Marks {
  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
  }

  /** @type {[cell: number, name: string][]} */
  #marked = [];
  /** @type {number[]} */
  #chances = [];
  #start = -1;
  /** @type {Map<number, string>} */
  #words = new Map();
  /** @type {Map<number, string>} */
  #chanceWords = new Map();

  /**
   * Show a step: the clues that it reads, the cells that it shows, the one to reveal; and the names of those it speaks of.
   * @param {Step} step
   * @param {Iterable<number>} named cells
   * @param {Step[]} [earlier] steps that it builds on: the mines that they have found stay
   */
  showStep(step, named, earlier = []) {
    this.#unmark();
    const { board } = this.grid;
    for (const { mined } of earlier) this.#mark("mined", board.cellsOf(mined), t("cell-is-mine"));
    this.#mark("read", board.cellsOf(step.clues), t("cell-read"));
    this.#mark("mined", board.cellsOf(step.mined), t("cell-is-mine"));
    this.#mark("safe", board.cellsOf(step.safe), t("cell-is-safe"));
    if (step.best) this.#markBest(board.at(...step.best));
    for (const cell of named) this.#name(cell);
    this.grid.root.classList.add("explained"); // the tint around the pointer would look like a part of it
    this.#tell();
    const acted = step.best ? [step.best] : [...step.safe, ...step.mined];
    this.grid.bring(board.cellsOf([...acted, ...step.clues].slice(0, 12)));
  }

  /**
   * Show what was certain before the last move of a game.
   * @param {Review} review
   */
  showReview(review) {
    this.#unmark();
    this.#mark("was-safe", this.grid.board.cellsOf(review.safe), t("cell-was-safe"));
    this.#mark("was-mined", this.grid.board.cellsOf(review.mined), t("cell-was-mined"));
    this.#tell();
  }

  /**
   * Show a move of a game that has ended: where it was, what was better, and what was certain to be safe.
   * @param {{chosen: Place | null, best: Place | null, safe: Place[]}} move
   */
  showMove({ chosen, best, safe }) {
    this.#unmark();
    const { board } = this.grid;
    this.#mark("was-safe", board.cellsOf(safe), t("cell-was-safe"));
    if (chosen) this.#mark("chosen", board.cellsOf([chosen]), t("cell-chosen"));
    if (best) this.#mark("best", board.cellsOf([best]), t("cell-better"));
    this.#tell();
    if (chosen) this.grid.bring(board.cellsOf([chosen]));
  }

  /**
   * Show clues that contradict each other.
   * @param {Place[]} clues
   */
  showWrong(clues) {
    this.#unmark();
    this.#mark("mined", this.grid.board.cellsOf(clues), t("cell-contradicts"));
    this.#tell();
  }

  /** Take the marks of a step or a review away. */
  clear() {
    if (!this.#marked.length) return;
    this.#unmark();
    this.#tell();
  }

  /**
   * Show the cell from which a board can be solved.
   * @param {number} cell -1 for none
   */
  showStart(cell) {
    if (cell === this.#start) return;
    this.grid.element(this.#start)?.classList.remove("start");
    this.#start = cell;
    this.grid.element(cell)?.classList.add("start");
    this.#tell();
  }

  /** Forget all marks: the grid has new elements. */
  forget() {
    this.#marked = [];
    this.#chances = [];
    this.#ofChance = new Map();
    this.#start = -1;
    this.#pointed = -1;
    this.#words = new Map();
    this.#chanceWords = new Map();
  }

  #unmark() {
    this.grid.root.classList.remove("explained");
    for (const [cell, name] of this.#marked) {
      const element = this.grid.element(cell);
      element?.classList.remove(name);
      element?.querySelector(".name")?.remove();
    }
    this.#marked = [];
    this.#words = new Map();
  }

  /** Point at one cell, and no other; -1 for none. @param {number} cell */
  point(cell) {
    this.grid.element(this.#pointed)?.classList.remove("pointed");
    this.#pointed = cell;
    this.grid.element(cell)?.classList.add("pointed");
  }

  #pointed = -1;

  /** The cell to guess has its chance on it, wherever it is. @param {number} cell */
  #markBest(cell) {
    this.#mark("best", [cell], t("cell-is-best"));
    if (!this.#ofChance.has(cell) || this.#chances.includes(cell)) return;
    this.#writeChance(cell);
    this.#chances.push(cell);
  }

  /** @param {string} name @param {number[]} cells @param {string} words */
  #mark(name, cells, words) {
    for (const cell of cells) {
      if (cell < 0) continue;
      this.grid.element(cell).classList.add(name);
      this.#marked.push([cell, name]);
      this.#words.set(cell, words);
    }
  }

  /** @param {number} cell */
  #name(cell) {
    const element = this.grid.element(cell);
    element.classList.add("named");
    // A drawing, no text: what is read of the cell is its label.
    element.append(h("span", { class: "name", "aria-hidden": "true", "data-name": this.grid.board.place(cell) }));
    this.#marked.push([cell, "named"]);
  }

  /** Have the cells say all that is shown of them. */
  #tell() {
    const words = new Map(this.#words);
    for (const [cell, chance] of this.#chanceWords) words.set(cell, joined(words.get(cell), chance));
    if (this.#start >= 0) words.set(this.#start, joined(t("cell-start"), words.get(this.#start)));
    this.grid.tell(words);
  }

  /**
   * Write the chance to be a mine on each covered cell beside a clue. The others have one chance in common, which is not written on
   * each of them where they are many.
   * @param {Chance[]} chances
   * @returns {number | null} that chance, if it is on no cell
   */
  showChances(chances) {
    const { grid } = this;
    const elsewhere = this.#elsewhere(chances);
    const words = new Map();
    /** @type {number[]} */
    const next = [];
    const lowest = Math.min(...chances.map(([, , chance]) => chance));
    this.#ofChance = new Map(chances.map(([x, y, chance]) => [grid.board.at(x, y), { chance, isLeast: chance === lowest }]));
    const best = new Set(this.#marked.filter(([, name]) => name === "best").map(([cell]) => cell));
    for (const [cell, { chance }] of this.#ofChance) {
      words.set(cell, t("cell-chance", { chance: t("percent", { number: percent(chance) }) }));
      if (elsewhere?.cells.has(cell) && !best.has(cell)) continue;
      this.#writeChance(cell);
      next.push(cell);
    }
    this.#dropChances(new Set(next));
    this.#chances = next;
    this.#chanceWords = words;
    this.#tell();
    return elsewhere?.chance ?? null;
  }

  /** @type {Map<number, {chance: number, isLeast: boolean}>} of every covered cell, while chances are shown */
  #ofChance = new Map();

  /** @param {number} cell */
  #writeChance(cell) {
    const { chance, isLeast } = this.#ofChance.get(cell) ?? { chance: 0, isLeast: false };
    const element = this.grid.element(cell);
    element.setAttribute("data-heat", String(Math.round(chance * 10) * 10));
    element.toggleAttribute("data-least", isLeast);
    if (this.grid.board.tile(cell) !== "F") write(element, percent(chance));
  }

  /** The cells beside no clue, where they are many and their chance is no certainty. @param {Chance[]} chances */
  #elsewhere(chances) {
    const { board } = this.grid;
    const isOutside = (/** @type {number} */ cell) => board.neighbours(cell).every((other) => clueOf(board.tile(other)) < 0);
    const found = chances.filter(([x, y]) => isOutside(board.at(x, y)));
    const chance = found[0]?.[2] ?? 0;
    if (found.length < MANY || chance === 0 || chance === 1) return null;
    return { chance, cells: new Set(found.map(([x, y]) => board.at(x, y))) };
  }

  /** Take the chances away. */
  hideChances() {
    if (!this.#chances.length && !this.#chanceWords.size) return;
    this.#dropChances(new Set());
    this.#chances = [];
    this.#ofChance = new Map();
    this.#chanceWords = new Map();
    this.#tell();
  }

  /** @param {Set<number>} stay */
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

/** Two chances that differ, in percent, with as many digits as tell them apart. @param {number} one @param {number} other @returns {[string, string]} */
function percentsApart(one, other) {
  if (percent(one) !== percent(other)) return [wholePercent(one), wholePercent(other)];
  const digits = (100 * one).toFixed(1) === (100 * other).toFixed(1) ? 2 : 1;
  const text = (/** @type {number} */ chance) => t("percent", { number: numberOf(100 * chance, { digits }) });
  return [text(one), text(other)];
}

/** @param {number | null} chance of the cells beside no clue @returns {string} */
export function elsewhereText(chance) {
  return chance === null ? "" : t("elsewhere", { chance: wholePercent(chance) });
}

/** @param {number} chance @returns {string} `12 %` */
export function wholePercent(chance) {
  return t("percent", { number: percent(chance) });
}

/** @param {...(string | undefined)} words */
function joined(...words) {
  return words.filter(Boolean).join(", ");
}

/**
 * What was certain before the last move, in a sentence.
 * @param {import("./board.js").Board} board
 * @param {Review} review
 * @param {string} status how the game ended
 * @returns {string}
 */
export function reviewSentence(board, review, status) {
  const safe = board.cellsOf(review.safe).filter((cell) => cell >= 0);
  const { risk, least } = review;
  if (safe.length && status !== "won") {
    const id = `last-safe${safe.length > 1 ? "-more" : ""}${risk ? "-risk" : ""}`;
    return t(id, { cell: board.place(safe[0]), more: safe.length - 1, risk: risk ? wholePercent(risk) : "" });
  }
  if (!review.forced || !risk) return "";
  if (least === null || least === undefined || risk <= least) return t("last-no-less", { risk: wholePercent(risk) });
  const [taken, had] = percentsApart(risk, least);
  return t("last-least", { risk: taken, least: had });
}
