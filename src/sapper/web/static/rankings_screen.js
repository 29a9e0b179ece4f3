/**
 * Rankings of games that the server has seen: one row a player, which leads to its replay.
 *
 * Knows: boards, measures and periods. Does not know: games themselves.
 */

import { api, faultText } from "./api.js";
import { boardName } from "./best_times.js";
import { complain, h } from "./dom.js";
import { makeFilter } from "./filters.js";
import { exactTimeText, momentText, numberText, percentText } from "./format.js";
import { t } from "./later_words.js";

/** @import { RankingAnswer, RankingRow, Show } from "./types.js" */

const PAGE = 50;
const PRESETS = ["beginner", "intermediate", "expert"];
/** @type {[string, string][]} */
const BOARDS = [...PRESETS, ...PRESETS.map((one) => `${one}-no-guess`)].map((one) => [one, boardName(one)]);
/** @type {[string, string][]} */
const MEASURES = ["time", "speed", "efficiency", "no-flag", "streak", "skill"].map((one) => [one, t(`measure-${one}`)]);
/** @type {[string, string][]} */
const PERIODS = ["day", "week", "season", "ever"].map((one) => [one, t(`period-${one}`)]);

/** @type {Show} */
export const showRankings = (section, value) => {
  const page = new RankingsPage();
  section.replaceChildren(page.element);
  page.choose(new URLSearchParams(value));
  page.ask(0);
  return { close: () => page.close() };
};

class RankingsPage {
  #asked = 0;
  #notice = h("p", { class: "notice", role: "status" });
  #own = h("p", {});
  #about = h("p", { class: "muted" });
  #value = h("th", { scope: "col" }, t("column-value"));
  #rows = h("tbody", {});
  #table = h(
    "div",
    { class: "card table-wrap", hidden: true },
    h(
      "table",
      { class: "kinds played" },
      h("caption", { class: "visually-hidden" }, t("title-rankings")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("column-name")), this.#value, h("th", { scope: "col" }, t("column-when")))),
      this.#rows,
    ),
  );
  #empty = h("p", { class: "card empty muted", hidden: true }, t("no-ranks"));
  #more = h("button", { type: "button", class: "button", hidden: true, onclick: () => this.ask(this.#rows.children.length) }, t("more-places"));
  #board = makeFilter("ranking-board", t("filter-board"), BOARDS, () => this.#changed());
  #measure = makeFilter("ranking-measure", t("filter-measure"), MEASURES, () => this.#changed());
  #period = makeFilter("ranking-period", t("filter-when"), PERIODS, () => this.#changed());

  element = h(
    "div",
    { class: "sheet" },
    h("h1", { tabindex: -1 }, t("title-rankings")),
    h("div", { class: "filters" }, this.#board.field, this.#measure.field, this.#period.field),
    h(
      "p",
      { class: "links" },
      h("a", { href: "/daily" }, t("title-daily")),
      h("a", { href: "/name" }, t("title-name")),
      h("a", { href: "/honesty" }, t("title-honesty")),
    ),
    this.#notice,
    this.#about,
    this.#own,
    this.#table,
    this.#empty,
    h("p", {}, this.#more),
  );

  close() {
    this.#asked += 1;
  }

  get #filters() {
    return Object.entries({ board: this.#board.select, measure: this.#measure.select, period: this.#period.select });
  }

  /** @param {URLSearchParams} wanted */
  choose(wanted) {
    this.#period.select.value = "week";
    for (const [name, select] of this.#filters) {
      const value = wanted.get(name);
      if (value && [...select.options].some((one) => one.value === value)) select.value = value;
    }
    this.#explain();
  }

  /** What a measure means that is no plain number. */
  #explain() {
    const isSkill = this.#measure.select.value === "skill";
    this.#period.field.hidden = isSkill;
    this.#about.textContent = isSkill ? t("skill-about") : "";
    this.#value.textContent = t(isSkill ? "column-lost-below" : "column-value");
  }

  #changed() {
    this.#explain();
    history.replaceState(null, "", `/rankings#${new URLSearchParams(this.#filters.map(([name, { value }]) => [name, value]))}`);
    this.ask(0);
  }

  /** @param {number} offset how many places are shown already */
  async ask(offset) {
    this.#asked += 1;
    const number = this.#asked;
    try {
      const asked = Object.fromEntries(this.#filters.map(([name, { value }]) => [name, value]));
      const found = await api.ranking({ ...asked, offset });
      if (number === this.#asked) this.#show(found, offset);
    } catch (error) {
      if (number === this.#asked) complain(this.#notice, faultText(error));
    }
  }

  /** @param {RankingAnswer} found @param {number} offset */
  #show(found, offset) {
    const measure = this.#measure.select.value;
    const rows = found.rows.map((one) => makeRow(one, measure));
    if (offset) this.#rows.append(...rows);
    else this.#rows.replaceChildren(...rows);
    this.#own.textContent = ownText(found.own, measure);
    this.#notice.textContent = "";
    this.#table.hidden = !this.#rows.children.length;
    this.#empty.hidden = !this.#table.hidden;
    this.#more.hidden = !found.more || this.#rows.children.length % PAGE !== 0;
    if (offset) rows[0]?.querySelector("a")?.focus();
  }
}

/** @param {RankingRow | null} own @param {string} measure */
function ownText(own, measure) {
  if (!own) return "";
  const value = valueText(own, measure);
  return own.rank === null ? t("own-place-far", { value }) : t("own-place", { place: own.rank, value });
}

/** @param {RankingRow} one @param {string} measure */
function valueText({ value }, measure) {
  if (measure === "speed") return numberText(value, 3);
  if (measure === "efficiency" || measure === "skill") return percentText(value, 1);
  return measure === "streak" ? numberText(value) : exactTimeText(value);
}

/** @param {RankingRow} one @param {string} measure */
function makeRow(one, measure) {
  return h(
    "tr",
    { class: one.own ? "own" : null },
    h("th", { scope: "row" }, `${numberText(one.rank)}. `, h("a", { href: `/game/${encodeURIComponent(one.game)}` }, one.name)),
    h("td", { "data-name": t(measure === "skill" ? "column-lost-below" : "column-value") }, valueText(one, measure)),
    h("td", { "data-name": t("column-when") }, momentText(one.ended)),
  );
}
