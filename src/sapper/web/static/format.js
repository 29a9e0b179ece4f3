/**
 * Numbers, times and dates as a player reads them.
 *
 * Knows: how many digits are worth showing. Does not know: what is measured.
 */

export const NOTHING = "–";

/** @param {number | null} ms @returns {string} `22.3 s`, `1:22.3`, `1:02:03` */
export function timeText(ms) {
  if (ms === null || ms === undefined) return NOTHING;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)}\u00a0s`;
  const minutes = Math.floor(tenths / 600);
  const rest = (tenths % 600) / 10;
  if (minutes < 60) return `${minutes}:${rest.toFixed(1).padStart(4, "0")}`;
  const seconds = String(Math.floor(rest)).padStart(2, "0");
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${seconds}`;
}

/**
 * A time that is compared with others: to the millisecond, as it is kept.
 * @param {number | null} ms
 * @returns {string} `22.345 s`, `1:22.345`, `1:02:03.456`
 */
export function exactTimeText(ms) {
  if (ms === null || ms === undefined) return NOTHING;
  const whole = Math.round(ms);
  const seconds = ((whole % 60_000) / 1000).toFixed(3);
  const minutes = Math.floor(whole / 60_000);
  if (!minutes) return `${seconds}\u00a0s`;
  const rest = seconds.padStart(6, "0");
  if (minutes < 60) return `${minutes}:${rest}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

/** @param {number | null} share 0 to 1 @param {number} [digits] @returns {string} `48 %` */
export function percentText(share, digits = 0) {
  return share === null || share === undefined ? NOTHING : `${(100 * share).toFixed(digits)}\u00a0%`;
}

/**
 * A chance to win. Of an estimate nothing is said that it cannot tell apart, and what is not certain is not called so.
 * @param {number} share
 * @param {boolean} exact
 * @returns {string}
 */
export function chanceText(share, exact) {
  if (exact && (share === 0 || share === 1)) return percentText(share);
  if (share < 0.005) return "under 1\u00a0%";
  if (share > 0.995) return "over 99\u00a0%";
  return exact ? percentText(share, 1) : `about ${percentText(share)}`;
}

/** A risk: small ones keep a digit, and one that is not 0 or 1 is not called so. @param {number} risk @returns {string} */
export function riskText(risk) {
  if (risk > 0 && risk < 0.001) return "under 0.1\u00a0%";
  if (risk < 1 && risk > 0.995) return "over 99\u00a0%";
  return percentText(risk, risk < 0.1 && risk > 0 ? 1 : 0);
}

/** @param {number | null} number @param {number} [digits] @returns {string} */
export function numberText(number, digits = 0) {
  return number === null || number === undefined ? NOTHING : number.toFixed(digits);
}

/** @param {number} ms since 1970 @param {number} span milliseconds that are shown with it @returns {string} */
export function dateText(ms, span) {
  const day = 86_400_000;
  /** @type {Intl.DateTimeFormatOptions} */
  const form =
    span < 2 * day ? { hour: "2-digit", minute: "2-digit" }
    : span < 330 * day ? { day: "numeric", month: "short" }
    : { month: "short", year: "numeric" };
  return new Intl.DateTimeFormat("en-GB", form).format(ms);
}
