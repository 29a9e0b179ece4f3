/**
 * How a game ended: Victory or Game Over, below the board that stays to be looked at.
 *
 * Knows: the words for an end, its measures and its marks; what can be done next.
 * Does not know: the game, other screens.
 */

import { h } from "./dom.js";
import { NOTHING, exactTimeText, numberText, percentText, riskText } from "./format.js";
import { keyName } from "./key_fields.js";
import { openShare } from "./share.js";
import { savingWords } from "./speech.js";
import { counted } from "./game_request.js";

/** @import { End, Keys, Kind, Assistance, Now, Review, Status } from "./types.js" */

/** Clicks meant for the board must not land on a button that has just appeared under them. */
const CALM = 400;

/** Milliseconds below which a speed says nothing. */
const LEAST_TIME = 1000;

const GIVEN_UP = "You gave this game up.";

/**
 * @param {HTMLElement} place
 * @param {End} end
 * @param {{state: Kind & Now, keys: Keys, isSudden: boolean, onAgain: () => void, onSame: () => void,
 *   onLeave: () => void}} context `keys`: those of each action; `isSudden`: it ended just now, under the player's hands
 */
export function showEnd(place, end, { state, keys, isSudden, onAgain, onSame, onLeave }) {
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
      h("h2", { id: "end-title" }, isWon ? "Victory" : "Game Over"),
    ),
    makeMeasures(end, state, isWon),
    h(
      "div",
      { class: "end-actions" },
      button("button primary", onAgain, "Play again ", keyCap(keys.new)),
      button("button", onSame, "Same board ", keyCap(keys.same)),
      end.clicks ? h("a", { class: "button", href: reviewLink(state) }, h("span", {}, "Review", h("span", { class: "wide" }, " this game"))) : null,
      code === null ? null : button("button", () => openShare({ code, seed }), "Share"),
      button("button quiet", onLeave, "Menu"),
    ),
    makeNotes(end, state, isWon),
  );
  place.replaceChildren(banner);
}

/** @param {Kind & Now} state @returns {string} where the game that ended so is looked through: each restart of a board is another */
function reviewLink({ game, assistance }) {
  return `/game/${encodeURIComponent(`${game}.${assistance.restarts}`)}`;
}

/** @param {readonly string[]} keys the first of them is shown */
function keyCap([key]) {
  return key ? h("kbd", {}, keyName(key)) : null;
}

/** @param {End} end @param {Now} state @param {boolean} isWon */
function makeMeasures(end, state, isWon) {
  const solved = end.bbbv === null ? NOTHING : `${numberText(end.solved_bbbv)} of ${numberText(end.bbbv)}`;
  /** @type {[name: string, value: string, hint: string][]} */
  const measures = [
    ["Time", exactTimeText(state.time), ""],
    isWon
      ? ["3BV", numberText(end.bbbv), "clicks that this board takes without flags"]
      : ["3BV solved", solved, "of the clicks that this board takes without flags"],
    ["3BV/s", numberText(state.time < LEAST_TIME ? null : end.bbbv_per_second, 2), ""],
    ["Efficiency", percentText(end.efficiency), `${counted(end.clicks ?? 0, "click")}`],
  ];
  const entries = measures.map(([name, value, hint]) =>
    h("div", { title: hint || null }, h("dt", {}, name), h("dd", { class: "numbers" }, value)));
  return h("dl", { class: "measures" }, ...entries);
}

/** What made a game assisted, in words; empty if nothing did. @param {Assistance} assistance @returns {string} */
export function assistanceText(assistance) {
  const parts = [];
  if (assistance.hints) parts.push(counted(assistance.hints, "hint"));
  if (assistance.undone) parts.push(`${counted(assistance.undone, "move")} taken back`);
  if (assistance.overlay) parts.push("chances shown");
  if (assistance.practice) parts.push("practice from a position");
  else if (assistance.restarts || assistance.seen) parts.push("a board seen before");
  return parts.join(", ");
}

/** @param {End} end @param {Now} state @param {boolean} isWon */
function makeNotes(end, state, isWon) {
  /** @type {HTMLElement[]} */
  const notes = [];
  if (isWon && end.best) notes.push(h("li", { class: "best" }, "★ Your best time on this kind of board."));
  const assistance = assistanceText(state.assistance);
  if (assistance) notes.push(h("li", {}, `Assisted (${assistance}): kept apart from your records.`));
  else if (isWon && (state.assistance.pauses || state.assistance.auto_pauses)) notes.push(h("li", {}, "Paused: the win counts, its time does not."));
  const first = end.status === "terminated" ? GIVEN_UP : "";
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
  if (safe.length) return `${GIVEN_UP} ${certainText(safe.length)} certain to be safe, outlined on the board.`;
  return forced ? `${GIVEN_UP} Nothing was certain to be safe: a guess was due.` : GIVEN_UP;
}

/** @param {number} count */
function certainText(count) {
  return counted(count, "cell was", "cells were");
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
  const last =
    risk > 0.9995 ? "Your last move was certain to hit a mine." : `Your last move had a risk of ${taken}.`;
  if (forced === false) {
    const where = safe.length ? `: ${certainText(safe.length)} certain to be safe, outlined on the board` : "";
    return `A needless guess${where}. ${last}`;
  }
  if (least === null || least === undefined || risk - least < 0.005) {
    return `A forced guess, and bad luck: no cell was certain to be safe, and no move had a smaller risk than your ${taken}.`;
  }
  return `A forced guess: no cell was certain to be safe. ${last} The best one had ${riskText(least)}.`;
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

/** @param {HTMLElement} place */
export function hideEnd(place) {
  place.replaceChildren();
}
