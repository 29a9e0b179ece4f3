/** Numbers, times, sentences: what a player reads and hears. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Board } from "../../../src/sapper/web/static/board.js";
import { exactTimeText, numberText, percentText, riskText, timeText } from "../../../src/sapper/web/static/format.js";
import { percent, reviewSentence } from "../../../src/sapper/web/static/hints.js";
import { guessText, namedStep, plain, stepText } from "../../../src/sapper/web/static/reasons.js";
import { othersText } from "../../../src/sapper/web/static/statistics.js";
import { endWords, minesLeft, standingWords, updateWords } from "../../../src/sapper/web/static/speech.js";

/** @param {string[]} rows @param {number} [mines] */
const boardOf = (rows, mines = 3) => new Board({ width: rows[0].length, height: rows.length, mine_count: mines, board: rows });

test("what is not known is a dash, and what is not certain is not called so", () => {
  assert.deepEqual([timeText(null), percentText(null), numberText(null)], ["–", "–", "–"]);
  assert.deepEqual([percent(0), percent(0.001), percent(0.5), percent(0.999), percent(1)], ["0", "<1", "50", ">99", "100"]);
  assert.equal(riskText(0.0004), "under 0.1\u00a0%");
  assert.equal(riskText(0.9996), "over 99\u00a0%");
  assert.equal(riskText(1), "100\u00a0%");
  assert.equal(riskText(0.05), "5.0\u00a0%");
});

test("times that are compared have milliseconds", () => {
  const times = [[22_345, "22.345\u00a0s"], [82_005, "1:22.005"], [59_999.6, "1:00.000"], [3_723_456, "1:02:03.456"]];
  for (const [ms, text] of /** @type {[number, string][]} */ (times)) assert.equal(exactTimeText(ms), text);
  assert.deepEqual([exactTimeText(0), exactTimeText(null)], ["0.000\u00a0s", "–"]);
  assert.deepEqual([timeText(22_345), timeText(82_345)], ["22.3\u00a0s", "1:22.3"]);
});

test("what was played is won, lost, given up or not finished", () => {
  assert.equal(othersText({ terminated: 0, unfinished: 1 }), "1 not finished"); // played 37, won 35, 1 lost
  assert.equal(othersText({ terminated: 2, unfinished: 1 }), "2 given up, 1 not finished");
  assert.equal(othersText({ terminated: 0, unfinished: 0 }), "");
});

/** @param {object} fields @returns {any} a step of reasoning */
const stepOf = (fields) => ({
  technique: "one clue", pattern: null, clues: [], values: [], safe: [], mined: [], known: [], wrong_flags: [], unflag_first: true,
  mine_count: null, bound: null, layouts: null, layouts_log10: null, anywhere: false, guess: null, best: null, ...fields,
});

test("a step is worded, and its cells are pieces of their own", () => {
  const step = stepOf({ clues: [[0, 0]], values: [2], mined: [[2, 1]], known: [[1, 1]] });
  const { pieces, named } = namedStep(boardOf(["###", "###"]), step);
  assert.deepEqual([...named], [0, 4, 5]);
  assert.deepEqual(pieces.slice(0, 2), [{ cell: "a1" }, " says 2 and beside "]);
  assert.equal(plain(stepText(step)), "a1 says 2 and beside b2 has only 1 other covered neighbour left: c2 is a mine.");
});

test("each technique has its sentence", () => {
  const pair = { technique: "overlap", clues: [[0, 0], [1, 0]], values: [1, 2], known: [[2, 1]] };
  /** @type {[object, string][]} */
  const told = [
    [{ technique: "start", anywhere: true, best: [2, 2] }, "The first reveal is never a mine, wherever it is: begin at c3."],
    [{ ...pair, safe: [[2, 0]] }, "b1 needs 1 more besides c2, a1 says 1, and every undecided cell of b1 touches a1: c1 is safe."],
    [{ ...pair, known: [], mined: [[2, 0]], safe: [[0, 1]], wrong_flags: [[0, 1]] },
      "b1 says 2, a1 says 1, and of the undecided cells of b1 only c1 does not touch a1: c1 is a mine, a2 is safe; the flag on a2 is wrong: remove it first."],
    [{ technique: "pattern", pattern: "1-2-1", clues: [[0, 1], [1, 1], [2, 1]], mined: [[0, 0], [2, 0]], safe: [[1, 0]] },
      "a2, b2 and c2 are a 1-2-1 in a line: a1 and c1 are mines, b1 is safe."],
    [{ technique: "mine count", mine_count: 3, known: [[0, 0], [1, 0], [2, 0]], safe: [[3, 0]] }, "No mine is left: d1 is safe."],
    [{ technique: "mine count", mine_count: 1, bound: "fewest", clues: [[0, 0]], safe: [[3, 0]] }, "1 mine is left, and a1 needs it: d1 is safe."],
    [{ technique: "mine count", mine_count: 3, bound: "most", clues: [[0, 0]], mined: [[5, 5]] },
      "3 mines are left, at most 2 of them around a1, and only 1 covered cell is elsewhere: f6 is a mine."],
    [{ technique: "cases", clues: [[0, 0]], layouts: 17577, safe: [[1, 1]] }, "In each of the 17,577 ways to lay the mines of a1, b2 is safe."],
    [{ technique: "cases", mine_count: 10, layouts_log10: 20.5, safe: [[1, 1]] }, "All 3.16 × 10^20 layouts with 10 mines that fit the board agree: b2 is safe."],
  ];
  for (const [step, sentence] of told) assert.equal(plain(stepText(stepOf(step))), sentence);
});

