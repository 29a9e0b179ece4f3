/**
 * The statistics of a player: filters, numbers, kinds of boards, plots, and how to be forgotten.
 *
 * Knows: what can be asked of the server and how answers are laid out. Does not know: how plots are drawn.
 */

import { faultText } from "./api.js";
import { luckPlot, makeBestTimes } from "./best_times.js";
import { ask } from "./dialog.js";
import { complain, h } from "./dom.js";
import { choiceField } from "./fields.js";
import { exactTimeText, numberText, percentText } from "./format.js";
import { calibrationPlot, ratePlot, timesPlot, winsPlot } from "./plots.js";
import { presetName, sizeText } from "./game_request.js";

/** @import { Api, KindNumbers, Numbers, Statistics } from "./types.js" */

const DAY = 86_400_000;
/** @type {[days: string, words: string][]} */
const PERIODS = [["", "All time"], ["365", "The last year"], ["30", "The last 30 days"], ["7", "The last 7 days"]];
/** @type {[name: string, words: string][]} */
const CATEGORIES = [["plain", "Unaided"], ["assisted", "Assisted"]];
const STARTS = { any: "any first cell", safe: "safe first cell", open: "" };
const FROM_ALL = "Times of different boards cannot be compared: choose one board above to see its times.";
const KEPT = "Your games are kept on this server under a random name in a cookie, and nowhere else.";
/**
 * The table's columns but the first: what each is called, and its text for a kind of board.
 * @type {[name: string, text: (kind: KindNumbers) => string][]}
 */
