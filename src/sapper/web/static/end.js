/**
 * How a game ended: Victory or Game Over, below the board that stays to be looked at.
 *
 * Knows: the words for an end, its measures and its marks; what can be done next.
 * Does not know: the game, other screens.
 */

import { api } from "./api.js";
import { h } from "./dom.js";
import { NOTHING, exactTimeText, keyName, numberText, percentText, riskText } from "./format.js";
import { savingWords } from "./speech.js";
import { assistanceText } from "./assistance.js";
import { ordinal, t } from "./words.js";

/** @import { End, Keys, Kind, Now, Review, Status } from "./types.js" */

/** Clicks meant for the board must not land on a button that has just appeared under them. */
const CALM = 400;

/** Milliseconds below which a speed says nothing. */
const LEAST_TIME = 1000;

/**
 * @param {HTMLElement} place
 * @param {End} end
 * @param {{state: Kind & Now, keys: Keys, delay: number | null, isSudden: boolean, onAgain: () => void, onSame: () => void,
 *   onShare: (board: {code: string, seed: string | null}) => void, onLeave: () => void}} context `keys`: those of each action; `delay`: of the network, in milliseconds; `isSudden`: it ended just now, under the player's hands
 */
export function showEnd(place, end, { state, keys, delay, isSudden, onAgain, onSame, onShare, onLeave }) {
  const isWon = end.status === "won";
  const { code, seed } = end;
  const shown = performance.now();
  /** @param {() => void} act */
  const calmly = (act) => (/** @type {Event} */ event) => {
    if (!isSudden || event.timeStamp - shown > CALM) act();
  };
  /** @param {string} look @param {() => void} act @param {...(string | Node | null)} words */
  const button = (look, act, ...words) => h("button", { type: "button", class: look, onclick: calmly(act) }, ...words);
  const banner = h(
    "div",
    {
      class: `end ${isWon ? "won" : "lost"}`,
      role: "group",
      "aria-labelledby": "end-title",
      "data-status": end.status,
    },
    h(
      "div",
      { class: "end-head" },
      h("span", { class: "end-mark", "aria-hidden": "true" }, isWon ? "✓" : "✕"),
      h("h2", { id: "end-title" }, t(isWon ? "victory" : "game-over")),
    ),
    makeMeasures(end, state, isWon, delay),
    h(
      "div",
      { class: "end-actions" },
      button("button primary", onAgain, `${t("play-again")} `, keyCap(keys.new)),
      button("button", onSame, `${t("same-board")} `, keyCap(keys.same)),
      end.clicks ? h("a", { class: "button", href: reviewLink(state) }, t("review")) : null,
      code === null ? null : button("button", () => onShare({ code, seed }), t("share")),
      button("button quiet", onLeave, t("menu")),
    ),
    makeNotes(end, state, isWon),
  );
  place.replaceChildren(banner);
  const stage = /** @type {HTMLElement | null | undefined} */ (place.parentElement?.querySelector(".stage"));
  new ResizeObserver(() => stage?.style.setProperty("--end", `${place.offsetHeight}px`)).observe(banner);
  if (isWon && !end.best && !assistanceText(state.assistance) && !isPaused(state)) showRank(banner, state);
}

/** @param {Now} state */
function isPaused({ assistance }) {
  return Boolean(assistance.pauses || assistance.auto_pauses);
}

/** Says which of one's wins of this kind it is by its time. @param {HTMLElement} banner @param {Kind & Now} state */
async function showRank(banner, { preset, width, height, mine_count: mines, time }) {
  try {
    const { wins } = await api.statistics({ category: "plain", preset, kind: preset ? null : `${width}x${height}x${mines}` });
    const rank = 1 + wins.filter(([, other]) => other < time).length;
    if (wins.length < 2 || !banner.isConnected) return;
    const nth = ordinal(rank);
    banner.querySelector(".notes")?.append(h("li", {}, t("nth-best", { nth, count: wins.length })));
  } catch {
    // It is no more than an ornament.
  }
}

/** @param {Kind & Now} state @returns {string} where the game that ended so is looked through: each restart of a board is another */
function reviewLink({ game, assistance }) {
  return `/game/${encodeURIComponent(`${game}.${assistance.restarts}`)}`;
}

