/**
 * Best times as lists, skill without luck, and luck over time, for the page of statistics.
 *
 * Knows: how they are laid out. Does not know: where they come from.
 */

import { h } from "./dom.js";
import { dateText, exactTimeText, numberText, percentText } from "./format.js";
import { makePlot } from "./plots.js";
import { Frame, draw, moments, scale, ticks } from "./scales.js";
import { kindText, presetName } from "./game_request.js";
import { dateOf, t } from "./later_words.js";

/** @import { BoardSkill, KindBestTimes, LuckPeriod } from "./types.js" */

const HALF_DAY = 43_200_000;

/** @param {KindBestTimes[]} kinds @returns {HTMLElement | string} ten times a kind at most, each leading to its game */
export function makeBestTimes(kinds) {
  if (!kinds.length) return "";
  return h(
    "section",
    { class: "part", "aria-labelledby": "best-times" },
    h("h2", { id: "best-times" }, t("best-times")),
    h("div", { class: "best-times" }, ...kinds.map(makeKind)),
  );
}

/** @param {KindBestTimes} kind */
function makeKind(kind) {
  const row = (/** @type {KindBestTimes["games"][number]} */ { game, time, ended, solved_bbbv: solved, has_moves: hasMoves }, /** @type {number} */ place) => {
    const words = exactTimeText(time);
    const when = dateOf(ended, { dateStyle: "short" });
    const speed = solved && time ? numberText((1000 * solved) / time, 3) : "–";
    const link = hasMoves ? h("a", { href: `/game/${encodeURIComponent(game)}` }, words) : words;
    return h("tr", {}, h("th", { scope: "row" }, `${place + 1}.`), h("td", {}, link), h("td", {}, speed), h("td", {}, when));
  };
  const head = ["", t("column-time"), t("column-speed"), t("column-when")].map((name) => (name ? h("th", { scope: "col" }, name) : h("td", {})));
  return h(
    "div",
    { class: "card table-wrap", role: "region", tabindex: 0, "aria-label": t("best-times-of", { kind: kindText(kind) }) },
    h("h3", {}, kindText(kind)),
    h(
      "table",
      {},
      h("caption", { class: "visually-hidden" }, t("best-times-caption", { kind: kindText(kind) })),
      h("thead", {}, h("tr", {}, ...head)),
      h("tbody", {}, ...kind.games.map(row)),
    ),
  );
}

/** @param {string} board `expert` or `expert-no-guess`: what rankings are of @returns {string} */
export function boardName(board) {
  const preset = board.replace(/-no-guess$/, "");
  return preset === board ? presetName(board) : `${presetName(preset)}, ${t("no-guessing")}`;
}

/** @param {BoardSkill[]} boards @returns {HTMLElement | string} what choices lost on each ranked board */
export function makeSkill(boards) {
  if (!boards.length) return "";
  const columns = ["filter-board", "column-games", "column-lost", "column-lost-below"].map((name) => t(name));
  const row = (/** @type {BoardSkill} */ { board, games, mean, bound }) => {
    const link = h("a", { href: `/rankings#board=${board}&measure=skill` }, boardName(board));
    const cells = [numberText(games), percentText(mean, 1), percentText(bound, 1)];
    return h("tr", {}, h("th", { scope: "row" }, link), ...cells.map((text, at) => h("td", { "data-name": columns[at + 1] }, text)));
  };
  return h(
    "section",
    { class: "card", "aria-labelledby": "skill" },
    h("h2", { id: "skill" }, t("skill-title")),
    h("p", { class: "muted" }, t("skill-about")),
    h(
      "div",
      { class: "table-wrap", tabindex: 0, role: "region", "aria-label": t("as-table-of", { title: t("skill-title") }) },
      h("table", { class: "kinds" }, h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, ...boards.map(row))),
    ),
  );
}

/** @param {LuckPeriod[]} periods @returns {HTMLElement} guesses that were survived beyond what was to be expected, added up */
export function luckPlot(periods) {
  let sum = 0;
  const line = periods.map(({ begin, survived, expected }) => {
    sum += survived - expected;
    return /** @type {[number, number]} */ ([begin, sum]);
  });
  const span = (periods.at(-1)?.begin ?? 0) - (periods[0]?.begin ?? 0);
  const paint = (/** @type {number} */ width) => {
    const frame = new Frame(width);
    const margin = span ? 0 : HALF_DAY;
    const [from, to] = [periods[0].begin, periods[periods.length - 1].begin];
    const x = scale([from - margin, to + margin], [frame.left + 8, frame.right - 8]);
    const values = [0, ...line.map(([, value]) => value)];
    const [low, high] = [Math.min(...values) - 0.2, Math.max(...values) + 0.2];
    const y = scale([low, high], [frame.bottom, frame.top]);
    const xTicks = span ? moments(from, to, width < 420 ? 3 : 5) : [from];
    const yTicks = ticks(low, high, 4);
    const words = { xText: (/** @type {number} */ at) => dateText(at, span), yText: (/** @type {number} */ value) => numberText(value, 1), xTitle: "", yTitle: t("luck-axis") };
    const picture = frame.picture({ x, y, xTicks, yTicks, ...words });
    picture.append(draw("line", { x1: frame.left, x2: frame.right, y1: y(0), y2: y(0), class: "plot-expected" }));
    const route = line.map(([at, value], place) => `${place ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    picture.append(draw("path", { d: route, class: "plot-curve" }));
    for (const [at, value] of line) picture.append(draw("circle", { cx: x(at), cy: y(value), r: 3.5, class: "plot-dot" }));
    return picture;
  };
  const guesses = periods.reduce((total, one) => total + one.guesses, 0);
  const needless = periods.reduce((total, one) => total + one.needless, 0);
  const about = t("luck-about", { count: guesses, forced: guesses - needless, needless });
  return makePlot({
    title: t("luck-title"),
    about,
    head: ["from", "guesses", "needless", "survived", "expected"].map((name) => t(`column-${name}`)),
    rows: periods.map((one) => [dateText(one.begin, span), String(one.guesses), String(one.needless), String(one.survived), numberText(one.expected, 1)]),
    paint,
  });
}
