/**
 * What becomes of a game's moves while there is no connection: which were on their way, and whether they arrived.
 *
 * Knows: the cells of each move without an answer, since when there is no connection.
 * Does not know: sockets, elements, words.
 */

/** Milliseconds after which nobody can say any more that it goes on in a moment. */
const LONG = 15_000;

/** The outages of one game. */
export class Outage {
  /** @param {() => void} onLong called when one has lasted long */
  constructor(onLong) {
    this.#onLong = onLong;
  }

  #onLong;
  /** @type {number | null} */
  #since = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Map<number, number[]>} */
  #sent = new Map();
  /** @type {[cell: number, tile: string][][]} */
  #doubtful = [];

  /** @returns {boolean} whether it has lasted long */
  get isLong() {
    return this.#since !== null && performance.now() - this.#since >= LONG;
  }

  /**
   * A move was sent that would change these cells.
   * @param {number} id of the message
   * @param {number[]} cells
   */
  sent(id, cells) {
    this.#sent.set(id, cells);
  }

  /** @param {number | null} id of a message that was answered; null: no answer is waited for any more */
  answered(id) {
    if (id === null) this.#sent.clear();
    else this.#sent.delete(id);
  }

  /**
   * The connection is lost: the moves without an answer may have arrived, or not.
   * @param {(cell: number) => string} tileOf
   * @returns {boolean} whether there was one before
   */
  begin(tileOf) {
    for (const cells of this.#sent.values()) this.#doubtful.push(cells.map((cell) => [cell, tileOf(cell)]));
    this.#sent.clear();
    if (this.#since !== null) return false;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onLong, LONG);
    return true;
  }

  /**
   * The connection is back, and the board is here.
   * @param {((cell: number) => string) | null} tileOf null if it is another board
   * @returns {{isMoveLost: boolean} | null} whether a move never arrived, for its cells are as before; null if there was no outage
   */
  end(tileOf) {
    this.stop();
    if (this.#since === null) return null;
    const isMoveLost = tileOf !== null && this.#doubtful.some((cells) => cells.every(([cell, tile]) => tileOf(cell) === tile));
    this.#doubtful = [];
    this.#since = null;
    return { isMoveLost };
  }

  /** Nothing is waited for any more. */
  stop() {
    clearTimeout(this.#timer);
  }
}
