/**
 * Parts of the page that are fetched when they are wanted: what happens when one does not come.
 *
 * It is tried again, after longer and longer waits. Some browsers keep a failure until the page is loaded anew: where
 * the server answers and the part still does not come, that is done too, but once. Then it is for the player to say.
 *
 * Knows: waiting, when trying again has no more sense.
 * Does not know: what parts there are, what is said meanwhile.
 */

import { wait } from "./dom.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** Failures while the server answered; what it holds back when asked too much would have come by then. */
const ENOUGH = 3;
const RELOADED = "sapper.reloaded";

/**
 * @template T
 * @param {string} name of the part
 * @param {() => Promise<T>} load
 * @param {{isWanted: () => boolean, answers: () => Promise<boolean>, onTrouble: () => void}} how `isWanted`: still;
 *   `answers`: does the server do so now; `onTrouble` is called once, before it is tried again
 * @returns {Promise<T|null>} null where it is not to be had, or not wanted any more
 */
export async function getPart(name, load, { isWanted, answers, onTrouble }) {
  let failures = 0;
  for (let pause = FIRST_WAIT; ; pause = Math.min(2 * pause, LONGEST_WAIT)) {
    try {
      const part = await load();
      forgetReload(name);
      return part;
    } catch {
      if (pause === FIRST_WAIT && isWanted()) onTrouble();
    }
    await wait(pause);
    if (isWanted() && (await answers())) failures += 1;
    if (!isWanted()) return null;
    if (failures < ENOUGH) continue;
    if (!mayReload(name)) return null;
    location.reload();
    await new Promise(() => {}); // this page is over
  }
}

/** @param {string} name */
function mayReload(name) {
  try {
    if (sessionStorage.getItem(RELOADED) === name) return false;
    sessionStorage.setItem(RELOADED, name);
    return true;
  } catch {
    return false; // without a memory of it nothing would end it
  }
}

/** @param {string} name */
function forgetReload(name) {
  try {
    if (sessionStorage.getItem(RELOADED) === name) sessionStorage.removeItem(RELOADED);
  } catch {
    // Then there was none.
  }
}
