/**
 * Win rates of periods that are long enough to say something.
 *
 * Knows: Wilson's interval; that a rate of one game is 0 or 1 and no more. Does not know: pictures.
 */

/** @import { Period } from "./types.js" */

/** @typedef {Period & {rate: number, low: number, high: number}} Rate */

const Z = 1.959963984540054;
const LEAST_GAMES = 5;
const MOST_POINTS = 20;

/**
 * The 95 % interval of a rate (E. B. Wilson, 1927).
 * @param {number} won
 * @param {number} played at least 1
 * @returns {[number, number]}
 */
export function wilson(won, played) {
  const rate = won / played;
  const weight = 1 + Z ** 2 / played;
  const centre = (rate + Z ** 2 / (2 * played)) / weight;
  const margin = (Z / weight) * Math.sqrt((rate * (1 - rate)) / played + Z ** 2 / (4 * played ** 2));
  return [Math.max(0, centre - margin), Math.min(1, centre + margin)];
}

/**
 * Periods that follow each other, put together until each has enough games; what is left at the end goes to the last.
 * @param {Period[]} periods in their order
 * @returns {Rate[]} `begin`: the mean one of the games
 */
export function pooled(periods) {
  const total = periods.reduce((games, period) => games + period.played, 0);
  const enough = Math.max(LEAST_GAMES, Math.ceil(total / MOST_POINTS));
  /** @type {Period[][]} */
  const groups = [];
  for (const period of periods) {
    const last = groups.at(-1);
    if (!last || gamesOf(last) >= enough) groups.push([period]);
    else last.push(period);
  }
  const rest = groups.at(-1);
  if (rest && groups.length > 1 && gamesOf(rest) < enough) groups.splice(-2, 2, [...(groups.at(-2) ?? []), ...rest]);
  return groups.map(pool);
}

/** @param {Period[]} group */
function gamesOf(group) {
  return group.reduce((games, period) => games + period.played, 0);
}

/** @param {Period[]} group @returns {Rate} */
function pool(group) {
  const played = gamesOf(group);
  const won = group.reduce((games, period) => games + period.won, 0);
  const begin = group.reduce((sum, period) => sum + period.begin * period.played, 0) / played;
  const [low, high] = wilson(won, played);
  return { begin, played, won, rate: won / played, low, high };
}
