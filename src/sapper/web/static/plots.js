/**
 * The plots of the statistics: each a picture, a sentence, and a table with the same numbers.
 *
 * Knows: how a rate with its interval, times and risks are drawn. Does not know: where numbers come from.
 */

import { h } from "./dom.js";
import { dateText, exactTimeText, momentText, numberText, percentText, timeText } from "./format.js";
import { pooled } from "./rates.js";
import { Frame, draw, moments, scale, ticks } from "./scales.js";
import { t } from "./later_words.js";

/** @import { Period, RiskBucket } from "./types.js" */
/** @import { Rate } from "./rates.js" */

/** @typedef {[x: number, y: number]} Point */

const LEAST_WIDTH = 280;
const DAY = 86_400_000;

/**
 * A plot that fits its place at any width.
 * @param {{title: string, about: string, head: string[], rows: string[][],
 *   paint: (width: number) => SVGElement}} plot of what there is
 * @returns {HTMLElement}
 */
export function makePlot({ title, about, head, rows, paint }) {
  const card = { class: "card figure" };
  const place = h("div", { class: "plot-place" });
  let drawn = 0;
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.max(LEAST_WIDTH, Math.floor(contentRect.width));
    if (width === drawn) return;
    drawn = width;
    // Not at once: a picture changes the size of its place, which the observer would be told of while it tells.
    requestAnimationFrame(() => place.replaceChildren(paint(width)));
  }).observe(place);
  const caption = h("figcaption", {}, h("h2", {}, title), h("p", { class: "muted small" }, about));
  return h("figure", card, caption, place, makeData(title, head, rows));
}

/** The same numbers as a table, for who wants to read them. @param {string} title @param {string[]} head @param {string[][]} rows */
function makeData(title, head, rows) {
  const makeRow = (/** @type {string[]} */ [first, ...rest]) =>
    h("tr", {}, h("th", { scope: "row" }, first), ...rest.map((value) => h("td", {}, value)));
  const table = h(
    "table",
    {},
    h("caption", { class: "visually-hidden" }, title),
    h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...rows.map(makeRow)),
  );
  const region = { class: "table-wrap", tabindex: 0, role: "region", "aria-label": t("as-table-of", { title }) };
  return h("details", { class: "data" }, h("summary", {}, t("as-table")), h("div", region, table));
}

