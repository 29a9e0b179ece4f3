/**
 * Going on from a position: as a game, or in the analyser; and having chances shown over a board.
 *
 * Knows: which requests these take. Does not know: where the position is from.
 */

import { api, faultText } from "./api.js";
import { boardText } from "./position_text.js";
import { withRoom } from "./room.js";

/** @import { Analysis, Position } from "./types.js" */

/**
 * Starts a practice game and goes to it.
 * @param {Position} position
 * @param {string | undefined} rules
 * @param {(fault: string) => void} complain
 */
export async function playOn(position, rules, complain) {
  try {
    const practise = () => api.practise({ board: boardText(position), ...(rules ? { rules } : {}) });
    const created = await withRoom(practise, rules);
    if (created) location.href = `/#game=${created.game}`;
  } catch (error) {
    complain(faultText(error));
  }
}

const PAUSE = 160;
const MOST_KEPT = 200;

/** The chances of boards, each asked for once, and only for a board that is looked at for a moment. */
export class ChanceReader {
  /** @param {(analysis: Analysis | null, fault: string) => void} tell */
  constructor(tell) {
    this.#tell = tell;
  }

  #tell;
  /** @type {Map<string, Analysis>} */
  #kept = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #wanted = "";

  /** Ask for nothing more. */
  stop() {
    clearTimeout(this.#timer);
    this.#wanted = "";
  }

  /** @param {Position} position */
  ask(position) {
    clearTimeout(this.#timer);
    const text = boardText(position);
    this.#wanted = text;
    const known = this.#kept.get(text);
    if (known) return this.#tell(known, "");
    this.#timer = setTimeout(() => this.#fetch(text), PAUSE);
    return undefined;
  }

  /** @param {string} text */
  async #fetch(text) {
    try {
      const found = await api.analyse(text);
      if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
      this.#kept.set(text, found);
      if (this.#wanted === text) this.#tell(found, "");
    } catch (error) {
      if (this.#wanted === text) this.#tell(null, faultText(error));
    }
  }
}