test("a guess is compared with the least risky one", () => {
  const guess = { kind: "better", cell: [1, 5], risk: 0.25, win: 2 / 3, win_fraction: [2, 3], is_exact: true, other: [0, 0], other_risk: 0.2, other_win: 1 / 3,
    other_fraction: [1, 3], other_is_exact: true, decides: [[2, 2]], even: [], is_blank: false, unflag_first: false };
  const text = (/** @type {object} */ fields) => plain(guessText(/** @type {any} */ ({ ...guess, ...fields })));
  assert.equal(text({}), "b6: a risk of 25.0\u00a0% where a1 has 20.0\u00a0%, but it decides c3: you win 2 in 3 instead of 1 in 3.");
  assert.equal(text({ is_exact: false, win_fraction: null, win: 0.4431, other_is_exact: false, other_fraction: null, other_win: 0.4388, decides: [] }),
    "b6: a risk of 25.0\u00a0% where a1 has 20.0\u00a0%, but it tells more: you win about 44.3\u00a0% instead of about 43.9\u00a0%.");
  const alone = { kind: "least", other: null, other_risk: null, other_win: null };
  assert.equal(text({ ...alone, even: [[[2, 0], [2, 1]]] }), "No safe cell; the least risk is 25.0\u00a0% at b6, and you win 2 in 3. c1 and c2 are a 50/50 that cannot be avoided.");
  assert.equal(text({ ...alone, win: null, unflag_first: true }), "No safe cell; the least risk is 25.0\u00a0% at b6. Its flag must be removed first.");
});

test("a review in a sentence", () => {
  const board = boardOf(["###", "###"]);
  const review = { safe: [], mined: [], risk: 0.25, least: 0.2, forced: true };
  assert.match(reviewSentence(board, review, "lost"), /the risk was 25\u00a0%, the least there was 20\u00a0%/);
  assert.match(reviewSentence(board, { ...review, least: 0.25 }, "lost"), /no less could be had/);
  assert.match(reviewSentence(board, { ...review, risk: 0.154, least: 0.151 }, "lost"), /the risk was 15.4\u00a0%, the least there was 15.1\u00a0%/);
  assert.match(reviewSentence(board, { ...review, risk: 0.1544, least: 0.1541 }, "lost"), /the risk was 15.44\u00a0%, the least there was 15.41\u00a0%/);
  assert.equal(reviewSentence(board, { ...review, risk: 0 }, "won"), ""); // a forced guess in Kaboom
  assert.match(reviewSentence(board, { ...review, safe: [[1, 0]], forced: false }, "lost"), /^b1 was certain/);
  assert.equal(reviewSentence(board, { ...review, forced: false }, "won"), "");
});

test("moves are told by what they changed", () => {
  const board = boardOf(["###", "###"]);
  const one = board.apply([[0, "2"]]);
  assert.equal(updateWords(board, one, { what: "moved", flags: 0 }), "a1: 2.");
  const flag = board.apply([[1, "F"]]);
  assert.equal(updateWords(board, flag, { what: "moved", flags: 1 }), "b1: flagged, 2 mines left.");
  const gone = board.apply([[1, "#"]]);
  assert.equal(updateWords(board, gone, { what: "undone", flags: 0 }), "Undone: 1 cell as before.");
  const many = board.apply([[3, "11"]]);
  assert.equal(updateWords(board, many, { what: "moved", flags: 0 }), "Revealed 2 cells. 3 mines left.");
  assert.equal(minesLeft(board, 5), "2 flags too many");
  assert.equal(standingWords(board, { status: "playing", flags: 1, paused: true }, 5), "Paused: 2 mines left, 1 flag, 5 seconds.");
  assert.equal(endWords(boardOf(["1X"]), "lost", 3), "Game over: mine at b1.");
});
