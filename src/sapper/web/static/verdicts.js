/**
 * The verdicts of a review in words and looks, and the numbers of a game.
 *
 * Knows: what each verdict is called and how it looks; which numbers a review has.
 * Does not know: boards, moments.
 */

import { placeName } from "./board.js";
import { h } from "./dom.js";
import { NOTHING, chanceText, numberText, percentText, riskText, shareText, winsApart } from "./format.js";
import { cellsText, guessText, plain, stepText } from "./reasons.js";
import { numberOf, t } from "./words.js";

/** @import { GameVerdicts, JudgedMove } from "./types.js" */

const MOST_SAID = 2;
const GUESSES = new Set(["right guess", "wrong guess", "needless guess", "certain mine"]);

/** @type {Record<string, string>} the class of each verdict that is worth a mark */
const LOOKS = {
  "right guess": "guess", "wrong guess": "mistake", "needless guess": "mistake", "certain mine": "mistake", "wrong flag": "mistake",
};

/** @param {JudgedMove} move @returns {string} `mistake`, `guess`, or nothing */
export function lookOf(move) {
  return LOOKS[move.verdict] ?? "";
}

/** What is said of a move in a word or two; nothing of one that is no choice, as to give up. @param {JudgedMove} move @returns {string} */
export function verdictWords({ verdict, survived, risk }) {
  if (verdict === "nothing") return "";
  const words = t(`verdict-${verdict.replaceAll(" ", "-")}`);
  if (risk === null || !GUESSES.has(verdict)) return words;
  const isRight = verdict === "right guess";
  return t(survived ? (isRight ? "verdict-survived" : "verdict-good-luck") : (isRight ? "verdict-bad-luck" : "verdict-lost"), { verdict: words });
}

/** @param {JudgedMove} move @returns {string} `risk 12 %, to win 54 % → 48 %`; empty where nothing is known */
export function numbersText({ risk, win_before, win_after, exact }) {
  const parts = [];
  if (risk) parts.push(t("move-risk", { risk: riskText(risk) }));
  if (win_before !== null && win_after !== null && Math.abs(win_before - win_after) >= 0.005) {
    const isCertain = exact || win_after === 0 || win_after === 1; // the end of a game is certain
    const isPlain = !isCertain && win_after >= 0.005 && win_after <= 0.995; // "about" stands at the first number alone
    const after = isPlain ? percentText(win_after) : chanceText(win_after, isCertain);
    parts.push(t("move-to-win", { before: chanceText(win_before, exact), after }));
  }
  return parts.join(", ");
}

/** What the move was, beside what it should have been. @param {JudgedMove} move @returns {string} */
function madeText({ verdict, risk, exact, kaboom, win_before: before, win_by_move: made, chorded_mines: mines, chorded_guesses: guesses }) {
  if (kaboom) return t(verdict === "right guess" ? "made-kaboom-right" : "made-kaboom-wrong");
  if (verdict === "right guess") return "";
  if (mines.length) return t("made-chord-mines", { cells: cellsText(mines) });
  if (risk === 1) return guesses.length ? t("made-chord-certain", { cells: cellsText(guesses) }) : t("made-certain");
  const uncertain = guesses.length ? `${t("made-chord-guess", { cells: cellsText(guesses), count: guesses.length })} ` : "";
  const told = { risk: shareText(risk ?? 0) };
  if (before === null || made === null) return uncertain + t("made-risk", told);
  const [mine, best] = exact ? [shareText(made), shareText(before)] : winsApart({ win: made, isExact: false }, { win: before, isExact: false });
  return uncertain + t("made-risk-wins", { ...told, made: mine, best });
}

/** Why another move was better, or this one right; the last sentence of a proof is its conclusion. @param {JudgedMove} move @returns {string[]} */
function reasonsOf({ verdict, proof, guess, best, safe, left_out: leftOut }) {
  if (leftOut) return [t("left-out", { count: leftOut })];
  if (verdict === "wrong flag" && best) return [t("flag-is-safe", { cell: placeName(best) })];
  if (proof.length) return proof.map((step) => plain(stepText(step)));
  if (guess) return [plain(guessText(guess))];
  return verdict === "needless guess" ? [t("cells-not-mines", { cells: cellsText(safe) })] : [];
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
  const reasons = reasonsOf(move);
  const isLong = reasons.length > MOST_SAID;
  const said = [
    `${words[0].toUpperCase()}${words.slice(1)}${numbers ? `: ${numbers}` : ""}.`,
    move.safe.length > 1 && move.verdict !== "wrong flag" ? t("missed-safe", { count: move.safe.length }) : "",
    ...(isLong ? reasons.slice(-1) : reasons),
    GUESSES.has(move.verdict) ? madeText(move) : "",
  ];
  return { words: said.filter(Boolean).join(" "), reasons: isLong ? reasons : [] };
}

/** @param {GameVerdicts} review @returns {HTMLElement} */
export function summaryOf(review) {
  /** @type {[name: string, value: string, hint: string][]} */
  const numbers = [
    [t("sum-accuracy"), review.accuracy === null ? NOTHING : accuracyText(review.accuracy), t("sum-accuracy-hint")],
    [t("sum-cost"), signed(review.cost === null ? null : -review.cost), t("sum-cost-hint")],
    [t("sum-luck"), signed(review.luck), t("sum-luck-hint")],
    [t("sum-guesses"), numberOf(review.guesses), t("sum-guesses-hint", { forced: review.forced, needless: review.needless })],
    review.expected_survived === null
      ? [t("sum-survived"), NOTHING, t("sum-survived-none")]
      : [t("sum-survived"), numberOf(review.survived), t("sum-survived-hint", { number: numberText(review.expected_survived, 1) })],
    [t("sum-mistakes"), numberOf(review.mistakes), t("sum-mistakes-hint")],
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
  return accuracy > 0.995 && accuracy < 1 - 1e-9 ? t("over-percent", { number: "99" }) : percentText(accuracy);
}

/** @param {number | null} change of a chance @returns {string} in points */
function signed(change) {
  if (change === null) return NOTHING;
  const points = Math.round(change * 1000) / 10;
  return `${points > 0 ? "+" : points < 0 ? "−" : ""}${percentText(Math.abs(points) / 100, 1)}`;
}
