/**
 * How large the cells are, and which part of a board is in sight.
 *
 * While two fingers pinch, the board is only scaled as a picture; its cells get their new size when the fingers are
 * lifted.
 *
 * Knows: pixels, the stage that scrolls.
 * Does not know: tiles, what fingers mean (see `touch.js`).
 */

/** @import { Grid } from "./grid.js" */
/** @import { Size } from "./types.js" */

export const SMALLEST = 10;
export const LARGEST = 96;
/** How large cells become where nobody asks for more. */
const AMPLE = 72;
const STEP = 1.2;
const FRICTION = 0.004;

/**
 * The size of a cell at which a board is fully in sight.
 * @param {Size} board
 * @param {Size} room in pixels
 * @param {{least: number, most: number}} limits
 * @returns {number} whole pixels
 */
export function fitting(board, room, { least, most }) {
  const size = Math.floor(Math.min(room.width / board.width, room.height / board.height));
  return Math.max(least, Math.min(most, size));
}

/** The size and the place of a grid in its stage. */
export class Zoom {
  /**
   * @param {Grid} grid
   * @param {{isCalm: () => boolean, onFit?: (fits: boolean) => void}} how `isCalm`: nothing glides; `onFit`: whether the
   *   board is all in sight with cells that can be hit, as it is by itself
   */
  constructor(grid, how) {
    this.grid = grid;
    this.stage = grid.stage;
    this.size = 32;
    this.isChosen = false;
    this.#how = how;
    this.#stop = new AbortController();
    const options = { signal: this.#stop.signal };
    addEventListener("resize", () => this.resized(), options);
    this.stage.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.set(this.size * STEP ** (event.deltaY < 0 ? 1 : -1), event.clientX, event.clientY);
    }, { ...options, passive: false });
  }

  #how;
  #stop;
  #frame = 0;
  /** @type {{box: DOMRect, atX: number, atY: number, x: number, y: number, scale: number} | null} */
  #pinched = null;

  /** Listen no more. */
  close() {
    this.halt();
    this.#stop.abort();
  }

  /** @returns {boolean} whether fingers are the way to point here */
  get isCoarse() {
    return matchMedia("(pointer: coarse)").matches;
  }

  /** @returns {number} pixels of a cell that can be hit */
  get #least() {
    return this.isCoarse ? 30 : 24;
  }

  /** The room for a board, in pixels, in a window as it is now. */
  #room() {
    const top = this.stage.getBoundingClientRect().top + scrollY;
    const below = Number.parseFloat(getComputedStyle(this.stage).getPropertyValue("--below")) || 0;
    return {
      width: (this.stage.parentElement ?? this.stage).clientWidth - 2,
      height: Math.max(180, document.documentElement.clientHeight - top - below),
    };
  }

  /** The same without what is at the edges: a browser works all places out to say it, so it is asked once and before anything is changed. */
  #roomForCells() {
    const { width, height } = this.#room();
    const { edges } = this.grid;
    return { width: width - edges.width, height: height - edges.height, stage: height };
  }

  /** The room is another: the window's, or what is at the edges. */
  resized() {
    if (!this.grid.isShown) return;
    if (this.isChosen) this.#apply(this.size);
    else this.reset();
  }

  /** The size that a board has unless the player chooses another: all in sight, if cells can then be hit. */
  reset() {
    this.isChosen = false;
    const limits = { least: this.#least, most: AMPLE };
    const room = this.#roomForCells();
    this.#apply(fitting(this.grid.shown, room, limits), room);
  }

  /** Bring the middle of a large board into sight. */
  centre() {
    const { stage } = this;
    stage.scrollLeft = (stage.scrollWidth - stage.clientWidth) / 2;
    stage.scrollTop = (stage.scrollHeight - stage.clientHeight) / 2;
  }

  /** All of the board in sight, however small its cells. */
  fit() {
    this.isChosen = false;
    const room = this.#roomForCells();
    this.#apply(fitting(this.grid.shown, room, { least: SMALLEST, most: AMPLE }), room);
    this.isChosen = true;
  }

  /** @param {number} ways 1 larger, -1 smaller */
  step(ways) {
    const box = this.stage.getBoundingClientRect();
    this.set(this.size * STEP ** ways, box.left + box.width / 2, box.top + box.height / 2);
  }

  /**
   * Give cells a size, so that what is at a point of the window stays there.
   * @param {number} size in pixels
   * @param {number} clientX
   * @param {number} clientY
   */
  set(size, clientX, clientY) {
    const { root } = this.grid;
    const before = root.getBoundingClientRect();
    const shareX = (clientX - before.left) / before.width;
    const shareY = (clientY - before.top) / before.height;
    this.isChosen = true;
    this.#apply(size);
    const after = root.getBoundingClientRect();
    this.stage.scrollLeft += after.left + shareX * after.width - clientX;
    this.stage.scrollTop += after.top + shareY * after.height - clientY;
  }

  /** @param {number} size @param {Size & {stage: number}} [room] */
  #apply(size, room = this.#roomForCells()) {
    this.size = Math.round(Math.max(SMALLEST, Math.min(LARGEST, size)));
    const { root } = this.grid;
    this.stage.style.setProperty("--room", `${room.stage}px`);
    for (const element of [this.stage, root]) element.style.setProperty("--cell", `${this.size}px`);
    root.classList.toggle("small", this.size < 18);
    const whole = fitting(this.grid.shown, room, { least: 1, most: AMPLE });
    this.#how.onFit?.(!this.isChosen && whole >= this.#least);
  }

  // --- fingers -----------------------------------------------------------------------------------

  /** Move the board with a finger; what the stage cannot take, the page does. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    const { scrollTop } = this.stage;
    this.stage.scrollBy(-dx, -dy);
    const left = dy + (this.stage.scrollTop - scrollTop);
    if (Math.abs(left) > 0.5) scrollBy(0, -left);
  }

  /** Let the board run out after a pan. @param {number} vx @param {number} vy pixels a millisecond */
  glide(vx, vy) {
    if (this.#how.isCalm() || Math.hypot(vx, vy) < 0.15) return;
    let last = performance.now();
    let speed = 1; // of what it was
    const run = (/** @type {number} */ now) => {
      const passed = Math.min(40, now - last);
      last = now;
      this.pan(vx * speed * passed, vy * speed * passed);
      speed *= Math.exp(-FRICTION * passed);
      if (Math.hypot(vx, vy) * speed > 0.02) this.#frame = requestAnimationFrame(run);
    };
    this.#frame = requestAnimationFrame(run);
  }

  /** Stop where it is. */
  halt() {
    cancelAnimationFrame(this.#frame);
  }

  /**
   * Two fingers are at work: scale the picture of the board.
   * @param {number} x
   * @param {number} y
   * @param {number} dx
   * @param {number} dy
   * @param {number} scale
   */
  pinch(x, y, dx, dy, scale) {
    const { root } = this.grid;
    if (!this.#pinched) {
      const box = root.getBoundingClientRect();
      const [atX, atY] = [(x - dx - box.left) / box.width, (y - dy - box.top) / box.height];
      this.#pinched = { box, atX, atY, x, y, scale };
      root.classList.add("pinched");
    }
    const { box, atX, atY } = this.#pinched;
    const limited = Math.max(SMALLEST / this.size, Math.min(LARGEST / this.size, scale));
    const left = x - atX * box.width * limited - box.left;
    const top = y - atY * box.height * limited - box.top;
    root.style.transform = `translate(${left}px, ${top}px) scale(${limited})`;
    Object.assign(this.#pinched, { x, y, scale: limited });
  }

  /** The fingers are lifted: make it so. */
  pinched() {
    const { root } = this.grid;
    if (!this.#pinched) return;
    const { x, y, atX, atY, scale } = this.#pinched;
    this.#pinched = null;
    root.style.transform = "";
    root.classList.remove("pinched");
    this.isChosen = true;
    this.#apply(this.size * scale);
    const after = root.getBoundingClientRect();
    this.stage.scrollLeft += after.left + atX * after.width - x;
    this.stage.scrollTop += after.top + atY * after.height - y;
  }
}
