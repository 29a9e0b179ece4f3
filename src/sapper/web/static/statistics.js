/**
 * The statistics of a player: filters, numbers, kinds of boards, plots, and how to be forgotten.
 *
 * Knows: what can be asked of the server and how answers are laid out. Does not know: how plots are drawn.
 */

import { faultText } from "./api.js";
import { luckPlot, makeBestTimes, makeSkill } from "./best_times.js";
import { ask } from "./dialog.js";
import { complain, h, tell } from "./dom.js";
import { choiceField } from "./fields.js";
import { exactTimeText, numberText, percentText } from "./format.js";
import { calibrationPlot, ratePlot, timesPlot, winsPlot } from "./plots.js";
import { presetName, sizeText } from "./game_request.js";
import { t } from "./later_words.js";

/** @import { Api, KindNumbers, Numbers, Statistics } from "./types.js" */

const DAY = 86_400_000;
/** @type {[days: string, words: string][]} */
const PERIODS = [["", t("all-time")], ["365", t("last-year")], ["30", t("last-month")], ["7", t("last-week")]];
/** @type {[name: string, words: string][]} */
const CATEGORIES = [["plain", t("category-plain")], ["assisted", t("category-assisted")]];
const STARTS = { any: t("any-first-cell"), safe: t("safe-first-cell"), open: "" };
/**
 * The table's columns but the first: what each is called, and its text for a kind of board.
 * @type {[name: string, text: (kind: KindNumbers) => string][]}
 */
const COLUMNS = [
  [t("number-played"), (kind) => numberText(kind.played)],
  [t("number-won"), (kind) => numberText(kind.won)],
  [t("number-rate"), (kind) => percentText(kind.rate)],
  [t("number-best"), (kind) => exactTimeText(kind.best)],
  [t("number-median"), (kind) => exactTimeText(kind.median)],
  [t("number-speed"), (kind) => numberText(kind.bbbv_per_second, 2)],
  [t("number-efficiency"), (kind) => percentText(kind.efficiency)],
];
/** @type {[name: string, text: string][]} */
const EXPLANATIONS = [
  [t("number-played"), t("explain-played")],
  [t("category-assisted"), t("explain-assisted")],
  [t("number-win-rate"), t("explain-rate")],
  [t("end-3bv"), t("explain-3bv")],
  [t("number-speed"), t("explain-speed")],
  [t("number-efficiency"), t("explain-efficiency")],
  [t("number-median-time"), t("explain-median")],
];

/**
 * @param {HTMLElement} section
 * @param {{api: Api, leave: () => void}} context
 * @returns {{close: () => void}}
 */
export function showStatistics(section, context) {
  const page = new StatisticsPage(context);
  section.replaceChildren(page.element);
  page.ask();
  return { close: () => page.close() };
}

