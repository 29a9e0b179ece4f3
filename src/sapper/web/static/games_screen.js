/**
 * The games that have ended, as a list with filters: each leads to its page.
 *
 * Knows: what can be asked for, how a game is listed. Does not know: games themselves.
 */

import { api, faultText } from "./api.js";
import { h } from "./dom.js";
import { makeFilter } from "./filters.js";
import { exactTimeText, numberText, percentText } from "./format.js";
import { CHOICES, kindText, presetName } from "./game_request.js";
import { dateOf, t } from "./later_words.js";

/** @import { PlayedGames, PlayedSummary, Show } from "./types.js" */

const DAY = 86_400_000;
const COLUMNS = ["game", "result", "time", "speed", "efficiency", "when"];
/** @type {[value: string, words: string][]} */
const PRESETS = [["", t("all-boards")], ...CHOICES.map(({ preset }) => /** @type {[string, string]} */ ([preset, presetName(preset)])), ["custom", presetName(null)]];
/** @type {[value: string, words: string][]} */
const HOW = [["", t("all-results")], ...["won", "lost", "terminated"].map((one) => /** @type {[string, string]} */ ([one, t(`result-${one}`)]))];
/** @type {[value: string, words: string][]} */
const WHEN = [["", t("all-time")], ["1", t("last-day")], ["7", t("last-week")], ["30", t("last-month")], ["365", t("last-year")]];

/** @type {Show} */
export const showGames = (section, value) => {
  const page = new GamesPage();
  section.replaceChildren(page.element);
  page.choose(new URLSearchParams(value));
  page.ask(false);
  return { close: () => page.close() };
};

class GamesPage {
  constructor() {
    this.#table = h(
      "div",
      { class: "card table-wrap", hidden: true },
      h(
        "table",
        { class: "kinds played" },
        h("caption", { class: "visually-hidden" }, t("games-caption")),
        h("thead", {}, h("tr", {}, ...COLUMNS.map((name) => h("th", { scope: "col" }, t(`column-${name}`))))),
        this.#list,
      ),
    );
    this.element = h(
      "div",
      { class: "sheet" },
      h("h1", { tabindex: -1 }, t("title-games")),
      h("div", { class: "filters" }, this.#preset.field, this.#result.field, this.#period.field),
      h(
        "p",
        { class: "links" },
        h("a", { href: "/practice" }, t("practice-title")),
        h("a", { href: "/recording" }, t("review-recording")),
        h("a", { href: "/#statistics" }, t("best-times")),
      ),
      this.#said,
      this.#table,
      this.#empty,
      h("p", {}, this.#more),
    );
  }

  #asked = 0;
  /** @type {string | null} */
  #after = null;
  #said = h("p", { class: "notice", role: "status" });
  #list = h("tbody", {});
  #table;
  #empty = h("p", { class: "card empty muted", hidden: true }, t("no-such-games"));
  #more = h("button", { type: "button", class: "button", hidden: true, onclick: () => this.ask(true) }, t("more-games"));
  #preset = makeFilter("games-preset", t("filter-board"), PRESETS, () => this.#changed());
  #result = makeFilter("games-result", t("filter-result"), HOW, () => this.#changed());
  #period = makeFilter("games-period", t("filter-when"), WHEN, () => this.#changed());

  close() {
    this.#asked += 1;
  }

  /** The filters by their names in the address. */
  get #filters() {
    return Object.entries({ board: this.#preset.select, result: this.#result.select, days: this.#period.select });
  }

  /** Take the filters that an address has, whoever comes back to it. @param {URLSearchParams} wanted */
  choose(wanted) {
    for (const [name, select] of this.#filters) {
      select.value = wanted.get(name) ?? "";
      if (select.selectedIndex < 0) select.value = "";
    }
  }

  #changed() {
    const chosen = this.#filters.filter(([, { value }]) => value).map(([name, { value }]) => [name, value]);
    history.replaceState(null, "", `/games${chosen.length ? "#" : ""}${new URLSearchParams(chosen)}`);
    this.ask(false);
  }

  /** @param {boolean} isMore whether those behind the last one are asked for */
  async ask(isMore) {
    this.#asked += 1;
    const number = this.#asked;
    const days = Number(this.#period.select.value);
    try {
      const found = await api.playedGames({
        preset: this.#preset.select.value,
        result: this.#result.select.value,
        since: days ? Math.floor(Date.now() - days * DAY) : null,
        after: isMore ? this.#after : null,
      });
      if (number === this.#asked) this.#show(found, isMore);
    } catch (error) {
      if (number === this.#asked) this.#said.textContent = faultText(error);
    }
  }

  /** @param {PlayedGames} found @param {boolean} isMore */
  #show(found, isMore) {
    const rows = found.games.map(makeRow);
    if (isMore) this.#list.append(...rows);
    else this.#list.replaceChildren(...rows);
    this.#after = found.games.at(-1)?.game ?? this.#after;
    this.#more.hidden = !found.more;
    this.#said.textContent = "";
    this.#table.hidden = !this.#list.children.length;
    this.#empty.hidden = Boolean(this.#list.children.length);
    if (isMore) rows[0]?.querySelector("a")?.focus();
  }
}

/** @param {PlayedSummary} game */
function makeRow(game) {
  const { time, solved_bbbv: solved, clicks } = game;
  const speed = time && time >= 1000 && solved !== null ? numberText((1000 * solved) / time, 2) : "–";
  const efficiency = clicks && solved !== null ? percentText(solved / clicks) : "–";
  const when = dateOf(game.ended, { dateStyle: "short", timeStyle: "short" });
  const words = kindText(game);
  const name = game.has_moves ? h("a", { href: `/game/${encodeURIComponent(game.game)}`, "aria-label": `${words}, ${when}` }, words) : words;
  const how = t(`result-${game.status}`);
  const result = game.assisted ? t("result-assisted", { result: how }) : how;
  /** @type {[name: string, text: string][]} */
  const cells = [["result", result], ["time", exactTimeText(time)], ["speed", speed], ["efficiency", efficiency], ["when", when]];
  return h("tr", {}, h("th", { scope: "row" }, name), ...cells.map(([head, text]) => h("td", { "data-name": t(`column-${head}`) }, text)));
}
