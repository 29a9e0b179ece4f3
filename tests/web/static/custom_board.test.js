import assert from "node:assert/strict";
import { test } from "node:test";

import { LIMITS, checkBoard, densityText, mostMines } from "../../../src/sapper/web/static/custom_board.js";

/** @typedef {Parameters<typeof checkBoard>[0]} Wanted */

/** @param {Partial<Wanted>} wanted */
const check = (wanted) =>
  checkBoard({ width: "9", height: "9", mine_count: "10", start: "open", noGuess: false, ...wanted }, LIMITS);

test("a fine board has no faults", () => {
  assert.deepEqual(check({}), { width: "", height: "", mine_count: "", noGuess: "", board: { width: 9, height: 9, mine_count: 10 } });
  assert.deepEqual(check({ width: " 9 " }).board, { width: 9, height: 9, mine_count: 10 });
});

test("each fault is said at its field, and there is no board then", () => {
  for (const width of ["", "9.5", "-1", "1e1", "nine"]) assert.match(check({ width }).width, /whole number/);
  assert.match(check({ width: "0" }).width, /1 to 100/);
  assert.match(check({ height: "101" }).height, /1 to 100/);
  assert.match(check({ mine_count: "73" }).mine_count, /1 to 72/);
  assert.match(check({ mine_count: "0" }).mine_count, /1 to 72/);
  assert.match(check({ width: "1", height: "1", mine_count: "1" }).width, /no room/);
  for (const wanted of [{ width: "x" }, { height: "101" }, { mine_count: "73" }]) assert.equal(check(wanted).board, null);
  assert.match(check({ width: "30", height: "30", noGuess: true }).noGuess, /600 cells; this one has 900/);
});

test("as many mines as leave room for the first reveal", () => {
  assert.deepEqual([mostMines(9, 9, "any"), mostMines(9, 9, "open"), mostMines(2, 5, "open")], [80, 72, 4]);
  assert.equal(check({ start: "any", mine_count: "80" }).mine_count, "");
});

test("a density is in words", () => {
  assert.match(densityText({ width: 30, height: 16, mine_count: 99 }), /21\u00a0% .* Expert/);
  assert.match(densityText({ width: 10, height: 10, mine_count: 5 }), /5.0\u00a0% .* stroll/);
});