/** @param {Point[]} points */
function path(points) {
  return points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

const quarters = [0, 0.25, 0.5, 0.75, 1];

/** @param {Frame} frame @param {number[]} values */
function timeAxis(frame, values) {
  const [from, to] = [Math.min(...values), Math.max(...values)];
  const margin = from === to ? DAY / 2 : 0;
  const x = scale([from - margin, to + margin], [frame.left + 8, frame.right - 8]);
  const xTicks = from === to ? [from] : moments(from, to, frame.width < 420 ? 3 : 5);
  return { x, xTicks, xText: (/** @type {number} */ value) => dateText(value, to - from) };
}

/** @param {Period[]} all periods @returns {HTMLElement} */
export function ratePlot(all) {
  const periods = pooled(all);
  const span = (periods.at(-1)?.begin ?? 0) - (periods[0]?.begin ?? 0);
  const played = sum(periods, (one) => one.played);
  const won = sum(periods, (one) => one.won);
  const paint = (/** @type {number} */ width) => {
    const frame = new Frame(width);
    const axis = timeAxis(frame, periods.map((period) => period.begin));
    const y = scale([0, 1], [frame.bottom, frame.top]);
    const yText = (/** @type {number} */ share) => percentText(share);
    const picture = frame.picture({ ...axis, y, yTicks: quarters, yText, xTitle: "", yTitle: t("rate-axis") });
    /** @param {"rate" | "low" | "high"} key @returns {Point[]} */
    const at = (key) => periods.map((period) => [axis.x(period.begin), y(period[key])]);
    const rates = at("rate");
    if (periods.length > 1) {
      picture.append(draw("path", { d: `${path([...at("low"), ...at("high").reverse()])}Z`, class: "plot-band" }));
    } else {
      for (const { begin, low, high } of periods) picture.append(whisker(axis.x(begin), y(low), y(high)));
    }
    picture.append(draw("path", { d: path(rates), class: "plot-curve" }));
    for (const [cx, cy] of rates) picture.append(draw("circle", { cx, cy, r: 3.5, class: "plot-dot" }));
    return picture;
  };
  const shape = periods.length > 1 ? "band" : "line";
  const row = (/** @type {Rate} */ one) => [
    dateText(one.begin, span), String(one.played), String(one.won), percentText(one.rate), rangeText(one.low, one.high),
  ];
  return makePlot({
    title: t("rate-title"),
    about: t(`rate-about-${shape}`, { won, count: played }),
    head: [t("column-around"), t("number-played"), t("number-won"), t("number-rate"), t("column-interval")],
    rows: periods.map(row),
    paint,
  });
}

/** @param {number} low @param {number} high */
function rangeText(low, high) {
  return t("range", { low: percentText(low), high: percentText(high) });
}

/** @param {number} x @param {number} y1 @param {number} y2 */
function whisker(x, y1, y2) {
  return draw("line", { x1: x, x2: x, y1, y2, class: "plot-whisker" });
}

/**
 * @template T
 * @param {T[]} rows
 * @param {(row: T) => number} value
 */
function sum(rows, value) {
  return rows.reduce((total, row) => total + value(row), 0);
}

/**
 * @param {[number, number, boolean][]} wins when, how long, whether it was the best so far
 * @returns {HTMLElement}
 */
export function winsPlot(wins) {
  const paint = (/** @type {number} */ width) => {
    const frame = new Frame(width);
    const axis = timeAxis(frame, wins.map(([ended]) => ended));
    const most = Math.max(...wins.map(([, time]) => time)) * 1.06;
    const y = scale([0, most], [frame.bottom, frame.top]);
    const yTicks = ticks(0, most, 4, 1000);
    const picture = frame.picture({ ...axis, y, yTicks, yText: axisTime, xTitle: "", yTitle: t("axis-time") });
    /** @param {number} ended @param {number} time @returns {Point} */
    const place = (ended, time) => [axis.x(ended), y(time)];
    const bests = wins.filter(([, , best]) => best);
    const steps = bests.flatMap(([ended, time], at) =>
      (at ? [place(ended, bests[at - 1][1]), place(ended, time)] : [place(ended, time)]));
    const [latest, best] = [wins.at(-1), bests.at(-1)];
    if (latest && best) {
      const end = place(latest[0], best[1]);
      picture.append(draw("path", { d: path([...steps, end]), class: "plot-best" }));
    }
    for (const [ended, time, isBest] of wins) {
      const [cx, cy] = place(ended, time);
      const look = isBest ? { r: 5, class: "plot-dot best" } : { r: 3.5, class: "plot-dot faint" };
      picture.append(draw("circle", { cx, cy, ...look }));
    }
    return picture;
  };
  const last = wins.slice(-50).reverse();
  const best = exactTimeText(Math.min(...wins.map(([, time]) => time)));
  return makePlot({
    title: t("wins-title"),
    about: t("wins-about", { best }),
    head: [t("column-when"), t("column-time"), t("column-best-so-far")],
    rows: last.map(([ended, time, isBest]) => [momentText(ended), exactTimeText(time), isBest ? t("yes") : ""]),
    paint,
  });
}

/** @param {number} ms */
function axisTime(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? t("seconds", { number: String(seconds) }) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {{width: number, counts: [number, number][]}} times @returns {HTMLElement} */
export function timesPlot({ width: bin, counts }) {
  const paint = (/** @type {number} */ width) => {
    const frame = new Frame(width, 256, true);
    const [from, to] = [counts[0][0], counts[counts.length - 1][0] + bin];
    const most = Math.max(...counts.map(([, games]) => games));
    const x = scale([from, to], [frame.left + 4, frame.right - 4]);
    const y = scale([0, most], [frame.bottom, frame.top]);
    const xTicks = ticks(from, to, width < 420 ? 4 : 7, 1000);
    const yTicks = ticks(0, most, 4, 1);
    const words = { xText: axisTime, yText: String, xTitle: t("axis-time"), yTitle: t("axis-wins") };
    const picture = frame.picture({ x, y, xTicks, yTicks, ...words });
    for (const [start, games] of counts) {
      const [left, right] = [x(start) + 1, x(start + bin) - 1];
      const size = { width: Math.max(1, right - left), height: frame.bottom - y(games) };
      picture.append(draw("rect", { x: left, y: y(games), ...size, class: "plot-bar" }));
    }
    return picture;
  };
  return makePlot({
    title: t("times-title"),
    about: t("times-about", { step: timeText(bin) }),
    head: [t("column-time"), t("column-wins")],
    rows: counts.map(([from, games]) => [t("times-from-to", { from: timeText(from), to: timeText(from + bin) }), String(games)]),
    paint,
  });
}

/**
 * @param {RiskBucket[]} buckets
 * @returns {HTMLElement}
 */
export function calibrationPlot(buckets) {
  const [moves, exploded] = [sum(buckets, (one) => one.moves), sum(buckets, (one) => one.exploded)];
  const paint = (/** @type {number} */ width) => {
    const frame = new Frame(width, Math.min(340, Math.max(260, width * 0.62)), true);
    const x = scale([0, 1], [frame.left + 4, frame.right - 4]);
    const y = scale([0, 1], [frame.bottom, frame.top]);
    const text = (/** @type {number} */ share) => percentText(share);
    const words = { xText: text, yText: text, xTitle: t("axis-risk"), yTitle: t("axis-exploded") };
    const picture = frame.picture({ x, y, xTicks: quarters, yTicks: quarters, ...words });
    picture.append(draw("line", { x1: x(0), y1: y(0), x2: x(1), y2: y(1), class: "plot-expected" }));
    for (const one of buckets) {
      const [cx, cy] = [x(one.claimed), y(one.exploded / one.moves)];
      picture.append(
        whisker(cx, y(one.least), y(one.most)),
        draw("circle", { cx, cy, r: 3.5 + Math.min(4, Math.log10(one.moves) * 1.5), class: "plot-dot" }),
      );
    }
    return picture;
  };
  const row = (/** @type {RiskBucket} */ one) => [
    rangeText(one.low, one.high),
    String(one.moves),
    String(one.exploded),
    numberText(one.claimed * one.moves, 1),
    percentText(one.exploded / one.moves),
    rangeText(one.least, one.most),
  ];
  return makePlot({
    title: t("risks-title"),
    about: t("risks-about", { exploded, count: moves }),
    head: [t("risk"), ...["moves", "exploded", "expected", "share", "interval"].map((name) => t(`column-${name}`))],
    rows: buckets.map(row),
    paint,
  });
}
