/**
 * The games that have ended, as a list with filters: each leads to its page.
 *
 * Knows: what can be asked for, how a game is listed. Does not know: games themselves.
 */

import { api, faultText } from "./api.js";
import { h } from "./dom.js";
import { exactTimeText, numberText, percentText } from "./format.js";
import { RESULTS } from "./review_screen.js";
import { CHOICES, kindText, presetName } from "./game_request.js";

/** @import { PlayedGames, PlayedSummary, Show } from "./types.js" */

const DAY = 86_400_000;
const COLUMNS = ["Game", "Result", "Time", "3BV/s", "Efficiency", "When"];
/** @type {[value: string, words: string][]} */
const PRESETS = [["", "All boards"], ...CHOICES.map(({ preset }) => /** @type {[string, string]} */ ([preset, presetName(preset)])), ["custom", "Custom"]];
/** @type {[value: string, words: string][]} */
const HOW = [["", "All results"], ["won", "Won"], ["lost", "Lost"], ["terminated", "Given up"]];
/** @type {[value: string, words: string][]} */
const WHEN = [["", "All time"], ["1", "The last day"], ["7", "The last 7 days"], ["30", "The last 30 days"], ["365", "The last year"]];

/** @type {Show} */
export const showGames = (section, value) => {
  const page = new GamesPage();
  section.replaceChildren(page.element);
  page.choose(new URLSearchParams(value));
  page.ask(false);
  return { close: () => page.close() };
};

/** A list to choose from, with its label. @param {string} id @param {string} words @param {[string, string][]} choices @param {() => void} change */
function makeFilter(id, words, choices, change) {
  const select = h("select", { id, onchange: change }, ...choices.map(([value, name]) => h("option", { value }, name)));
  return { select, field: h("div", { class: "field" }, h("label", { for: id }, words), select) };
}

class GamesPage {
  constructor() {
    this.#table = h(
      "div",
      { class: "card table-wrap", hidden: true },
      h(
        "table",
        { class: "kinds played" },
        h("caption", { class: "visually-hidden" }, "Games that have ended, the last first"),
        h("thead", {}, h("tr", {}, ...COLUMNS.map((name) => h("th", { scope: "col" }, name)))),
        this.#list,
      ),
    );
    this.element = h(
      "div",
      { class: "sheet" },
      h("h1", { tabindex: -1 }, "Games"),
      h("div", { class: "filters" }, this.#preset.field, this.#result.field, this.#period.field),
      h(
        "p",
        { class: "links" },
        h("a", { href: "/practice" }, "Positions I got wrong"),
        h("a", { href: "/recording" }, "Review a recording"),
        h("a", { href: "/#statistics" }, "Best times"),
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
  #empty = h("p", { class: "card empty muted", hidden: true }, "No such games.");
  #more = h("button", { type: "button", class: "button", hidden: true, onclick: () => this.ask(true) }, "More games");
  #preset = makeFilter("games-preset", "Board", PRESETS, () => this.#changed());
  #result = makeFilter("games-result", "Result", HOW, () => this.#changed());
  #period = makeFilter("games-period", "When", WHEN, () => this.#changed());

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
  const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "short", timeStyle: "short" }).format(game.ended);
  const words = kindText(game);
  const name = game.has_moves ? h("a", { href: `/game/${encodeURIComponent(game.game)}`, "aria-label": `${words}, ${when}` }, words) : words;
  const result = `${RESULTS[game.status] ?? game.status}${game.assisted ? ", assisted" : ""}`;
  /** @type {[name: string, text: string][]} */
  const cells = [["Result", result], ["Time", exactTimeText(time)], ["3BV/s", speed], ["Efficiency", efficiency], ["When", when]];
  return h("tr", {}, h("th", { scope: "row" }, name), ...cells.map(([head, text]) => h("td", { "data-name": head }, text)));
}
