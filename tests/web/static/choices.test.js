import assert from "node:assert/strict";
import { test } from "node:test";

import { ACTIONS, DEFAULT_KEYS, KNOWN, isFine, keyOf, understood } from "../../../src/sapper/web/static/choices.js";

test("every default is a value that its setting can have", () => {
  for (const [key, [value]] of Object.entries(KNOWN)) assert.ok(isFine(key, value), key);
});

test("whatever was kept, what is not understood is left out", () => {
  for (const found of [null, 5, "text", [], [{ palette: "clear" }], true]) assert.deepEqual(understood(found), {});
  for (const lastGame of [
    { preset: 5 }, { preset: "" }, { width: "9" }, { width: 0 }, { mines: 1.5 }, { start: "never" }, { no_guess: 1 },
    { chording: null }, { other: true }, [], "beginner", null, 7, { preset: ["beginner"] }, { constructor: "x" },
  ]) assert.deepEqual(understood({ lastGame, sound: true }), { sound: true }, JSON.stringify(lastGame));
  const fine = { palette: "clear", lastGame: { width: 9, height: 9, mine_count: 10, no_guess: true, start: "safe" } };
  assert.deepEqual(understood({ ...fine, theme: 1, keys: "w", toString: "x", unknown: 2 }), fine);
});

test("keys of the wrong shape are left out, and those of a new action are added unless they are taken", () => {
  assert.deepEqual(understood({ keys: { ...DEFAULT_KEYS, up: "w" } }), {});
  assert.deepEqual(understood({ keys: { ...DEFAULT_KEYS, up: [1] } }), {});
  const { pause: _, ...before } = { ...DEFAULT_KEYS, flag: ["p"] };
  assert.deepEqual(understood({ keys: before }).keys?.pause, []);
  const { undo: __, ...older } = DEFAULT_KEYS;
  assert.deepEqual(understood({ keys: older }).keys, DEFAULT_KEYS);
  assert.equal(ACTIONS.length, Object.keys(DEFAULT_KEYS).length);
});

test("a key has a name, but not with Ctrl, Alt or Meta", () => {
  const plain = { key: "F", ctrlKey: false, altKey: false, metaKey: false, isComposing: false };
  assert.equal(keyOf(plain), "f");
  assert.equal(keyOf({ ...plain, key: "F2" }), "F2");
  assert.equal(keyOf({ ...plain, ctrlKey: true }), null);
});
