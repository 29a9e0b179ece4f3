/**
 * The one attempt at a board of the day that counts: whether it still does, and the question before a player ends it.
 *
 * Knows: what ends an attempt. Does not know: buttons, the server.
 */

import { assistanceText } from "./assistance.js";
import { ask } from "./dialog.js";
import { t } from "./words.js";

/** @import { Assistance } from "./types.js" */

/** Milliseconds after which an attempt does not count. */
const LONGEST = 3_600_000;

/** @param {{preset: string | null} | null} kind @returns {boolean} whether a game is on a board of the day */
export function isOfDay(kind) {
  return kind?.preset?.startsWith("daily-") ?? false;
}

/** @param {{assistance: Assistance, time: number}} game on a board of the day @returns {boolean} false after help, or after too long */
export function stillCounts({ assistance, time }) {
  return !assistanceText(assistance) && time <= LONGEST;
}

/**
 * Asks before an attempt ends.
 * @param {"help" | "end"} how `help`: it goes on and does not count; `end`: it counts as not won
 * @returns {Promise<boolean>} whether the player wants it
 */
export function mayEndAttempt(how) {
  return ask({ title: t("attempt-question"), text: t(`attempt-${how}-text`), yes: t(`attempt-${how}`), no: t("keep-playing"), danger: true });
}
