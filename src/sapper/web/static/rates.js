/**
 * Win rates of periods that are long enough to say something.
 *
 * Knows: Wilson's interval; that a rate of one game is 0 or 1 and no more. Does not know: pictures.
 */

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
 * @param {{begin: number, played: number, won: number}[]} periods in their order
 * @returns {{begin: number, played: number, won: number, rate: number, low: number, high: number}[]} `begin`: the mean
 *   one of the games
 */
export function pooled(periods) {
  const total = periods.reduce((games, period) => games + period.played, 0);
  const enough = Math.max(LEAST_GAMES, Math.ceil(total / MOST_POINTS));
  const groups = [];
  for (const period of periods) {
    const last = groups.at(-1);
    if (!last || gamesOf(last) >= enough) groups.push([period]);
    else last.push(period);
  }
  if (groups.length > 1 && gamesOf(groups.at(-1)) < enough) {
    const rest = groups.pop();
    groups.at(-1).push(...rest);
  }
  return groups.map(pool);
}

function gamesOf(group) {
  return group.reduce((games, period) => games + period.played, 0);
}

function pool(group) {
  const played = gamesOf(group);
  const won = group.reduce((games, period) => games + period.won, 0);
  const begin = group.reduce((sum, period) => sum + period.begin * period.played, 0) / played;
  const [low, high] = wilson(won, played);
  return { begin, played, won, rate: won / played, low, high };
}
