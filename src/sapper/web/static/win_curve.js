/**
 * The chance to win, move by move, as a picture: its points can be reached with Tab, and lead to their moves.
 *
 * Knows: how it is drawn. Does not know: where chances come from.
 */

import { h } from "./dom.js";
import { percentText } from "./format.js";
import { Frame, draw, scale, ticks } from "./scales.js";
import { t } from "./words.js";

/** @typedef {{at: number, win: number, label: string, look: string} } CurvePoint */

const LEAST_WIDTH = 260;
const HEIGHT = 190;
const SHARES = [0, 0.25, 0.5, 0.75, 1];

/** The curve of one game. */
export class WinCurve {
  /** @param {(at: number) => void} choose is told which moment was chosen */
  constructor(choose) {
    this.element = h("div", { class: "curve" });
    this.#choose = choose;
    this.#watcher = new ResizeObserver(([{ contentRect }]) => {
      const width = Math.max(LEAST_WIDTH, Math.floor(contentRect.width));
      if (width === this.#width) return;
      this.#width = width;
      requestAnimationFrame(() => this.#paint());
    });
    this.#watcher.observe(this.element);
  }

  #choose;
  #watcher;
  #width = 0;
  #last = 1;
  #at = 0;
  /** @type {[at: number, win: number][]} */
  #line = [];
  /** @type {CurvePoint[]} */
  #points = [];
  /** @type {SVGElement | null} */
  #cursor = null;
  #x = scale([0, 1], [0, 1]);

  close() {
    this.#watcher.disconnect();
  }

  /**
   * @param {number} last the last moment
   * @param {[at: number, win: number][]} line
   * @param {CurvePoint[]} points
   */
  show(last, line, points) {
    this.#last = Math.max(1, last);
    this.#line = line;
    this.#points = points;
    if (this.#width) this.#paint();
  }

  /** @param {number} at the moment that is shown */
  mark(at) {
    this.#at = at;
    const x = String(Math.round(this.#x(at) * 100) / 100);
    this.#cursor?.setAttribute("x1", x);
    this.#cursor?.setAttribute("x2", x);
  }

  #paint() {
    const frame = new Frame(this.#width, HEIGHT, true);
    const x = scale([0, this.#last], [frame.left + 4, frame.right - 6]);
    const y = scale([0, 1], [frame.bottom, frame.top]);
    this.#x = x;
    const words = { xText: String, yText: (/** @type {number} */ share) => percentText(share), xTitle: t("curve-move"), yTitle: t("curve-win") };
    const xTicks = ticks(0, this.#last, this.#width < 420 ? 4 : 8, 1);
    const picture = frame.picture({ x, y, xTicks, yTicks: SHARES, ...words });
    picture.removeAttribute("aria-hidden");
    picture.setAttribute("role", "group");
    picture.setAttribute("aria-label", t("curve-label"));
    for (const text of picture.querySelectorAll("text, line")) text.setAttribute("aria-hidden", "true");
    const route = this.#line.map(([at, win], place) => `${place ? "L" : "M"}${x(at).toFixed(1)} ${y(win).toFixed(1)}`).join("");
    if (route) picture.append(draw("path", { d: route, class: "plot-curve", "aria-hidden": "true" }));
    this.#cursor = draw("line", { x1: 0, x2: 0, y1: frame.top, y2: frame.bottom, class: "curve-cursor", "aria-hidden": "true" });
    picture.append(this.#cursor);
    for (const point of this.#points) picture.append(this.#makePoint(point, x(point.at), y(point.win)));
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      const share = (event.clientX - box.left - x(0)) / (x(this.#last) - x(0));
      this.#choose(Math.max(0, Math.min(this.#last, Math.round(share * this.#last))));
    });
    const place = this.#points.findIndex((_, at) => this.element.querySelectorAll("[role=button]")[at] === document.activeElement);
    this.element.replaceChildren(picture);
    if (place >= 0) /** @type {SVGElement | undefined} */ (this.element.querySelectorAll("[role=button]")[place])?.focus();
    this.mark(this.#at);
  }

  /** @param {CurvePoint} point @param {number} cx @param {number} cy */
  #makePoint({ at, label, look }, cx, cy) {
    const how = { cx, cy, r: 5, class: `curve-point ${look}`, role: "button", tabindex: 0, "aria-label": label };
    const circle = draw("circle", how);
    const choose = (/** @type {Event} */ event) => {
      event.stopPropagation();
      this.#choose(at);
    };
    circle.addEventListener("click", choose);
    circle.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(event);
    });
    return circle;
  }
}
