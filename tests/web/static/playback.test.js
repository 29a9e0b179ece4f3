import assert from "node:assert/strict";
import { test } from "node:test";

import { ADDRESSES, readAddress } from "../../../src/sapper/web/static/places.js";
import { Playback, moveWords } from "../../../src/sapper/web/static/playback.js";
import { boardText, readPasted, readPosition, writePosition } from "../../../src/sapper/web/static/position_text.js";
import { lookOf, numbersText, verdictText } from "../../../src/sapper/web/static/verdicts.js";

const GAME = {
  width: 3,
  height: 1,
  mined: [[0, 0]],
  moves: [
    { at: 0, action: "reveal", cell: [1, 0], status: "playing", runs: [[1, "1"]] },
    { at: 5, action: "reveal", cell: [1, 0], status: "playing", runs: [] },
    { at: 9, action: "flag", cell: [2, 0], status: "playing", runs: [[2, "F"]] },
    { at: 12, action: "terminate", cell: [0, 0], status: "terminated", runs: [] },
  ],
};

test("a game is gone through by the moves that changed something, back and forth", () => {
  const playback = new Playback(/** @type {any} */ (GAME));
  assert.equal(playback.last, 3);
  const boards = ["###", "#1#", "#1F", "*1!"];
  for (const at of [0, 1, 2, 3, 2, 0, 3, 1]) assert.deepEqual(playback.rows(at), [boards[at]]);
  assert.deepEqual([playback.time(0), playback.time(2)], [0, 9]);
  assert.deepEqual([playback.momentOf(0), playback.momentOf(1), playback.momentOf(2)], [1, 0, 2]);
  assert.equal(moveWords(playback.steps[1].move), "Flagged c1");
  const hidden = new Playback(/** @type {any} */ ({ ...GAME, mined: null }));
  assert.deepEqual(hidden.rows(3), ["#1F"]);
});

test("a long game is the same from both ends", () => {
  const size = 200;
  const moves = Array.from({ length: size }, (_, cell) => ({ at: cell, action: "reveal", cell: [cell, 0], status: "playing", runs: [[cell, "1"]] }));
  const playback = new Playback(/** @type {any} */ ({ width: size, height: 1, mined: null, moves }));
  for (const at of [200, 3, 120, 81, 79, 80, 0]) assert.equal(playback.rows(at)[0], "1".repeat(at) + "#".repeat(size - at));
});

test("a position is written in an address and read again", () => {
  const tiles = [..."..1#F?*X!12345678.####"].slice(0, 20);
  const position = { width: 5, height: 4, mine_count: 3, tiles };
  assert.deepEqual(readPosition(writePosition(position)), position);
  assert.equal(writePosition({ width: 9, height: 9, mine_count: 10, tiles: Array.from({ length: 81 }, () => "#") }), "9x9x10.81o");
  for (const text of ["", "2x2x1.4", "2x2x1.5o", "2x2x1.3o", "2x2x9.4o", "0x2x0.o", "2x2x1.4y", "200x200x1.40000o", "2x2x1.oo2"]) assert.equal(readPosition(text), null, text);
  assert.equal(boardText({ width: 2, height: 1, mine_count: 1, tiles: ["#", "1"] }), "2x1/1\n#1\n");
  assert.deepEqual(readPasted("https://x.org/analyse#p=2x1x1.oA"), { position: { width: 2, height: 1, mine_count: 1, tiles: ["#", "1"] } });
  assert.deepEqual(readPasted("https://x.org/analyse?p=2x1x1.oA"), readPasted("https://x.org/analyse#p=2x1x1.oA"));
  assert.deepEqual(readPasted("https://x.org/?code=modern%23a"), { text: "modern#a" });
  assert.deepEqual(readPasted("https://x.org/#code=modern%23a"), { text: "modern#a" });
  assert.deepEqual(readPasted("#1\n11"), { text: "#1\n11" });
});

test("an address leads to its screen", () => {
  assert.deepEqual(readAddress("/game/ab.0", ""), { screen: "review", value: "ab.0" });
  assert.deepEqual(readAddress("/analyse", "#p=2x1x1.oA"), { screen: "analyse", value: "p=2x1x1.oA" });
  for (const name of ADDRESSES) if (name !== "review") assert.equal(readAddress(`/${name}`, "").screen, name);
  assert.deepEqual(readAddress("/", "#new"), { screen: "new", value: "" });
  assert.deepEqual(readAddress("/review", ""), { screen: "menu", value: "" });
});

test("a verdict is said in short, and all its reasons are kept", () => {
  const move = {
    verdict: "needless guess", survived: true, risk: 0.25, least_risk: 0, win_before: 0.5, win_by_move: 0.4, win_after: 0.45, exact: false,
    best: [1, 0], safe: [[1, 0], [2, 0]], guess: null, kaboom: false, chorded_mines: [], chorded_guesses: [], left_out: 0,
    proof: [0, 1, 2].map((x) => ({
      technique: "one clue", pattern: null, clues: [[x, 1]], values: [1], safe: [[x, 0]], mined: [], known: [[x + 1, 0]], wrong_flags: [],
    })),
  };
  const judged = /** @type {any} */ (move);
  assert.equal(numbersText(judged), "risk 25\u00a0%, to win about 50\u00a0% → 45\u00a0%");
  assert.equal(numbersText(/** @type {any} */ ({ ...move, risk: 1, win_after: 0 })), "risk 100\u00a0%, to win about 50\u00a0% → 0\u00a0%");
  const { words, reasons } = verdictText(judged);
  assert.equal(reasons.length, 3);
  assert.match(words, /^Needless guess, good luck: risk 25.*2 cells were certain to be safe\. c2 says 1 and its mine is d1: c1 is safe\. The move that was made has a risk of 25\.0.*$/);
  assert.equal(lookOf(judged), "mistake");
  assert.equal(lookOf(/** @type {any} */ ({ verdict: "safe" })), "");
});
