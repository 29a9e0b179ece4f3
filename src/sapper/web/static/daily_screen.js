/**
 * Today's boards, the player's calendar, and the table of any day with its layout and proof once it is over.
 *
 * Knows: what the server says of days and attempts. Does not know: games themselves.
 */

import { api, faultText } from "./api.js";
import { stillCounts } from "./attempt.js";
import { complain, h, tell } from "./dom.js";
import { exactTimeText, percentText } from "./format.js";
import { presetName, sizeText } from "./game_request.js";
import { makeFilter } from "./filters.js";
import { dateOf, t } from "./later_words.js";

/** @import { AttemptData, DailyAnswer, DailySize, DailyTable, Show } from "./types.js" */

const DAY = 86_400_000;
const WEEKS = 6;
/** @type {[value: string, words: string][]} */
const SIZES = ["beginner", "intermediate", "expert"].map((size) => [size, presetName(size)]);

/** @param {string} day @returns {number} when it begins */
const begin = (day) => Date.parse(`${day}T00:00:00Z`);
/** @param {number} ms @returns {string} the day, as the server names it */
const nameOf = (ms) => new Date(ms).toISOString().slice(0, 10);
/** @param {string} day @returns {string} */
const dayText = (day) => dateOf(begin(day), { dateStyle: "long", timeZone: "UTC" });

/** @type {Show} */
export const showDaily = (section, value) => {
  const page = new DailyPage();
  section.replaceChildren(page.element);
  page.open(new URLSearchParams(value));
  return { close: () => page.close() };
};

class DailyPage {
  #isClosed = false;
  #asked = 0;
  #today = "";
  #day = "";
  #notice = h("p", { class: "notice", role: "status" });
  #boards = h("div", { class: "cards" });
  #about = h("p", { class: "muted" });
  #calendar = h("div", { class: "card table-wrap" });
  #title = h("h2", { id: "daily-table" });
  #table = h("div", {});
  #size = makeFilter("daily-size", t("filter-board"), SIZES, () => this.#showDay());
  #before = h("button", { type: "button", class: "button", onclick: () => this.#go(-1) }, t("day-before"));
  #after = h("button", { type: "button", class: "button", onclick: () => this.#go(1) }, t("day-after"));

  #parts = [
    this.#boards,
    this.#about,
    h(
      "p",
      { class: "links" },
      h("a", { href: "/rankings" }, t("title-rankings")),
      h("a", { href: "/name" }, t("title-name")),
      h("a", { href: "/honesty" }, t("title-honesty")),
    ),
    h("h2", { id: "daily-calendar" }, t("calendar")),
    this.#calendar,
    this.#title,
    h("div", { class: "filters" }, this.#size.field, this.#before, this.#after),
    this.#table,
  ];

  element = h(
    "div",
    { class: "sheet" },
    h("h1", { tabindex: -1 }, t("title-daily")),
    h("p", {}, t("daily-rules")),
    this.#notice,
  );

  close() {
    this.#isClosed = true;
  }

