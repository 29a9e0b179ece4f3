/**
 * The words of screens that are neither the menu nor a game nor its review. A module that asks for one of them imports this module in place
 * of words.js, and waits for them.
 */

import { wait } from "./dom.js";
import { addWords } from "./words.js";

/** Milliseconds before each further try. Browsers keep the failure of a module, so that only a reload would ask again. */
const PAUSES = [500, 1000, 2000];

async function laterWords() {
  for (const pause of PAUSES) {
    try {
      return await globalThis.sapperLaterWords();
    } catch {
      await wait(pause);
    }
  }
  return globalThis.sapperLaterWords();
}

addWords(await laterWords());

export * from "./words.js";
