/**
 * What can be known of a position, in words: layouts, the chance to win, candidates, reasons step by step, contradictions.
 *
 * Knows: how an answer is laid out, which marks go with each part.
 * Does not know: who asks, how a position is painted.
 */

import { capital, placeName } from "./board.js";
import { h } from "./dom.js";
import { chanceText, riskText } from "./format.js";
import { hintSentences, namedStep } from "./hints.js";

/** @import { ShownBoard } from "./grid_walk.js" */
/** @import { Analysis, Place, PositionAnswer } from "./types.js" */

const TOO_HARD = "This position takes too much work to be counted: what is certain all the same is marked.";
const NO_WIN = "The chance to win is not known here.";

/** The words about one position. */
export class Findings {
  /** @param {ShownBoard} board */
  constructor(board) {
    this.#board = board;
    this.element = h("div", { class: "stack findings" }, this.#said, this.#body);
  }

  #board;
  #said = h("p", { class: "verdict", role: "status" });
  #body = h("div", { class: "stack" });

  /** @param {string} words that are shown in place of what was found */
  say(words) {
    this.#said.textContent = words;
    this.#body.replaceChildren();
  }

  /** @param {PositionAnswer} found */
  show(found) {
    const { marks } = this.#board;
    const { contradiction, analysis } = found;
    if (contradiction) {
      marks.hideChances();
      marks.showWrong(contradiction.clues);
      this.say(contradiction.message);
      return;
    }
    marks.clear();
    marks.point(-1);
    if (analysis?.chances) marks.showChances(analysis.chances);
    else marks.hideChances();
    this.#said.textContent = `${layoutsText(found)} ${analysis ? winText(analysis) : ""}`;
    this.#body.replaceChildren(...(analysis ? [makeCandidates(analysis, this.#board)] : []), this.#makeSteps(found));
  }

  /** @param {PositionAnswer} found */
  #makeSteps(found) {
    const { steps } = found;
    // The name of a pattern stands before the sentence, which begins with it too.
    const spoken = hintSentences(steps.map(({ why, pattern }) => ({ why: pattern && why.startsWith(`${pattern}: `) ? why.slice(pattern.length + 2) : why })));
    const items = steps.map((step, place) => {
      const choose = () => {
        for (const one of list.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
        button.setAttribute("aria-current", "step");
        this.#board.marks.showStep(step, namedStep(this.#board.grid.board, step).named);
      };
      const name = step.pattern ?? step.technique;
      const button = h("button", { type: "button", class: "move", onclick: choose }, h("span", { class: "technique" }, name), " ", spoken[place]);
      return h("li", {}, button);
    });
    const list = h("ol", { class: "moves" }, ...items);
    const none = h("p", { class: "muted" }, noneText(found));
    return h("section", { "aria-labelledby": "reasons" }, h("h2", { id: "reasons" }, "Reasons, step by step"), items.length ? list : none);
  }
}

/** Why there are no reasons. @param {PositionAnswer} found @returns {string} */
function noneText({ board, mine_count }) {
  const tiles = board.join("");
  if (/[X]/.test(tiles)) return "A mine is revealed: this game is lost.";
  if (tiles.replace(/[.1-8]/g, "").length === mine_count) return "Every cell without a mine is revealed: this game is won.";
  return "Nothing follows from what is seen.";
}

/** @param {PositionAnswer} found @returns {string} */
function layoutsText({ layouts, layouts_log10: log10 }) {
  if (layouts === "1") return "One layout fits.";
  if (layouts !== null) return `${layouts.replace(/\B(?=(\d{3})+$)/g, "\u202f")} layouts fit.`;
  if (log10 === null) return TOO_HARD;
  const [digits, more] = (10 ** (log10 % 1)).toExponential(2).split("e");
  return `About ${digits} × 10^${Math.floor(log10) + Number(more)} layouts fit.`;
}

/** @param {Analysis} analysis */
function winText({ win, win_low: low, win_high: high, reason, why }) {
  const advice = why ? ` ${capital(why)}` : "";
  if (win === null) return `${reason ?? NO_WIN}${advice}`;
  return `Chance to win: ${chanceText(win, low === high)}.${advice}`;
}

/** @param {Analysis} analysis @param {ShownBoard} shown where hovering or choosing a candidate marks its cell */
function makeCandidates({ candidates }, { grid, marks }) {
  if (!candidates.length) return "";
  let chosen = -1;
  /** @type {HTMLElement | null} */
  let pressed = null;
  const choose = (/** @type {HTMLElement} */ button, /** @type {number} */ cell) => {
    pressed?.setAttribute("aria-pressed", "false");
    pressed = chosen === cell ? null : button;
    chosen = chosen === cell ? -1 : cell;
    pressed?.setAttribute("aria-pressed", "true");
    marks.point(chosen);
    if (chosen >= 0) grid.bring([chosen]);
  };
  const candidate = (/** @type {Place} */ place) => {
    const cell = grid.board.at(...place);
    const button = h("button", { type: "button", class: "link numbers", "aria-pressed": "false", onclick: () => choose(button, cell) }, placeName(place));
    return { button, hover: { onpointerenter: () => marks.point(cell), onpointerleave: () => marks.point(chosen), onfocusin: () => marks.point(cell), onfocusout: () => marks.point(chosen) } };
  };
  const rows = candidates.map(({ cell, risk, win, win_low: low, win_high: high, can_wait: canWait }) => {
    const { button, hover } = candidate(cell);
    return h(
      "tr",
      hover,
      h("th", { scope: "row" }, button),
      h("td", {}, riskText(risk)),
      h("td", {}, win === null ? "not known" : chanceText(win, low === high)),
      h("td", {}, canWait ? "" : "no clue will tell more"),
    );
  });
  const head = ["Candidate", "Risk", "Wins", ""].map((name) => (name ? h("th", { scope: "col" }, name) : h("td", {})));
  return h(
    "div",
    { class: "card table-wrap", role: "region", tabindex: 0, "aria-label": "Candidates" },
    h("table", {}, h("caption", { class: "visually-hidden" }, "Cells worth revealing, the best first"), h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
  );
}
