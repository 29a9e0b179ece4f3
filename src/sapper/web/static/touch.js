/**
 * Fingers on the board: a tap, a long press, one finger that pans, two that pinch.
 *
 * Whatever moves is no tap: a finger that has slid, and every finger of a pinch, make no move until all are lifted.
 *
 * Knows: fingers, distances, times.
 * Does not know: what a tap does (see `Hands` in `mouse.js`), how the board is scrolled and sized (see `zoom.js`).
 */

import { elementOf } from "./dom.js";

/** @typedef {import("./mouse.js").Hands & {tap: (cell: number) => void, hold: (cell: number) => void}} TouchHands */

/** How far a finger may slide and still tap, in pixels. */
export const SLOP = 10;
/** How long a finger that holds still takes to be a long press, in milliseconds, by the setting. */
export const HOLDS = Object.freeze({ short: 260, normal: 420, long: 700 });
export const HOLD = HOLDS.normal;

/**
 * What fingers come to.
 * @typedef {object} Gestures
 * @property {(x: number, y: number) => void} press a finger is down and may yet tap
 * @property {() => void} unpress it will not
 * @property {(x: number, y: number) => void} tap
 * @property {(x: number, y: number) => void} hold
 * @property {(dx: number, dy: number) => void} pan
 * @property {(vx: number, vy: number) => void} glide a pan was let go of at that speed, in pixels a millisecond
 * @property {(x: number, y: number, dx: number, dy: number, scale: number) => void} pinch middle, its move, the scale
 *   since the pinch began
 * @property {() => void} pinched a pinch has ended
 */

/** Tells gestures from fingers; has no clock of its own. */
export class Fingers {
  /** @param {Gestures} gestures */
  constructor(gestures) {
    this.#gestures = gestures;
  }

  #gestures;
  /** @type {Map<number, [startX: number, startY: number, x: number, y: number]>} */
  #down = new Map();
  #state = "none";
  #since = 0;
  #spread = 1;
  /** @type {[number, number]} */
  #speed = [0, 0];
  #moved = 0;

  /** @returns {boolean} whether `tick` is to be called after the time of a long press */
  get mayHold() {
    return this.#state === "tap";
  }

