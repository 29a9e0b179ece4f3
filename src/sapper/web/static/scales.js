/**
 * Scales and axes of plots.
 *
 * Knows: round steps, ticks, where a plot lies in its picture. Does not know: what is plotted.
 */

import { s } from "./dom.js";

/**
 * An element of a picture whose numbers are rounded to what can be seen.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function draw(tag, attributes = {}, ...children) {
  const rounded = Object.entries(attributes).map(([name, value]) => [name, round(value)]);
  return s(tag, Object.fromEntries(rounded), ...children);
}

/** @param {string | number} value */
function round(value) {
  return typeof value === "number" ? String(Math.round(value * 100) / 100) : value;
}

/**
 * @param {[from: number, to: number]} values
 * @param {[start: number, end: number]} pixels
 * @returns {(value: number) => number} takes `[from, to]` to `[start, end]`
 */
export function scale([from, to], [start, end]) {
  const width = to - from || 1;
  return (value) => start + ((value - from) / width) * (end - start);
}

/**
 * Round numbers in a range.
 * @param {number} from
 * @param {number} to
 * @param {number} about how many of them
 * @param {number} [least] the smallest step
 * @returns {number[]}
 */
export function ticks(from, to, about, least = 0) {
  const rough = Math.max((to - from) / about, least, Number.EPSILON);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough * 0.999) ?? rough;
  const first = Math.ceil(from / step - 1e-9) + 0; // and no -0
  /** @type {number[]} */
  const found = [];
  for (let at = first; at * step <= to + step * 1e-9; at += 1) found.push(at * step);
  return found;
}

/**
 * Moments evenly spread over a range.
 * @param {number} from
 * @param {number} to
 * @param {number} about how many of them
 * @returns {number[]}
 */
export function moments(from, to, about) {
  if (to <= from) return [from];
  return Array.from({ length: about }, (_, at) => from + ((to - from) * at) / (about - 1));
}

/** The place of a plot in its picture. */
export class Frame {
  /** @param {number} width @param {number} [height] */
  constructor(width, height = 240, hasTitle = false) {
    this.width = width;
    this.height = height;
    this.left = 62;
    this.right = width - 14;
    this.top = 12;
    this.bottom = height - (hasTitle ? 44 : 28);
  }

  /**
   * The picture with its axes; marks are drawn by the caller.
   * @param {{x: (value: number) => number, y: (value: number) => number, xTicks: number[], yTicks: number[],
   *   xText: (value: number) => string, yText: (value: number) => string, xTitle: string, yTitle: string}} axes
   */
  picture({ x, y, xTicks, yTicks, xText, yText, xTitle, yTitle }) {
    const { left, right, top, bottom, width, height } = this;
    const look = { viewBox: `0 0 ${width} ${height}`, width, height, class: "plot", "aria-hidden": "true" };
    const picture = draw("svg", look);
    for (const tick of yTicks) {
      picture.append(
        draw("line", { x1: left, x2: right, y1: y(tick), y2: y(tick), class: "plot-line" }),
        draw("text", { x: left - 8, y: y(tick) + 4, class: "plot-text to-right" }, yText(tick)),
      );
    }
    const texts = xTicks.map(xText);
    xTicks.forEach((tick, at) => {
      if (at > 0 && texts[at] === texts[at - 1]) return;
      const isEdge = at > 0 && at === xTicks.length - 1 && x(tick) > right - 24;
      const where = isEdge ? "plot-text to-right" : "plot-text centred";
      picture.append(draw("text", { x: x(tick), y: bottom + 18, class: where }, texts[at]));
    });
    const title = "plot-text title centred";
    const upright = `translate(11 ${(top + bottom) / 2}) rotate(-90)`;
    picture.append(
      draw("line", { x1: left, x2: right, y1: bottom, y2: bottom, class: "plot-axis" }),
      draw("text", { x: (left + right) / 2, y: height - 6, class: title }, xTitle),
      draw("text", { x: 0, y: 0, class: title, transform: upright }, yTitle),
    );
    return picture;
  }
}