/** @param {readonly string[]} keys the first of them is shown */
function keyCap([key]) {
  return key ? h("kbd", {}, keyName(key)) : null;
}

/** @param {End} end @param {Now} state @param {boolean} isWon @param {number | null} delay */
function makeMeasures(end, state, isWon, delay) {
  const solved = end.bbbv === null ? NOTHING : t("end-of", { part: numberText(end.solved_bbbv), whole: numberText(end.bbbv) });
  // The server's time is never corrected by it.
  const network = delay === null ? null : h("small", { class: "muted", title: t("end-network-hint") }, t("end-network", { number: numberText(delay) }));
  /** @type {[name: string, value: string, hint: string, beside?: Node | null][]} */
  const measures = [
    [t("end-time"), exactTimeText(state.time), "", network],
    isWon
      ? [t("end-3bv"), numberText(end.bbbv), t("end-3bv-hint")]
      : [t("end-3bv-solved"), solved, t("end-3bv-solved-hint")],
    [t("end-speed"), numberText(state.time < LEAST_TIME ? null : end.bbbv_per_second, 2), ""],
    [t("end-efficiency"), percentText(end.efficiency), t("count-clicks", { count: end.clicks ?? 0 })],
  ];
  const entries = measures.map(([name, value, hint, beside]) =>
    h("div", { title: hint || null }, h("dt", {}, name), h("dd", { class: "numbers" }, value, beside ?? null)));
  return h("dl", { class: "measures" }, ...entries);
}

/** @param {End} end @param {Now} state @param {boolean} isWon */
function makeNotes(end, state, isWon) {
  /** @type {HTMLElement[]} */
  const notes = [];
  if (isWon && end.best) notes.push(h("li", { class: "best" }, t("best-time-yet")));
  const how = assistanceText(state.assistance);
  if (how) notes.push(h("li", {}, t("assisted-apart", { how })));
  else if (isWon && isPaused(state)) notes.push(h("li", {}, t("paused-win")));
  const first = end.status === "terminated" ? t("you-gave-up") : "";
  return h(
    "ul",
    { class: "notes" },
    h("li", { "data-saving": true, hidden: true }),
    h("li", { "data-review": true, hidden: !first }, first),
    ...notes,
  );
}

/** What there was to do when a game was given up. @param {Review} review @returns {string} */
function givenUpText({ safe, forced }) {
  if (safe.length) return t("you-gave-up-safe", { count: safe.length });
  return t(forced ? "you-gave-up-guess" : "you-gave-up");
}

/**
 * What is said about the last move of a game that was not won; empty where there is nothing to say.
 * @param {Review} review
 * @param {Status} status how the game ended
 * @returns {string}
 */
export function reviewText(review, status) {
  if (status === "terminated") return givenUpText(review);
  const { safe, risk, least, forced } = review;
  if (risk === null || risk === undefined) return "";
  const taken = riskText(risk);
  const last = risk > 0.9995 ? t("last-certain-mine") : t("last-risk", { risk: taken });
  if (forced === false) return t(safe.length ? "needless-guess-where" : "needless-guess", { count: safe.length, last });
  if (least === null || least === undefined || risk - least < 0.005) {
    return t("forced-bad-luck", { risk: taken });
  }
  return t("forced-not-best", { last, best: riskText(least) });
}

/** Says what came out about the last move. @param {HTMLElement} place @param {Review} review */
export function showReview(place, review) {
  const banner = /** @type {HTMLElement | null} */ (place.querySelector(".end.lost"));
  const line = /** @type {HTMLElement | null | undefined} */ (banner?.querySelector("[data-review]"));
  if (!banner || !line) return;
  line.textContent = reviewText(review, /** @type {Status} */ (banner.dataset.status));
  line.hidden = !line.textContent;
}

/**
 * Says that the result is not saved yet, or that it is after all; nothing where it never was in doubt.
 * @param {HTMLElement} place
 * @param {boolean} isSaved
 */
export function showSaving(place, isSaved) {
  const line = /** @type {HTMLElement | null} */ (place.querySelector(".end [data-saving]"));
  if (!line || (isSaved && line.hidden)) return;
  line.textContent = savingWords(isSaved);
  line.hidden = false;
}
