/** Options of other programs: where they hold, and which numbers flag around themselves. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { holds } from "../../../src/sapper/web/static/aids.js";
import { Board } from "../../../src/sapper/web/static/board.js";

const AIDS = /** @type {const} */ (["openAtRelease", "dimSatisfied", "lessFlags", "clickFlags", "rightFlags"]);
const settings = /** @type {import("../../../src/sapper/web/static/types.js").Settings} */ (/** @type {unknown} */ ({ get: () => true }));

/** @param {boolean} allows whether the rules do @param {string | null} preset */
function held(allows, preset) {
  const state = /** @type {import("../../../src/sapper/web/static/types.js").State} */ (/** @type {unknown} */ ({ rules: { allows_aids: allows }, preset }));
  return AIDS.filter((aid) => holds(aid, { settings, state }));
}

test("rules of their own have none, and today's board has none that marks a game", () => {
  assert.deepEqual(held(false, null), []);
  assert.deepEqual(held(true, "expert"), AIDS);
  assert.deepEqual(held(true, "daily-expert"), ["openAtRelease", "dimSatisfied"]);
  assert.deepEqual(AIDS.filter((aid) => holds(aid, { settings, state: null })), []);
});

test("a number flags around itself if it has as many covered neighbours as it says", () => {
  const board = new Board({ width: 4, height: 3, mine_count: 3, board: ["#F?1", "23#1", "...."] });
  assert.deepEqual(board.unflaggedMines(board.at(0, 1)), [0]);
  assert.deepEqual(board.unflaggedMines(board.at(1, 1)), [], "four are covered around a 3");
  assert.deepEqual(board.unflaggedMines(board.at(3, 0)), [], "two are covered around a 1");
  assert.deepEqual(board.unflaggedMines(board.at(0, 0)), [], "it is covered");
  assert.deepEqual(board.unflaggedMines(board.at(0, 2)), []);
});
