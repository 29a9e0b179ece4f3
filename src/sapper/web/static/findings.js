/**
 * What can be known of a position, in words: layouts, the chance to win, candidates, reasons step by step, contradictions.
 *
 * Knows: how an answer is laid out, which marks go with each part.
 * Does not know: who asks, how a position is painted.
 */

import { placeName } from "./board.js";
import { h } from "./dom.js";
import { chanceText, riskText } from "./format.js";
import { wholePercent } from "./hints.js";
import { guessText, layoutsText, namedStep, plain, stepText, techniqueName } from "./reasons.js";
import { listOf, t } from "./later_words.js";

/** @import { ShownBoard } from "./grid_walk.js" */
/** @import { Analysis, Place, PositionAnswer } from "./types.js" */

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
      this.say(contradictionText(found));
      return;
    }
    marks.clear();
    marks.point(-1);
    const elsewhere = analysis?.chances ? marks.showChances(analysis.chances) : null;
    if (!analysis?.chances) marks.hideChances();
    const rest = elsewhere === null ? "" : t("elsewhere-sentence", { chance: wholePercent(elsewhere) });
    this.#said.textContent = [fittingText(found), analysis ? winSentences(analysis) : "", rest].filter(Boolean).join(" ");
    this.#body.replaceChildren(...(analysis ? [makeCandidates(analysis, this.#board)] : []), this.#makeSteps(found));
  }

  /** @param {PositionAnswer} found */
  #makeSteps(found) {
    const { steps } = found;
    const items = steps.map((step, place) => {
      const choose = () => {
        for (const one of list.querySelectorAll("[aria-current]")) one.removeAttribute("aria-current");
        button.setAttribute("aria-current", "step");
        this.#board.marks.showStep(step, namedStep(this.#board.grid.board, step).named, steps.slice(0, place));
      };
      const button = h("button", { type: "button", class: "move", onclick: choose }, h("span", { class: "technique" }, techniqueName(step)), " ", plain(stepText(step)));
      return h("li", {}, button);
    });
    const list = h("ol", { class: "moves" }, ...items);
    const none = h("p", { class: "muted" }, noneText(found));
    return h("section", { "aria-labelledby": "reasons" }, h("h2", { id: "reasons" }, t("reasons-title")), items.length ? list : none);
  }
}

/** Why there are no reasons. @param {PositionAnswer} found @returns {string} */
function noneText({ board, mine_count }) {
  const tiles = board.join("");
  if (/[X]/.test(tiles)) return t("position-lost");
  if (tiles.replace(/[.1-8]/g, "").length === mine_count) return t("position-won");
  return t("nothing-follows");
}

/** How many layouts fit. @param {PositionAnswer} found @returns {string} */
function fittingText({ layouts, layouts_log10: log10 }) {
  if (layouts === "1") return t("layouts-one");
  if (layouts === null && log10 === null) return t("layouts-too-hard");
  return t(layouts === null ? "layouts-about" : "layouts-fit", { layouts: layoutsText(layouts, log10) });
}

/** @param {Analysis} analysis */
function winSentences({ win, win_low: low, win_high: high, unknown, guess }) {
  const chance = win === null ? t(unknown ? `win-unknown-${unknown}` : "no-win-chance") : t("win-chance-sentence", { chance: chanceText(win, low === high) });
  return guess ? `${chance} ${plain(guessText(guess))}` : chance;
}

/** Why no layout fits. @param {PositionAnswer} found @returns {string} */
function contradictionText({ board, width, mine_count: most, contradiction }) {
  const tiles = board.join("");
  const count = (/** @type {string} */ text, /** @type {RegExp} */ kind) => text.match(kind)?.length ?? 0;
  const clues = contradiction?.clues ?? [];
  const mines = most - count(tiles, /[*X]/g);
  const covered = count(tiles, /[#F?]/g);
  if (!clues.length) return mines < 0 ? t("contradiction-shown", { mines: most - mines, most }) : t("contradiction-count", { mines, covered });
  const [[x, y]] = clues;
  const valueOf = (/** @type {Place} */ [column, row]) => tiles[row * width + column].replace(".", "0");
  if (clues.length === 1 && !contradiction?.mine_count) {
    const around = board.slice(Math.max(0, y - 1), y + 2).map((row) => row.slice(Math.max(0, x - 1), x + 2)).join("");
    return t("contradiction-clue", { value: valueOf([x, y]), cell: placeName([x, y]), mines: count(around, /[*X]/g), covered: count(around, /[#F?]/g) });
  }
  const named = listOf(clues.map((clue) => t("clue-at", { value: valueOf(clue), cell: placeName(clue) })));
  return t(contradiction?.mine_count ? "contradiction-clues-count" : "contradiction-clues", { clues: named, mines, covered });
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
      h("td", {}, win === null ? t("not-known") : chanceText(win, low === high)),
      h("td", {}, canWait ? "" : t("no-clue-tells")),
    );
  });
  const head = [t("candidate"), t("risk"), t("wins-column"), ""].map((name) => (name ? h("th", { scope: "col" }, name) : h("td", {})));
  return h(
    "div",
    { class: "card table-wrap", role: "region", tabindex: 0, "aria-label": t("candidates") },
    h("table", {}, h("caption", { class: "visually-hidden" }, t("candidates-caption")), h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)),
  );
}
