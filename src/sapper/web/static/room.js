/**
 * Room for one more game: where a player has too many that are not finished, the oldest may make way, once they agree.
 *
 * Knows: which game that is, how it is asked for. Does not know: what the new game is, where messages stand.
 */

import { ApiError, api } from "./api.js";
import { ask } from "./dialog.js";
import { timeText } from "./format.js";
import { kindText } from "./game_request.js";
import { t } from "./words.js";

/** @import { OpenGame } from "./types.js" */

/** Whether its rules allow one unfinished game at a time. @param {string | undefined} name of rules, a preset, or a code */
export function isOneGame(name) {
  return name !== undefined && /^formal(?![a-z])/.test(name);
}

/** A game that nobody has touched is not missed, unless its rules allow no second one. @param {OpenGame} game */
export function isGoing({ status, rules }) {
  return status === "playing" || isOneGame(rules);
}

/**
 * Does what makes a game; again after a game was given up for it, if there were too many.
 * @template T
 * @param {() => Promise<T>} make
 * @param {string} [name] of its rules, its preset, or its code
 * @returns {Promise<T | null>} null where the player keeps what there is
 */
export async function withRoom(make, name) {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "conflict")) throw error;
    const { games } = await api.games(); // the one played last is the first
    const oldest = games.filter((game) => isGoing(game) && (!isOneGame(name) || isOneGame(game.rules))).at(-1);
    if (!oldest) throw error;
    const which = isOneGame(name) ? "before" : "oldest";
    const sure = await ask({
      title: t(`give-up-${which}`),
      text: t(`give-up-${which}-text`, { game: kindText(oldest), time: timeText(oldest.time) }),
      yes: t("give-up-and-play"),
      no: t("keep-it"),
      danger: true,
    });
    if (!sure) return null;
    await api.giveUp(oldest.game);
    return make();
  }
}
