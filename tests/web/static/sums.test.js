/** What is counted and scaled: rates, ticks, sizes, waits, requests. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { waitFor } from "../../../src/sapper/web/static/connection.js";
import { pooled, wilson } from "../../../src/sapper/web/static/rates.js";
import { moments, scale, ticks } from "../../../src/sapper/web/static/scales.js";
import { again, normalCode, withHabits, requestText } from "../../../src/sapper/web/static/game_request.js";
import { fitting } from "../../../src/sapper/web/static/zoom.js";

test("Wilson's interval", () => {
  const [low, high] = wilson(8, 10); // R: binom.confint(8, 10, methods = "wilson")
  assert.ok(Math.abs(low - 0.4901625) < 1e-6 && Math.abs(high - 0.9433178) < 1e-6);
  assert.deepEqual(wilson(0, 5)[0], 0);
});

test("periods are put together until each has enough games, and no game is lost", () => {
  const periods = Array.from({ length: 23 }, (_, at) => ({ begin: at, played: 1, won: at % 2 }));
  const groups = pooled(periods);
  assert.equal(groups.reduce((games, group) => games + group.played, 0), 23);
  assert.equal(groups.reduce((games, group) => games + group.won, 0), 11);
  assert.ok(groups.every((group) => group.played >= 5));
  assert.deepEqual(pooled([]), []);
});

test("ticks are round and in the range", () => {
  assert.deepEqual(ticks(0, 97, 4), [0, 50]);
  assert.deepEqual(ticks(0, 3, 4, 1), [0, 1, 2, 3]);
  assert.deepEqual(moments(0, 10, 3), [0, 5, 10]);
  assert.equal(scale([0, 10], [100, 0])(2.5), 75);
});

test("a board fits its room, within limits", () => {
  const limits = { least: 24, most: 72 };
  assert.equal(fitting({ width: 30, height: 16 }, { width: 1000, height: 900 }, limits), 33);
  assert.equal(fitting({ width: 30, height: 16 }, { width: 300, height: 900 }, limits), 24);
  assert.equal(fitting({ width: 3, height: 3 }, { width: 1000, height: 900 }, limits), 72);
});

test("waits grow to ten seconds, and half of each is chance", () => {
  assert.deepEqual([waitFor(1, 0), waitFor(1, 1), waitFor(3, 1), waitFor(50, 1)], [150, 300, 1200, 10_000]);
});

test("requests", () => {
  const rules = {
    name: "modern+safe", win: /** @type {const} */ ("revealed"), start: /** @type {const} */ ("safe"), chording: false,
    question_marks: false, cascade_clears_flags: false, click_reveals_flagged: false, allows_aids: true,
  };
  const kind = { game: "g", title: "", preset: null, rules, width: 5, height: 4, mine_count: 3, no_guess: true, first: null };
  const request = again(kind);
  assert.deepEqual(request, {
    rules: "modern", width: 5, height: 4, mine_count: 3, start: "safe", chording: false, question_marks: false, no_guess: true,
  });
  assert.match(requestText(request), /^Custom · 5\u00a0×\u00a04, 3\u00a0mines · no guessing$/);
  const settings = { get: (/** @type {string} */ key) => /** @type {any} */ (key === "questionMarks") };
  assert.deepEqual(withHabits({ preset: "kata" }, settings), { preset: "kata" });
  assert.deepEqual(withHabits({ preset: "expert" }, settings), { chording: false, question_marks: true, preset: "expert" });
  assert.equal(normalCode(" https://x.example/#code=modern%239x9 "), "modern#9x9");
  assert.equal(normalCode("https://x.example/?code=modern%239x9"), "modern#9x9");
  assert.equal(normalCode("#code=%E0%A4%A"), "%E0%A4%A");
});
