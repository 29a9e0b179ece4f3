/**
 * The socket of a game: it comes back by itself, and knows when it has missed something.
 *
 * A move is sent while the connection is there, or not at all: nothing is kept for later, for the board may be another
 * by then. Each message says which update was the last: one that is under way when the connection is lost is not done
 * after the player has gone on with another.
 *
 * Knows: the protocol's frame (verbs, ids, numbers of updates), waiting longer after each failure.
 * Does not know: what messages mean for a board, elements.
 */

/** @import { Message, Update } from "./types.js" */

const FIRST_WAIT = 300;
const LONGEST_WAIT = 10_000;
const PING_EVERY = 20_000;
const PONG_WITHIN = 8_000;
const GONE = 4404;
const NOT_ALLOWED = 1008;
const TOO_MANY = 1013;

/**
 * How long to wait before the next try: twice as long each time, a random half of it left out, so that the players of
 * a server that comes back do not all come at once.
 * @param {number} tries failures so far, from 1
 * @param {number} chance from 0 to 1
 * @returns {number} milliseconds
 */
export function waitFor(tries, chance) {
  const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.max(0, tries - 1));
  return longest / 2 + (chance * longest) / 2;
}

/** One game's connection. */
export class Connection {
  /**
   * @param {string} id of the game
   * @param {object} handlers
   * @param {(message: Message) => void} handlers.onMessage
   * @param {(status: "open" | "lost" | "gone" | "closing") => void} handlers.onStatus
   *   `onMessage` gets every message but pongs; updates that came after a gap are held back until the state is here.
   */
  constructor(id, handlers) {
    this.id = id;
    this.#handlers = handlers;
    this.#wake = () => this.#hurry();
    addEventListener("online", this.#wake);
    document.addEventListener("visibilitychange", this.#wake);
    this.#connect();
  }

  #handlers;
  #wake;
  /** @type {WebSocket | null} */
  #socket = null;
  #tries = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #pinger;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #patience;
  #number = -1;
  #resyncing = true;
  #closed = false;
  #lastId = 0;
  #longer = 0;
  /** @type {Map<number, number>} when each message was sent that is not answered yet, by its id */
  #sent = new Map();
  /** @type {number[]} milliseconds until the answers in this game */
  #delays = [];

  /** @returns {number | null} the median of the milliseconds from a message to its answer in this game; null before the first */
  get delay() {
    const sorted = this.#delays.toSorted((one, other) => one - other);
    const middle = sorted.length >> 1;
    if (!sorted.length) return null;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** @returns {boolean} whether a message would be sent now */
  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN && this.#number >= 0;
  }

  /**
   * Say something to the server.
   * @param {string} verb
   * @param {object} [more] other fields
   * @returns {number} the id of the message; 0 if there is no connection and nothing was sent
   */
  send(verb, more = {}) {
    if (!this.isOpen) return 0;
    this.#lastId += 1;
    this.#sent.set(this.#lastId, performance.now());
    this.#socket?.send(JSON.stringify({ do: verb, ...more, id: this.#lastId, after: this.#number }));
    return this.#lastId;
  }

  /** End it for good. */
  close() {
    this.#closed = true;
    removeEventListener("online", this.#wake);
    document.removeEventListener("visibilitychange", this.#wake);
    this.#quiet();
    this.#socket?.close(1000);
  }

  #quiet() {
    clearTimeout(this.#timer);
    clearInterval(this.#pinger);
    this.#answered();
  }

  #answered() {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }

  #connect() {
    const where = new URL(`/api/games/${encodeURIComponent(this.id)}/socket`, location.href);
    where.protocol = where.protocol === "https:" ? "wss:" : "ws:";
    where.hash = "";
    const socket = new WebSocket(where);
    this.#socket = socket;
    this.#number = -1;
    this.#resyncing = true;
    this.#sent.clear();
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket && !this.#closed) this.#heard(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.#socket && !this.#closed) this.#lost(event.code);
    });
  }

  /** @param {Message} message */
  #heard(message) {
    this.#answered();
    if (message.type === "pong") return;
    if (message.type === "update" && message.what === "restarted") this.#delays = [];
    const sent = this.#sent.get(message.id ?? 0);
    if (sent !== undefined) this.#delays.push(performance.now() - sent);
    this.#sent.delete(message.id ?? 0);
    if (message.type === "closing") {
      this.#handlers.onStatus("closing");
      return;
    }
    if (message.type === "state") this.#stated(message);
    else if (message.type === "update" && !this.#follows(message)) return;
    this.#handlers.onMessage(message);
  }

  /** @param {{number: number}} message */
  #stated(message) {
    const first = this.#number < 0;
    this.#number = message.number;
    this.#resyncing = false;
    this.#tries = 0;
    this.#longer = 0;
    if (!first) return;
    clearInterval(this.#pinger);
    this.#pinger = setInterval(() => this.#ping(), PING_EVERY);
    this.#handlers.onStatus("open");
  }

  /** @param {Update} update */
  #follows(update) {
    if (this.#resyncing) return false;
    if (update.number === this.#number + 1) {
      this.#number = update.number;
      return true;
    }
    this.#resyncing = true;
    this.send("state");
    return false;
  }

  #ping() {
    if (!this.isOpen || this.#patience) return;
    this.#socket?.send('{"do":"ping"}');
    this.#patience = setTimeout(() => this.#drop(), PONG_WITHIN); // ends with this socket
  }

  /** A connection that no longer answers: do not wait until the system notices. */
  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    if (!this.#closed) this.#lost(1006);
  }

  /** @param {number} code */
  async #lost(code) {
    this.#quiet();
    const neverOpened = this.#number < 0;
    this.#socket = null;
    this.#number = -1;
    if (code === GONE) return this.#handlers.onStatus("gone");
    if (code === NOT_ALLOWED || code === TOO_MANY) this.#longer = 3000;
    this.#tries += 1;
    this.#handlers.onStatus("lost");
    if (neverOpened && this.#tries % 3 === 2 && (await this.#isGone())) {
      if (!this.#closed && !this.#socket) this.#handlers.onStatus("gone");
      return undefined;
    }
    if (this.#closed || this.#socket) return undefined;
    this.#timer = setTimeout(() => this.#connect(), this.#longer + waitFor(this.#tries, Math.random()));
    return undefined;
  }

  /** A refused handshake does not say why: ask whether there is such a game. */
  async #isGone() {
    try {
      const answer = await fetch(`/api/games/${encodeURIComponent(this.id)}`, { cache: "no-store" });
      return answer.status === 404;
    } catch {
      return false;
    }
  }

  /** The network is back, or the page is looked at again: try at once. */
  #hurry() {
    if (this.#closed || document.visibilityState === "hidden") return;
    if (!this.#socket && this.#timer && this.#tries) {
      clearTimeout(this.#timer);
      this.#connect();
    } else if (this.isOpen) {
      this.#ping();
    }
  }
}
