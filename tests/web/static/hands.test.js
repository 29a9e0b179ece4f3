/** Keys, buttons and fingers, without a page: what they come to. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Board } from "../../../src/sapper/web/static/board.js";
import { DEFAULT_KEYS } from "../../../src/sapper/web/static/choices.js";
import { actionOf, walk } from "../../../src/sapper/web/static/keyboard.js";
import { Buttons } from "../../../src/sapper/web/static/mouse.js";
import { Fingers, HOLD } from "../../../src/sapper/web/static/touch.js";

test("keys stand for actions; Ctrl belongs to undo, redo and far ways", () => {
  const press = (/** @type {string} */ key, more = {}) => actionOf({ key, code: "", ...more }, DEFAULT_KEYS);
  assert.deepEqual([press("W"), press(" "), press("F2"), press("q")], ["up", "reveal", "new", null]);
  assert.deepEqual([press("z", { ctrlKey: true }), press("Z", { metaKey: true, shiftKey: true })], ["undo", "redo"]);
  assert.deepEqual([press("ArrowLeft", { ctrlKey: true }), press("f", { ctrlKey: true })], ["far-left", null]);
  assert.equal(press("f", { altKey: true }), null);
});

test("walking stays on the board and jumps to the end of a kind", () => {
  const board = new Board({ width: 4, height: 2, mine_count: 1, board: ["##1.", "####"] });
  assert.deepEqual([walk(board, 0, "left"), walk(board, 0, "right"), walk(board, 0, "down")], [0, 1, 4]);
  assert.deepEqual([walk(board, 0, "far-right"), walk(board, 1, "far-right")], [1, 3]);
  assert.deepEqual([walk(board, 5, "row-end"), walk(board, 5, "first"), walk(board, 5, "last")], [7, 0, 7]);
  assert.equal(walk(board, 0, "flag"), null);
});

/** Hands that write down what they are told. */
function recorded(slides = false) {
  /** @type {string[]} */
  const told = [];
  const note = (/** @type {string} */ name) => (/** @type {number} */ cell) => void told.push(`${name} ${cell}`);
  const hands = {
    canPlay: () => true, left: note("left"), right: note("right"), chord: note("chord"), hover: () => {}, press: () => {},
    leftCells: (/** @type {number} */ cell) => [cell], chordCells: () => [],
    slides: () => slides,
  };
  return { told, buttons: new Buttons(hands) };
}

test("a click counts where it began; right flags at once; both are a chord", () => {
  const { told, buttons } = recorded();
  buttons.down(0, 3);
  buttons.up(0, 4); // slid off
  buttons.down(0, 3);
  buttons.up(0, 3);
  buttons.down(2, 5);
  buttons.up(2, 5);
  buttons.down(0, 6);
  buttons.down(2, 6);
  buttons.up(0, 6);
  buttons.up(2, 6);
  buttons.down(1, 7);
  buttons.up(1, 7);
  assert.deepEqual(told, ["left 3", "right 5", "chord 6", "chord 7"]);
});

test("a press that slides along counts where it ends, on the board", () => {
  const { told, buttons } = recorded(true);
  buttons.down(0, 3);
  buttons.over(4);
  buttons.up(0, 4);
  buttons.down(1, 5);
  buttons.up(1, 6);
  buttons.down(2, 7);
  buttons.up(2, 8);
  buttons.down(0, 9);
  buttons.up(0, -1);
  assert.deepEqual(told, ["left 4", "chord 6", "right 7"]);
});

test("a finger taps, holds or pans; two pinch, and nothing is tapped then", () => {
  /** @type {string[]} */
  const told = [];
  const note = (/** @type {string} */ name) => () => void told.push(name);
  const fingers = new Fingers({
    press: () => {}, unpress: () => {}, tap: note("tap"), hold: note("hold"), pan: note("pan"), glide: () => {},
    pinch: note("pinch"), pinched: note("pinched"),
  });
  fingers.down(1, 10, 10, 0);
  fingers.up(1, 50);
  fingers.down(1, 10, 10, 100);
  fingers.tick(100 + HOLD);
  fingers.up(1, 100 + HOLD + 10);
  fingers.down(1, 10, 10, 1000);
  fingers.move(1, 40, 10, 1010);
  fingers.up(1, 1020);
  fingers.down(1, 10, 10, 2000);
  fingers.down(2, 90, 10, 2000);
  fingers.move(2, 120, 10, 2010);
  fingers.up(2, 2020);
  fingers.up(1, 2030);
  assert.deepEqual(told, ["tap", "hold", "pan", "pinch", "pinched"]);
});