const COLUMNS = [
  ["Played", (kind) => String(kind.played)],
  ["Won", (kind) => String(kind.won)],
  ["Rate", (kind) => percentText(kind.rate)],
  ["Best", (kind) => exactTimeText(kind.best)],
  ["Median", (kind) => exactTimeText(kind.median)],
  ["3BV/s", (kind) => numberText(kind.bbbv_per_second, 2)],
  ["Efficiency", (kind) => percentText(kind.efficiency)],
];
/** @type {[name: string, text: string][]} */
const EXPLANATIONS = [
  [
    "Played",
    "Every game with a first move, given up and running ones too. The home page counts unaided and assisted games together.",
  ],
  [
    "Assisted",
    "Games with hints, moves taken back, chances shown, or on a board that was seen before. They set no records.",
  ],
  [
    "Win rate",
    "The share of games won. Below it, where the true rate lies with 95 % certainty, luck taken into account.",
  ],
  ["3BV", "The least clicks that reveal a board without flags: a measure of its size."],
  ["3BV/s", "3BV by seconds: how fast a game was, whatever the board."],
  ["Efficiency", "3BV by clicks: 100 % is a click for each; flags that save clicks can lead above it."],
  ["Median time", "Half of your wins were quicker, half slower."],
];
/** @type {Record<string, [title: string, text: string]>} */
const NO_GAMES = {
  filtered: ["No such games", "Choose another board or a longer period."],
  assisted: [
    "No assisted games",
    "Games with hints, moves taken back, chances shown or boards seen before count here, apart from your records.",
  ],
  plain: [
    "Nothing yet",
    "Play a game: here will be how often you win, your best and usual times, your streaks, and how lucky you were.",
  ],
};

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
  #kind = h("select", { id: "statistics-kind", onchange: () => this.ask() }, h("option", { value: "" }, "All boards"));
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
    const category = choiceField("Games", "category", CATEGORIES, this.#category, (value) => {
      this.#category = value;
      this.ask();
    });
    this.element = h(
      "div",
      { class: "sheet statistics" },
      h("h1", { tabindex: -1 }, "Statistics"),
      h(
        "div",
        { class: "filters" },
        h("div", { class: "field" }, h("label", { for: "statistics-kind" }, "Board"), this.#kind),
        h("div", { class: "field" }, h("label", { for: "statistics-period" }, "Period"), this.#period),
        category,
      ),
      h("p", {}, h("a", { href: "/games" }, "All finished games")),
      this.#said,
      this.#answer,
      makeExplanations(),
      h(
        "div",
        { class: "forget" },
        h("p", { class: "muted small" }, KEPT),
        h("button", { type: "button", class: "button", onclick: () => this.#endSessions() }, "End my sessions elsewhere"),
        h("button", { type: "button", class: "button", onclick: () => this.#forget() }, "Forget everything about me"),
      ),
    );
  }

  close() {
    this.#asked += 1;
  }

  /** Asks with the filters as they are; only the latest answer is shown. */
  async ask() {
    this.#asked += 1;
    const number = this.#asked;
    this.#answer.setAttribute("aria-busy", "true");
    let told;
    try {
      told = await this.#api.statistics(this.#filter());
    } catch (error) {
      if (number === this.#asked) this.#said.textContent = faultText(error);
      return;
    } finally {
      if (number === this.#asked) this.#answer.removeAttribute("aria-busy");
    }
    if (number !== this.#asked) return;
    this.#said.textContent = "";
    this.#learnKinds(told.kinds);
    this.#show(told);
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
      h(
        "div",
        { class: "plots" },
        ratePlot(told.over_time),
        ...(isOneKind ? [winsPlot(told.wins), timesPlot(told.times)] : []),
        calibrationPlot(told.calibration),
        luckPlot(told.luck),
      ),
      isOneKind ? "" : h("p", { class: "notice calm" }, FROM_ALL),
    );
  }

  #makeEmpty() {
    const why = this.#kind.value || this.#period.value ? "filtered" : this.#category;
    const [title, text] = NO_GAMES[why];
    return h(
      "div",
      { class: "card empty" },
      h("h2", {}, title),
      h("p", { class: "muted" }, text),
      why === "plain" ? h("a", { class: "button primary", href: "#" }, "Play") : null,
    );
  }

  async #endSessions() {
    const sure = await ask({
      title: "End your sessions elsewhere?",
      text: "Whoever plays as you in another browser, or with a copy of your cookie, no longer does. This browser goes on.",
      yes: "End them",
      no: "Leave them",
    });
    if (!sure) return;
    try {
      await this.#api.endSessions();
      this.#said.textContent = "Your sessions elsewhere have ended.";
    } catch (error) {
      this.#said.textContent = faultText(error);
    }
    this.#said.scrollIntoView({ block: "nearest" });
  }

  async #forget() {
    const sure = await ask({
      title: "Forget everything about you?",
      text: "All your games and statistics on this server are deleted, unfinished games too. This cannot be undone.",
      yes: "Forget everything",
      no: "Keep it", danger: true,
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
  const parts = [terminated ? `${terminated} given up` : "", unfinished ? `${unfinished} not finished` : ""];
  return parts.filter(Boolean).join(", ");
}

/** @param {Statistics} told */
function makeNumbers({ total, streak, best_streak: bestStreak, kind_count: kindCount }) {
  const isOne = kindCount === 1;
  const interval = total.low === null ? "" : `between ${numberText(100 * total.low)} and ${percentText(total.high)}`;
  /** @type {[name: string, value: string | null, hint: string][]} */
  const numbers = [
    ["Played", String(total.played), othersText(total)],
    ["Won", String(total.won), `${total.lost} lost`],
    ["Win rate", percentText(total.rate), interval],
    ["Wins in a row", String(streak), `best: ${bestStreak}`],
    ["Best time", isOne ? exactTimeText(total.best) : null, ""],
    ["Median time", isOne ? exactTimeText(total.median) : null, "of wins"],
    ["3BV/s", numberText(total.bbbv_per_second, 2), "of wins"],
    ["Efficiency", percentText(total.efficiency), "of wins"],
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
  const head = ["Board", ...COLUMNS.map(([name]) => name)];
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
    h("h2", { id: "by-kind" }, "Board by board"),
    h("div", { class: "table-wrap", tabindex: 0, role: "region", "aria-label": "Board by board, as a table" }, table),
    more > 0 ? h("p", { class: "muted small" }, `and ${more} more kinds, played less`) : null,
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
  return [sizeText(kind), STARTS[kind.start], kind.no_guess && "no guessing"].filter(Boolean).join(", ");
}

function makeExplanations() {
  const explained = EXPLANATIONS.map(([name, text]) =>
    h("div", {}, h("dt", {}, name), h("dd", { class: "muted" }, text)));
  return h(
    "details",
    { class: "explained" },
    h("summary", {}, "What the numbers mean"),
    h("dl", {}, ...explained),
  );
}
