/** Numbers, times, sentences: what a player reads and hears. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Board } from "../../../src/sapper/web/static/board.js";
import { exactTimeText, numberText, percentText, riskText, timeText } from "../../../src/sapper/web/static/format.js";
import { hintSentences, namedStep, percent, reviewSentence } from "../../../src/sapper/web/static/hints.js";
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

test("the cells of a hint are found in its sentence, other words are not", () => {
  const board = boardOf(["###", "###"]);
  const step = { why: "1-2: a1 says 2: c2 is a mine, as a1 says; k9 is no cell here", pattern: "1-2" };
  const { pieces, named } = namedStep(board, step);
  assert.deepEqual([...named], [0, 5]);
  assert.deepEqual(pieces[0], { cell: "a1" });
  assert.equal(pieces.at(-1), ".");
  assert.deepEqual(hintSentences([{ why: "the rest is safe" }]), ["The rest is safe."]);
});

test("a review in a sentence", () => {
  const board = boardOf(["###", "###"]);
  const review = { safe: [], mined: [], risk: 0.25, least: 0.2, forced: true };
  assert.match(reviewSentence(board, review, "lost"), /the risk was 25 %, the least there was 20 %/);
  assert.match(reviewSentence(board, { ...review, least: 0.25 }, "lost"), /no less could be had/);
  assert.match(reviewSentence(board, { ...review, risk: 0.154, least: 0.151 }, "lost"), /the risk was 15.4 %, the least there was 15.1 %/);
  assert.match(reviewSentence(board, { ...review, risk: 0.1544, least: 0.1541 }, "lost"), /the risk was 15.44 %, the least there was 15.41 %/);
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