class StatisticsPage {
  #api;
  #leave;
  #asked = 0;
  #category = "plain";
  /** @type {KindNumbers[]} */
  #kinds = [];
  #kind = h("select", { id: "statistics-kind", onchange: () => this.ask() }, h("option", { value: "" }, t("all-boards")));
  #period = h(
    "select",
    { id: "statistics-period", onchange: () => this.ask() },
    ...PERIODS.map(([value, words]) => h("option", { value }, words)),
  );
  #said = h("p", { class: "notice", role: "status" });
  #answer = h("div", { class: "stack-wide answer" });

  /** @param {{api: Api, leave: () => void}} context */
  constructor({ api, leave }) {
    this.#api = api;
    this.#leave = leave;
    const category = choiceField(t("category"), "category", CATEGORIES, this.#category, (value) => {
      this.#category = value;
      this.ask();
    });
    this.element = h(
      "div",
      { class: "sheet statistics" },
      h("h1", { tabindex: -1 }, t("title-statistics")),
      h(
        "div",
        { class: "filters" },
        h("div", { class: "field" }, h("label", { for: "statistics-kind" }, t("filter-board")), this.#kind),
        h("div", { class: "field" }, h("label", { for: "statistics-period" }, t("period")), this.#period),
        category,
      ),
      h(
        "p",
        { class: "links" },
        h("a", { href: "/games" }, t("all-finished-games")),
        h("a", { href: "/rankings" }, t("title-rankings")),
        h("a", { href: "/honesty" }, t("title-honesty")),
      ),
      this.#said,
      this.#answer,
    );
  }

  /** What is below the answer, and comes with the first: it would jump. */
  #below = [
    makeExplanations(),
    h(
      "div",
      { class: "forget" },
      h("p", { class: "muted small" }, t("kept-where")),
      h(
        "div",
        { class: "links" },
        h("button", { type: "button", class: "button", onclick: () => this.#endSessions() }, t("end-sessions")),
        h("button", { type: "button", class: "button", onclick: () => this.#forget() }, t("forget-me")),
      ),
    ),
  ];

  close() {
    this.#asked += 1;
  }

  /** Asks with the filters as they are; only the latest answer is shown. */
  async ask() {
    this.#asked += 1;
    const number = this.#asked;
    this.#answer.setAttribute("aria-busy", "true");
    try {
      const told = await this.#api.statistics(this.#filter());
      if (number !== this.#asked) return;
      this.#said.textContent = "";
      this.#learnKinds(told.kinds);
      this.#show(told);
    } catch (error) {
      if (number !== this.#asked) return;
      complain(this.#said, faultText(error));
    }
    this.#answer.removeAttribute("aria-busy");
    this.element.append(...this.#below);
  }

  #filter() {
    const kind = this.#kinds.find((one) => kindKey(one) === this.#kind.value);
    const days = Number(this.#period.value);
    return {
      category: this.#category,
      preset: kind?.preset,
      kind: kind && !kind.preset ? `${kind.width}x${kind.height}x${kind.mine_count}` : null,
      since: days ? Math.floor(Date.now() - days * DAY) : null,
    };
  }

  /**
   * Boards to choose from: those seen in any answer, since an answer for one board has only that.
   * @param {KindNumbers[]} kinds
   */
  #learnKinds(kinds) {
    for (const kind of kinds) {
      const key = kindKey(kind);
      if (this.#kinds.some((known) => kindKey(known) === key)) continue;
      this.#kinds.push(kind);
      const words = kind.preset ? presetName(kind.preset) : sizeText(kind);
      this.#kind.append(h("option", { value: key }, words));
    }
  }

  /** @param {Statistics} told */
  #show(told) {
    const { total, kinds } = told;
    if (!total.played) return this.#answer.replaceChildren(this.#makeEmpty());
    const isOneKind = told.kind_count === 1;
    this.#answer.replaceChildren(
      makeNumbers(told),
      isOneKind ? "" : makeTable(kinds, told.kind_count),
      makeBestTimes(told.best_times),
      makeSkill(told.skill),
      h(
        "div",
        { class: "plots" },
        told.over_time.length ? ratePlot(told.over_time) : "",
        isOneKind && told.wins.length ? winsPlot(told.wins) : "",
        isOneKind && told.times.counts.length ? timesPlot(told.times) : "",
        told.calibration.length ? calibrationPlot(told.calibration) : "",
        told.luck.length ? luckPlot(told.luck) : "",
      ),
      isOneKind ? "" : h("p", { class: "notice calm" }, t("from-all")),
    );
  }

  #makeEmpty() {
    const why = this.#kind.value || this.#period.value ? "filtered" : this.#category;
    return h(
      "div",
      { class: "card empty" },
      h("h2", {}, t(`empty-${why}`)),
      h("p", { class: "muted" }, t(`empty-${why}-text`)),
      why === "plain" ? h("a", { class: "button primary", href: "#" }, t("play")) : null,
    );
  }

  async #endSessions() {
    const sure = await ask({
      title: t("end-sessions-question"),
      text: t("end-sessions-text"),
      yes: t("end-sessions-yes"),
      no: t("end-sessions-no"),
    });
    if (!sure) return;
    try {
      await this.#api.endSessions();
      tell(this.#said, t("sessions-ended"));
    } catch (error) {
      complain(this.#said, faultText(error));
    }
  }

  async #forget() {
    const sure = await ask({
      title: t("forget-question"),
      text: t("forget-text"),
      yes: t("forget-yes"),
      no: t("keep-it"),
      danger: true,
    });
    if (!sure) return;
    try {
      await this.#api.forget();
      this.#leave();
    } catch (error) {
      complain(this.#said, faultText(error));
    }
  }
}

/** @param {KindNumbers} kind */
function kindKey({ preset, width, height, mine_count }) {
  return preset ?? `${width}x${height}x${mine_count}`;
}

/**
 * The games that were neither won nor lost, so that all that was played is accounted for.
 * @param {Pick<Numbers, "terminated" | "unfinished">} numbers
 * @returns {string}
 */
export function othersText({ terminated, unfinished }) {
  const parts = [terminated ? t("number-given-up", { count: terminated }) : "", unfinished ? t("number-unfinished", { count: unfinished }) : ""];
  return parts.filter(Boolean).join(", ");
}

/** @param {Statistics} told */
function makeNumbers({ total, streak, best_streak: bestStreak, kind_count: kindCount }) {
  const isOne = kindCount === 1;
  const interval = total.low === null ? "" : t("number-between", { low: percentText(total.low), high: percentText(total.high) });
  /** @type {[name: string, value: string | null, hint: string][]} */
  const numbers = [
    [t("number-played"), numberText(total.played), othersText(total)],
    [t("number-won"), numberText(total.won), t("number-lost", { count: total.lost })],
    [t("number-win-rate"), percentText(total.rate), interval],
    [t("number-streak"), numberText(streak), t("number-best-streak", { count: bestStreak })],
    [t("number-best-time"), isOne ? exactTimeText(total.best) : null, ""],
    [t("number-median-time"), isOne ? exactTimeText(total.median) : null, t("number-of-wins")],
    [t("number-speed"), numberText(total.bbbv_per_second, 2), t("number-of-wins")],
    [t("number-efficiency"), percentText(total.efficiency), t("number-of-wins")],
  ];
  const shown = numbers.filter(([, value]) => value !== null);
  const cards = shown.map(([name, value, hint]) => {
    const more = hint ? h("dd", { class: "muted small" }, hint) : null;
    return h("div", { class: "card number" }, h("dt", {}, name), h("dd", { class: "value numbers" }, value), more);
  });
  return h("dl", { class: cards.length === 6 ? "numbers-grid six" : "numbers-grid" }, ...cards);
}

/**
 * A table; where there is no room for its columns, a kind is a card and each number says what it is.
 * @param {KindNumbers[]} kinds
 * @param {number} count
 */
function makeTable(kinds, count) {
  const more = count - kinds.length;
  const head = [t("filter-board"), ...COLUMNS.map(([name]) => name)];
  const makeHead = (/** @type {string} */ name) => h("th", { scope: "col", role: "columnheader" }, name);
  const table = h(
    "table",
    { class: "kinds", role: "table" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ...head.map(makeHead))),
    h("tbody", { role: "rowgroup" }, ...kinds.map(makeRow)),
  );
  return h(
    "section",
    { class: "card", "aria-labelledby": "by-kind" },
    h("h2", { id: "by-kind" }, t("by-kind")),
    h("div", { class: "table-wrap", tabindex: 0, role: "region", "aria-label": t("as-table-of", { title: t("by-kind") }) }, table),
    more > 0 ? h("p", { class: "muted small" }, t("more-kinds", { count: more })) : null,
  );
}

/** @param {KindNumbers} kind */
function makeRow(kind) {
  const about = h("span", { class: "muted small kind-text" }, kindText(kind));
  return h(
    "tr",
    { role: "row" },
    h("th", { scope: "row", role: "rowheader" }, presetName(kind.preset), about),
    ...COLUMNS.map(([name, text]) => h("td", { role: "cell", "data-name": name }, text(kind))),
  );
}

/** @param {KindNumbers} kind */
function kindText(kind) {
  return [sizeText(kind), STARTS[kind.start], kind.no_guess && t("no-guessing")].filter(Boolean).join(", ");
}

function makeExplanations() {
  const explained = EXPLANATIONS.map(([name, text]) =>
    h("div", {}, h("dt", {}, name), h("dd", { class: "muted" }, text)));
  return h(
    "details",
    { class: "explained" },
    h("summary", {}, t("explain-title")),
    h("dl", {}, ...explained),
  );
}
