import assert from "node:assert/strict";
import { test } from "node:test";

import { Board, clueOf, columnName, isCovered, nextMark, placeName, placeOf, tileWords } from "../../../src/sapper/web/static/board.js";

/** @param {string[]} rows @param {number} [mines] */
const boardOf = (rows, mines = 3) => new Board({ width: rows[0].length, height: rows.length, mine_count: mines, board: rows });

test("a board that has not the size that it says is refused", () => {
  assert.throws(() => new Board({ width: 3, height: 2, mine_count: 1, board: ["###"] }), RangeError);
});

test("neighbours are those on the board, ascending", () => {
  const board = boardOf(["####", "####", "####"]);
  assert.deepEqual(board.neighbours(0), [1, 4, 5]);
  assert.deepEqual(board.neighbours(5), [0, 1, 2, 4, 6, 8, 9, 10]);
  assert.deepEqual(board.neighbours(11), [6, 7, 10]);
  assert.deepEqual(boardOf(["#"]).neighbours(0), []);
});

test("runs change what they name and say what that changed", () => {
  const board = boardOf(["####", "####"]);
  const changes = board.apply([[1, "1.#"], [7, "F"], [8, "1"]]);
  assert.deepEqual(changes, { cells: [1, 2, 7], before: ["#", "#", "#"], after: ["1", ".", "F"] });
  assert.equal(board.tiles.join(""), "#1.####F");
  assert.deepEqual(board.become(["#1.#", "###F"]).cells, []);
});

test("what an end has shown is hidden again, and nothing else", () => {
  const board = boardOf(["1*!F", "X*.#"]);
  board.coverAgain([[1, "*!"], [5, "*"]]);
  assert.equal(board.tiles.join(""), "1#FFX#.#");
});

test("a chord reveals what is covered around a clue, and no flag", () => {
  const board = boardOf(["#F#", "?1#", "..."]);
  assert.deepEqual(board.chordCells(4), [0, 2, 3, 5]);
  assert.deepEqual(board.chordCells(0), []);
  assert.equal(board.flagsAround(4), 1);
});

test("tiles and places in words, which count from 1", () => {
  assert.equal(boardOf(["#F", "?8"]).words(1), "b1: flagged");
  assert.deepEqual([0, 25, 26, 701, 702].map(columnName), ["a", "z", "aa", "zz", "aaa"]);
  for (const place of /** @type {[number, number][]} */ ([[2, 3], [26, 0], [701, 99]])) assert.deepEqual(placeOf(placeName(place)), place);
  assert.deepEqual(placeOf("c4"), [2, 3]);
  assert.deepEqual(["F", "?", "#", ".", "3"].map(isCovered), [true, true, true, false, false]);
  assert.deepEqual([".", "8", "#", "*"].map(clueOf), [0, 8, -1, -1]);
  assert.equal(tileWords("5"), "5");
});

test("what is expected lies over what was told, until it is answered or taken back", () => {
  const board = boardOf(["####"]);
  assert.deepEqual(board.expect(1, 0, "F"), { cells: [0], before: ["#"], after: ["F"] });
  assert.equal(board.expectedFlags, 1);
  assert.deepEqual(board.apply([[0, "F"]], 1).cells, []); // it was seen already
  assert.equal(board.expectedFlags, 0);
  board.expect(2, 1, "F");
  board.expect(3, 1, "#");
  board.apply([[1, "F"]], 2);
  assert.equal(board.tile(1), "#");
  assert.equal(board.expectedFlags, -1);
  assert.deepEqual(board.takeBack(3), { cells: [1], before: ["#"], after: ["F"] });
  board.expect(4, 2, "F");
  assert.deepEqual(board.apply([[2, "1"]], 4).after, ["1"]); // somebody else was sooner
  board.expect(5, 3, "F");
  assert.deepEqual(board.takeBack().cells, [3]);
  assert.deepEqual(board.takeBack(99).cells, []);
  board.expect(6, 3, "F");
  assert.deepEqual(board.become(["FF1#"]).after, ["#"]);
  assert.equal(board.expectedFlags, 0);
});

test("a right click goes round", () => {
  assert.deepEqual(["#", "F", "?", "1"].map((tile) => nextMark(tile, false)), ["F", "#", "#", null]);
  assert.equal(nextMark("F", true), "?");
});
