/**
 * Numbers, times, dates and keys as a player reads them.
 *
 * Knows: how many digits are worth showing. Does not know: what is measured.
 */

import { dateOf, numberOf, t } from "./words.js";

export const NOTHING = "–";

/** @param {number | null} ms @returns {string} `22.3 s`, `1:22.3`, `1:02:03` */
export function timeText(ms) {
  if (ms === null || ms === undefined) return NOTHING;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return t("seconds", { number: numberOf(tenths / 10, { digits: 1 }) });
  const minutes = Math.floor(tenths / 600);
  const rest = (tenths % 600) / 10;
  if (minutes < 60) return `${minutes}:${numberOf(rest, { digits: 1, places: 2 })}`;
  return `${Math.floor(minutes / 60)}:${numberOf(minutes % 60, { places: 2 })}:${numberOf(Math.floor(rest), { places: 2 })}`;
}

/**
 * A time that is compared with others: to the millisecond, as it is kept.
 * @param {number | null} ms
 * @returns {string} `22.345 s`, `1:22.345`, `1:02:03.456`
 */
export function exactTimeText(ms) {
  if (ms === null || ms === undefined) return NOTHING;
  const whole = Math.round(ms);
  const seconds = (whole % 60_000) / 1000;
  const minutes = Math.floor(whole / 60_000);
  if (!minutes) return t("seconds", { number: numberOf(seconds, { digits: 3 }) });
  const rest = numberOf(seconds, { digits: 3, places: 2 });
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${numberOf(minutes % 60, { places: 2 })}:${rest}`;
}

/** @param {number | null} share 0 to 1 @param {number} [digits] @returns {string} `48 %` */
export function percentText(share, digits = 0) {
  return share === null || share === undefined ? NOTHING : t("percent", { number: numberOf(100 * share, { digits }) });
}

/** @param {number} percent @param {number} [digits] */
const under = (percent, digits = 0) => t("under-percent", { number: numberOf(percent, { digits }) });
/** @param {number} percent @param {number} [digits] */
const over = (percent, digits = 0) => t("over-percent", { number: numberOf(percent, { digits }) });

/**
 * A chance to win. One that was played out is said in whole per cent, and never as certain.
 * @param {number} share
 * @param {boolean} exact
 * @returns {string}
 */
export function chanceText(share, exact) {
  if (exact && (share === 0 || share === 1)) return percentText(share);
  if (share < 0.005) return under(1);
  if (share > 0.995) return over(99);
  return exact ? percentText(share, 1) : t("about-percent", { number: numberOf(100 * share) });
}

/** A risk: small ones keep a digit, and one that is not 0 or 1 is not called so. @param {number} risk @returns {string} */
export function riskText(risk) {
  if (risk > 0 && risk < 0.001) return under(0.1, 1);
  if (risk < 1 && risk > 0.995) return over(99);
  return percentText(risk, risk < 0.1 && risk > 0 ? 1 : 0);
}

/** A chance with a digit after the point; one that is not quite 0 or 1 never reads as if it were. @param {number} share */
export function shareText(share) {
  if (share > 0 && share < 0.0005) return under(0.1, 1);
  if (share < 1 && share > 0.9995) return over(99.9, 1);
  return percentText(share, 1);
}

/**
 * A chance to win as reasons say it.
 * @param {number} win
 * @param {{fraction?: [number, number] | null, isExact: boolean, digits?: number}} how `digits`: of one that was played out
 * @returns {string} `2 in 3`, `46.1 %` where it is exact, `about 46 %` where it is not
 */
export function winText(win, { fraction = null, isExact, digits = 0 }) {
  if (isExact) return fraction ? t("fraction", { number: fraction[0], of: fraction[1] }) : shareText(win);
  const step = 10 ** -digits;
  if (100 * win < step / 2) return under(step, digits);
  if (100 * win > 100 - step / 2) return over(100 - step, digits);
  return t("about-percent", { number: numberOf(100 * win, { digits }) });
}

/** @typedef {{win: number, fraction?: [number, number] | null, isExact: boolean}} Win */

/** Two chances that differ, with as many digits as tell them apart. @param {Win} one @param {Win} other @returns {[string, string]} */
export function winsApart(one, other) {
  for (let digits = 0; ; digits++) {
    const words = [one, other].map((each) => winText(each.win, { ...each, digits }));
    if (words[0] !== words[1] || digits === 4) return [words[0], words[1]];
  }
}

/** @param {number | null} number @param {number} [digits] @returns {string} */
export function numberText(number, digits = 0) {
  return number === null || number === undefined ? NOTHING : numberOf(number, { digits });
}

const DAY = 86_400_000;

/** @param {number} ms since 1970 @param {number} span milliseconds that are shown with it @returns {string} */
export function dateText(ms, span) {
  if (span < 2 * DAY) return dateOf(ms, { timeStyle: "short" });
  return dateOf(ms, span < 330 * DAY ? { day: "numeric", month: "short" } : { month: "short", year: "numeric" });
}

/** @param {number} ms since 1970 @returns {string} the day and the time of day */
export function momentText(ms) {
  return dateOf(ms, { dateStyle: "medium", timeStyle: "short" });
}

/** @type {Record<string, string>} */
const KEY_NAMES = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": t("key-space"), Escape: t("key-escape"), Delete: t("key-delete") };

/** @param {string} key @returns {string} as a player reads it */
export function keyName(key) {
  return KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