  /** @param {URLSearchParams} wanted */
  async open(wanted) {
    try {
      const found = await api.daily();
      if (this.#isClosed) return;
      this.#today = found.day;
      const day = wanted.get("day") ?? "";
      this.#day = /^\d{4}-\d\d-\d\d$/.test(day) && begin(day) <= begin(found.day) ? day : found.day;
      const isVoid = await Promise.all(found.sizes.map(isVoidAlready));
      if (this.#isClosed) return;
      this.#boards.replaceChildren(...found.sizes.map((one, at) => this.#card(one, found, isVoid[at])));
      this.#about.textContent = [
        t("daily-left", { hours: Math.floor(found.left / 3_600_000), minutes: Math.floor((found.left % 3_600_000) / 60_000) }),
        found.streak ? t("daily-streak", { days: found.streak }) : "",
      ].join(" ");
      this.#calendar.replaceChildren(makeCalendar(found));
      this.element.append(...this.#parts); // not before they are filled: what is below them would jump
      await this.#showDay();
    } catch (error) {
      complain(this.#notice, faultText(error));
    }
  }

  /** @param {DailySize} one @param {DailyAnswer} answer @param {boolean} isVoid whether its attempt goes on and does not count */
  #card(one, answer, isVoid) {
    const { own } = one;
    const play = h("button", { type: "button", class: "button primary", onclick: () => this.#play(one.size) }, t(own ? "daily-go-on" : "daily-play"));
    const share = h("button", { type: "button", class: "button", onclick: () => this.#share(one, answer) }, t("daily-share"));
    return h(
      "section",
      { class: "card", "aria-label": presetName(one.size) },
      h("h2", {}, presetName(one.size)),
      h("p", { class: "muted" }, `${sizeText(one)} · ${t(`difficulty-${one.difficulty}`)}`),
      h("p", {}, isVoid ? t("daily-void") : own ? resultText(one) : t("daily-counts", { attempts: one.attempts, won: one.won })),
      !own || own.state === "open" ? play : share,
    );
  }

  /** @param {string} size */
  async #play(size) {
    try {
      const { game } = await api.beginDaily(size);
      location.assign(`/#game=${encodeURIComponent(game)}`);
    } catch (error) {
      complain(this.#notice, faultText(error));
    }
  }

  /** A line that tells nothing of the board. @param {DailySize} one @param {DailyAnswer} answer */
  async #share(one, answer) {
    const place = one.standing?.place ? t("place-of", { place: one.standing.place }) : "";
    const streak = answer.streak > 1 ? t("daily-streak", { days: answer.streak }) : "";
    const line = [`sapper ${answer.day}`, presetName(one.size), sharedResult(one), place, streak];
    const text = line.filter(Boolean).join(" · ");
    try {
      await navigator.clipboard.writeText(text);
      tell(this.#notice, t("daily-copied", { text }));
    } catch {
      tell(this.#notice, text);
    }
  }

  /** @param {number} days */
  #go(days) {
    this.#day = nameOf(begin(this.#day) + days * DAY);
    history.replaceState(null, "", this.#day === this.#today ? "/daily" : `/daily#day=${this.#day}`);
    this.#showDay();
  }

  async #showDay() {
    this.#asked += 1;
    const number = this.#asked;
    this.#title.textContent = t("daily-table", { day: dayText(this.#day) });
    this.#after.disabled = this.#day >= this.#today;
    try {
      const found = await api.dailyBoard(this.#day, this.#size.select.value);
      if (number === this.#asked) this.#table.replaceChildren(...makeTable(found));
    } catch (error) {
      if (number === this.#asked) this.#table.replaceChildren(h("p", { class: "muted" }, faultText(error) && t("daily-none")));
    }
  }
}

/** Whether an attempt goes on, but does not count any more: the days' record says so at its end only. @param {DailySize} one */
async function isVoidAlready({ own }) {
  if (own?.state !== "open") return false;
  return api.game(own.game).then((state) => !stillCounts(state), () => false);
}

/** The result in the line to share. @param {DailySize} one */
function sharedResult({ own }) {
  if (own?.state === "void") return t("daily-not-counted");
  return own?.won ? exactTimeText(own.time) : t("result-lost");
}

/** What came of one's own attempt. @param {DailySize} one */
function resultText({ own, standing }) {
  if (!own) return "";
  if (own.state === "open") return t("daily-open");
  if (own.state === "void") return t("daily-void");
  const result = own.won ? exactTimeText(own.time) : t("result-lost");
  if (own.state === "held") return `${result}. ${t("daily-held")}`;
  const parts = [result];
  if (standing?.place) parts.push(t("place-of", { place: standing.place }));
  if (standing?.percentile !== null && standing?.percentile !== undefined) parts.push(t("better-than", { share: percentText(standing.percentile / 100) }));
  return parts.join(" · ");
}

/** The last weeks, a row each. @param {DailyAnswer} answer */
function makeCalendar({ day, calendar }) {
  const today = begin(day);
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY;
  const weeks = Array.from({ length: WEEKS }, (_, week) => monday - (WEEKS - 1 - week) * 7 * DAY);
  const names = Array.from({ length: 7 }, (_, at) => dateOf(monday + at * DAY, { weekday: "short", timeZone: "UTC" }));
  return h(
    "table",
    { class: "calendar" },
    h("caption", { class: "visually-hidden" }, t("calendar-caption")),
    h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, name)))),
    h(
      "tbody",
      {},
      ...weeks.map((week) => h("tr", {}, ...names.map((_, at) => makeDay(week + at * DAY, today, calendar)))),
    ),
  );
}

/** @param {number} ms @param {number} today @param {AttemptData[]} calendar */
function makeDay(ms, today, calendar) {
  const number = dateOf(ms, { day: "numeric", timeZone: "UTC" });
  if (ms > today) return h("td", { class: "muted" }, number);
  const day = nameOf(ms);
  const own = calendar.filter((one) => one.day === day);
  const won = own.filter((one) => one.won && one.state === "counted").length;
  const said = own.length ? t("calendar-day", { day: dayText(day), attempts: own.length, won }) : dayText(day);
  const link = h("a", { href: `/daily#day=${day}`, "aria-label": said }, number, own.length ? h("span", { "aria-hidden": "true" }, won ? "★".repeat(won) : "☆") : null);
  return h("td", { class: won ? "won" : "", "aria-current": ms === today ? "date" : null }, link);
}

/** @param {DailyTable} found */
function makeTable(found) {
  const row = (/** @type {DailyTable["rows"][number]} */ one, /** @type {number} */ at) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, `${at + 1}. `, one.game ? h("a", { href: `/game/${encodeURIComponent(one.game)}` }, one.name) : one.name),
      h("td", { "data-name": t("column-time") }, exactTimeText(one.time)),
    );
  const heads = ["column-name", "column-time"].map((name) => h("th", { scope: "col" }, t(name)));
  const table = h("table", { class: "kinds" }, h("caption", { class: "visually-hidden" }, t("title-daily")), h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...found.rows.map(row)));
  const when = dateOf(found.published, { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" });
  return [
    h("p", {}, t("daily-counts", { attempts: found.attempts, won: found.won })),
    found.rows.length ? h("div", { class: "card table-wrap" }, table) : h("p", { class: "card empty muted" }, t("no-places")),
    found.code && found.proof ? makePublished(found) : h("p", { class: "muted" }, t("daily-published", { when })),
  ];
}

/** @param {DailyTable} found */
function makePublished(found) {
  const proof = URL.createObjectURL(new Blob([JSON.stringify(found.proof, null, 1)], { type: "application/json" }));
  return h(
    "p",
    { class: "links" },
    h("a", { href: `/#code=${encodeURIComponent(found.code ?? "")}` }, t("daily-play-again")),
    h("a", { href: proof, download: `${found.day}-${found.size}.json` }, t("daily-proof")),
  );
}
