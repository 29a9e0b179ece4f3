/**
 * The words of screens that are neither the menu nor a game nor its review. A module that asks for one of them imports this module in place
 * of words.js, and waits for them.
 */

import { addWords } from "./words.js";

addWords(await globalThis.sapperLaterWords());

export * from "./words.js";
