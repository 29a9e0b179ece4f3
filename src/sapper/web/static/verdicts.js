/**
 * The verdicts of a review in words and looks, and the numbers of a game.
 *
 * Knows: what each verdict is called and how it looks; which numbers a review has.
 * Does not know: boards, moments.
 */

import { capital } from "./board.js";
import { h } from "./dom.js";
import { NOTHING, chanceText, numberText, percentText, riskText } from "./format.js";
import { counted } from "./game_request.js";

/** @import { GameVerdicts, JudgedMove } from "./types.js" */

const MOST_SAID = 2;

/** @type {Record<string, string>} the class of each verdict that is worth a mark */
const LOOKS = {
  "right guess": "guess", "wrong guess": "mistake", "needless guess": "mistake", "certain mine": "mistake", "wrong flag": "mistake",
};

/** @param {JudgedMove} move @returns {string} `mistake`, `guess`, or nothing */
export function lookOf(move) {
  return LOOKS[move.verdict] ?? "";
}

/** What is said of a move in a word or two; nothing of one that is no choice, as to give up. @param {JudgedMove} move @returns {string} */
export function verdictWords(move) {
  return move.verdict === "nothing" ? "" : move.words;
}

/** @param {JudgedMove} move @returns {string} `risk 12 %, to win 54 % → 48 %`; empty where nothing is known */
export function numbersText({ risk, win_before, win_after, exact }) {
  const parts = [];
  if (risk) parts.push(`risk ${riskText(risk)}`);
  if (win_before !== null && win_after !== null && Math.abs(win_before - win_after) >= 0.005) {
    const after = chanceText(win_after, exact || win_after === 0 || win_after === 1); // a game that has ended is no estimate
    parts.push(`to win ${chanceText(win_before, exact)} → ${after.replace("about ", "")}`);
  }
  return parts.join(", ");
}

/**
 * What is said of a move. Of a long chain of reasons only the last is said, where the safe cell is shown.
 * @param {JudgedMove} move
 * @returns {{words: string, reasons: string[]}} `reasons`: all of them, where they are many
 */
export function verdictText(move) {
  const words = verdictWords(move);
  if (!words) return { words, reasons: [] };
  const numbers = numbersText(move);
  const missed = move.safe.length > 1 && move.verdict !== "wrong flag" ? ` ${counted(move.safe.length, "cell was", "cells were")} certain to be safe.` : "";
  const sentences = (move.why ?? "").split(/(?<=\.) (?=\S)/).filter(Boolean).map(capital);
  const isLong = sentences.length > MOST_SAID;
  const why = isLong ? sentences.at(-1) : sentences.join(" ");
  return { words: `${capital(words)}${numbers ? `: ${numbers}` : ""}.${missed}${why ? ` ${why}` : ""}`, reasons: isLong ? sentences : [] };
}

/** @param {GameVerdicts} review @returns {HTMLElement} */
export function summaryOf(review) {
  /** @type {[name: string, value: string, hint: string][]} */
  const numbers = [
    ["Accuracy", review.accuracy === null ? NOTHING : accuracyText(review.accuracy), "the share of the chance to win that your choices kept; 100 % is best play"],
    ["Cost of choices", signed(review.cost === null ? null : -review.cost), "what moves that were not the best took from the chance to win"],
    ["Luck", signed(review.luck), "what the answers added to the chance to win, or took from it"],
    ["Guesses", `${review.guesses}`, `${review.forced} forced, ${review.needless} needless`],
    review.expected_survived === null
      ? ["Survived", NOTHING, "no guess has a known risk"]
      : ["Survived", `${review.survived}`, `${numberText(review.expected_survived, 1)} were to be expected`],
    ["Mistakes", `${review.mistakes}`, "moves that were not the best"],
  ];
  return h(
    "dl",
    { class: "measures review-measures" },
    ...numbers.map(([name, value, hint]) =>
      h("div", {}, h("dt", {}, name), h("dd", { class: "numbers" }, value), h("dd", { class: "muted small" }, hint))),
  );
}

/** What is less than best play never reads as if it were. @param {number} accuracy @returns {string} */
function accuracyText(accuracy) {
  return accuracy > 0.995 && accuracy < 1 - 1e-9 ? "over 99\u00a0%" : percentText(accuracy);
}

/** @param {number | null} change of a chance @returns {string} in points */
function signed(change) {
  if (change === null) return NOTHING;
  const points = Math.round(change * 1000) / 10;
  return `${points > 0 ? "+" : points < 0 ? "−" : ""}${Math.abs(points).toFixed(1)}\u00a0%`;
}
