/**
 * Options of other programs that go beyond the rules: which of them hold in a game, and which mark it.
 *
 * Knows: games with rules of their own have none of them. Does not know: what each does.
 */

import { isOfDay } from "./attempt.js";

/** @import { Settings, State } from "./types.js" */

/** @typedef {"openAtRelease" | "dimSatisfied" | "lessFlags" | "clickFlags" | "rightFlags"} Aid */

/**
 * Those that change what a time means: a game with one of them counts as assisted, and no board of the day has them. To dim numbers
 * is none of them: it shows what is seen, and neither counts for a player nor sets flags.
 * @type {ReadonlySet<Aid>}
 */
const MARKING = new Set(/** @type {Aid[]} */ (["lessFlags", "clickFlags", "rightFlags"]));

/**
 * @param {Aid} aid
 * @param {{settings: Pick<Settings, "get">, state: Pick<State, "rules" | "preset"> | null}} game
 * @returns {boolean} whether a player has it, and the game may have it
 */
export function holds(aid, { settings, state }) {
  if (!settings.get(aid) || !state || !state.rules.allows_aids) return false;
  return !(MARKING.has(aid) && isOfDay(state));
}