  /** A finger comes down. @param {number} id @param {number} x @param {number} y @param {number} time */
  down(id, x, y, time) {
    this.#down.set(id, [x, y, x, y]);
    if (this.#down.size === 1) {
      this.#state = "tap";
      this.#since = time;
      this.#gestures.press(x, y);
    } else if (this.#down.size === 2) {
      if (this.#state === "tap") this.#gestures.unpress();
      this.#state = "pinch";
      this.#spread = this.#middle().spread;
    }
  }

  /** A finger moves. @param {number} id @param {number} x @param {number} y @param {number} time */
  move(id, x, y, time) {
    const finger = this.#down.get(id);
    if (!finger) return;
    const before = this.#state === "pinch" ? this.#middle() : null;
    const [startX, startY, oldX, oldY] = finger;
    if (this.#state === "tap" && Math.hypot(x - startX, y - startY) > SLOP) {
      this.#state = "pan";
      this.#gestures.unpress();
    } else if (this.#state === "tap") {
      return;
    }
    this.#down.set(id, [startX, startY, x, y]);
    if (this.#state === "pan") {
      const passed = Math.max(1, time - this.#moved);
      this.#speed = passed > 80 ? [0, 0] : [(x - oldX) / passed, (y - oldY) / passed];
      this.#moved = time;
      this.#gestures.pan(x - oldX, y - oldY);
    } else if (before) {
      const after = this.#middle();
      this.#gestures.pinch(after.x, after.y, after.x - before.x, after.y - before.y, after.spread / this.#spread);
    }
  }

  /** A finger is lifted. @param {number} id @param {number} time */
  up(id, time) {
    const finger = this.#down.get(id);
    if (!finger) return;
    this.#down.delete(id);
    const was = this.#state;
    if (was === "tap") {
      this.#state = "none";
      this.#gestures.unpress();
      this.#gestures.tap(finger[2], finger[3]);
    } else if (was === "pinch" && this.#down.size < 2) {
      this.#state = "pan"; // the other finger goes on panning
      this.#gestures.pinched();
    } else if (was === "pan" && this.#down.size === 0 && time - this.#moved < 60) {
      this.#gestures.glide(...this.#speed);
    }
    if (this.#down.size === 0) this.#rest();
  }

  /** The browser or the system has taken a finger over. @param {number} id */
  cancel(id) {
    if (!this.#down.delete(id)) return;
    if (this.#state === "tap") this.#gestures.unpress();
    if (this.#state === "pinch") this.#gestures.pinched();
    this.#state = "pan";
    if (this.#down.size === 0) this.#rest();
  }

  /** Time has passed: a finger that held still has pressed long. @param {number} time @param {number} [hold] */
  tick(time, hold = HOLD) {
    if (this.#state !== "tap" || time - this.#since < hold) return;
    this.#state = "held";
    const [[, , x, y]] = [...this.#down.values()];
    this.#gestures.unpress();
    this.#gestures.hold(x, y);
  }

  #rest() {
    this.#state = "none";
    this.#speed = [0, 0];
  }

  #middle() {
    const [[, , ax, ay], [, , bx, by]] = [...this.#down.values()];
    return { x: (ax + bx) / 2, y: (ay + by) / 2, spread: Math.max(1, Math.hypot(ax - bx, ay - by)) };
  }
}

/**
 * Listen to fingers and pens on the stage of a grid.
 * @param {import("./grid.js").Grid} grid
 * @param {TouchHands} hands
 * @param {import("./zoom.js").Zoom} zoom
 * @param {() => number} holdTime milliseconds of a long press
 * @returns {() => void} stops listening
 */
export function attachTouch(grid, hands, zoom, holdTime) {
  const { stage } = grid;
  const stop = new AbortController();
  const options = { signal: stop.signal };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @param {number} x @param {number} y @param {(cell: number) => void} action */
  const onCell = (x, y, action) => {
    const cell = grid.cellAt(x, y);
    if (cell >= 0 && hands.canPlay()) action(cell);
  };
  const fingers = new Fingers({
    press: (x, y) => onCell(x, y, (cell) => hands.press(hands.leftCells(cell))),
    unpress: () => hands.press([]),
    tap: (x, y) => onCell(x, y, (cell) => hands.tap(cell)),
    hold: (x, y) => onCell(x, y, (cell) => hands.hold(cell)),
    pan: (dx, dy) => zoom.pan(dx, dy),
    glide: (vx, vy) => zoom.glide(vx, vy),
    pinch: (x, y, dx, dy, scale) => zoom.pinch(x, y, dx, dy, scale),
    pinched: () => zoom.pinched(),
  });
  const isFinger = (/** @type {PointerEvent} */ event) => event.pointerType !== "mouse";

  stage.addEventListener("pointerdown", (event) => {
    if (!isFinger(event) || elementOf(event.target)?.closest("button")) return;
    event.preventDefault(); // no mouse events made from it
    zoom.halt();
    clearTimeout(timer);
    fingers.down(event.pointerId, event.clientX, event.clientY, event.timeStamp);
    const hold = holdTime();
    if (fingers.mayHold) timer = setTimeout(() => fingers.tick(performance.now(), hold), hold + 5);
  }, options);
  addEventListener("pointermove", (event) => {
    if (isFinger(event)) fingers.move(event.pointerId, event.clientX, event.clientY, event.timeStamp);
  }, { ...options, passive: true });
  addEventListener("pointerup", (event) => {
    if (isFinger(event)) fingers.up(event.pointerId, event.timeStamp);
  }, options);
  addEventListener("pointercancel", (event) => fingers.cancel(event.pointerId), options);
  // Safari zooms the page by a gesture of its own, and on a double tap.
  const keepStill = (/** @type {Event} */ event) => event.cancelable && event.preventDefault();
  stage.addEventListener("touchmove", keepStill, { ...options, passive: false });
  stage.addEventListener("touchend", (event) => {
    if (event.cancelable && !elementOf(event.target)?.closest("button")) event.preventDefault();
  }, { ...options, passive: false });
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
