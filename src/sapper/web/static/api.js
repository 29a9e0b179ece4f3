/**
 * Asks the server by plain HTTP, and says in words what went wrong.
 *
 * Knows: the endpoints of docs/web-protocol.md; that a server may be away and come back.
 * Does not know: the socket of a game (connection.js), who shows an error.
 */

import { hasWords, t } from "./words.js";

/**
 * @import { Analysis, DailyAnswer, DailyTable, GameVerdicts, NameAnswer, OpenGame, PlayedGame, PlayedGames, Player, PositionAnswer, Presets, RankingAnswer, Recording, SessionList, State, Statistics, GameRequest,
 *   WrongPositions } from "./types.js"
 */

const PATIENCE = 15_000;
/** What has to be worked out may take longer. */
const LONG_PATIENCE = 30_000;
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 15_000;

/** What went wrong: `code` as the server names it, `away` where it cannot be reached; the message is for a player. */
export class ApiError extends Error {
  /** @param {string} code @param {string} message @param {number} [status] */
  constructor(code, message, status = 0) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
  }
}

/** @type {Set<(away: boolean) => void>} */
const watchers = new Set();
let away = false;
let wait = FIRST_WAIT;

/** @param {boolean} is */
function setAway(is) {
  if (away === is) return;
  away = is;
  for (const watcher of watchers) watcher(is);
  if (is) {
    wait = FIRST_WAIT;
    setTimeout(look, wait);
  }
}

/** Looks whether the server is back, less and less often. */
async function look() {
  if (!away) return;
  try {
    const answer = await fetch("/api/player", { signal: AbortSignal.timeout(PATIENCE), cache: "no-store" });
    if (answer.status < 500) return setAway(false);
  } catch {
    // Still away.
  }
  wait = Math.min(wait * 1.6, LONGEST_WAIT);
  setTimeout(look, wait);
}

/**
 * What went wrong, for a player; nothing where the server is away, which the page says elsewhere.
 * @param {unknown} error
 * @returns {string}
 */
export function faultText(error) {
  if (error instanceof ApiError) return error.code === "away" ? "" : error.message;
  throw error; // a mistake of ours
}

/** What the server says of a text that it cannot use; it says so in English. @param {string} words */
function detailText(words) {
  // Where in a text it is: of one line nobody counts that, of a board that was pasted it helps.
  const bare = words.replace(/^(?:<\w+>:\d+:\d+|board:1:1): /, "");
  const place = /^board:(\d+):(\d+): (.*)$/s.exec(bare);
  const told = place ? t("error-at-line", { line: place[1], character: place[2], detail: place[3] }) : bare;
  return t("error-detail", { detail: told[0].toUpperCase() + told.slice(1) + (/[.!?]$/.test(told) ? "" : ".") });
}

/** @param {string} code @param {number} status @param {string | undefined} words of the server */
function messageOf(code, status, words) {
  if (hasWords(`error-${code}`)) return t(`error-${code}`);
  return words ? detailText(words) : t("error-status", { status: String(status) });
}

/** @param {Response} answer */
async function fault(answer) {
  /** @type {{code?: string, message?: string}} */
  let told = {};
  try {
    told = (await answer.json()).error ?? {};
  } catch {
    // Something between this page and the server answered, not the server.
  }
  const { code = "failed", message } = told;
  return new ApiError(code, messageOf(told.code ?? "", answer.status, message), answer.status);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {number} [patience] milliseconds
 * @returns {Promise<any>} the answer's body; null where it has none
 */
async function ask(method, path, body, patience = PATIENCE) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: headersOf(body),
      body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
      cache: "no-store",
    });
  } catch {
    setAway(true);
    throw new ApiError("away", t("error-away"));
  }
  setAway(false);
  if (!answer.ok) throw await fault(answer);
  return answer.status === 204 ? null : answer.json();
}

/** @param {object | undefined} body @returns {Record<string, string>} */
function headersOf(body) {
  if (body === undefined) return {};
  if (!(body instanceof Blob)) return { "Content-Type": "application/json" };
  const name = body instanceof File ? body.name.replace(/[^ -~]/g, "_").slice(-80) : "";
  return { "Content-Type": "application/octet-stream", "X-File-Name": name };
}

/** @param {string} path @param {Record<string, string | number | null | undefined>} filter what is null or "" is left out */
function withQuery(path, filter) {
  const given = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query ? `${path}?${query}` : path;
}

/** @param {string} id of a game that has ended */
const playedPath = (id) => `/api/played/${encodeURIComponent(id)}`;

/** @type {Promise<Presets> | null} */
let presets = null;

export const api = {
  /** @param {GameRequest} request @returns {Promise<{game: string, socket: string, state: State}>} */
  newGame: (request) => ask("POST", "/api/games", request),
  /** @returns {Promise<{games: OpenGame[]}>} the unfinished games */
  games: () => ask("GET", "/api/games"),
  /** @param {string} id @returns {Promise<State>} its state */
  game: (id) => ask("GET", `/api/games/${encodeURIComponent(id)}`),
  /**
   * Ends a game that nobody plays just now; its socket is the way to do that.
   * @param {string} id
   * @returns {Promise<void>}
   */
  giveUp(id) {
    const origin = location.origin.replace(/^http/, "ws");
    const socket = new WebSocket(`${origin}/api/games/${encodeURIComponent(id)}/socket`);
    return new Promise((resolve, reject) => {
      socket.addEventListener("open", () => socket.send(JSON.stringify({ do: "terminate" })));
      socket.addEventListener("message", ({ data }) => {
        const { type, status } = JSON.parse(data);
        if (["won", "lost", "terminated"].includes(status)) resolve();
        else if (type !== "error") return;
        socket.close(); // and if it was not given up, that says so
      });
      setTimeout(() => socket.close(), PATIENCE);
      socket.addEventListener("close", () => reject(new ApiError("failed", t("give-up-failed"))));
    });
  },
  /** @returns {Promise<Player>} */
  player: () => ask("GET", "/api/player"),
  /** Forgets everything about this player. @returns {Promise<null>} */
  forget: () => ask("DELETE", "/api/player"),
  /** Ends this player's sessions in other browsers. The first use of the new cookie ends copies of the old one. @returns {Promise<null>} */
  endSessions: () => ask("DELETE", "/api/player/sessions").then(() => ask("GET", "/api/player")).then(() => null),
  /** @returns {Promise<SessionList>} where this player is signed in */
  sessions: () => ask("GET", "/api/player/sessions"),
  /** @param {string} session of this player, to be signed out @returns {Promise<null>} */
  endSession: (session) => ask("DELETE", `/api/player/sessions/${session}`),
  /**
   * @param {Record<string, string | number | null | undefined>} filter what is null or "" is left out
   * @returns {Promise<Statistics>}
   */
  statistics: (filter) => ask("GET", withQuery("/api/statistics", filter)),
  /**
   * The games that have ended, a page of them.
   * @param {Record<string, string | number | null | undefined>} filter
   * @returns {Promise<PlayedGames>}
   */
  playedGames: (filter) => ask("GET", withQuery("/api/played", filter)),
  /** @param {string} id @returns {Promise<PlayedGame>} */
  played: (id) => ask("GET", playedPath(id), undefined, LONG_PATIENCE),
  /** @param {string} id @returns {Promise<GameVerdicts>} */
  review: (id) => ask("GET", `${playedPath(id)}/review`, undefined, LONG_PATIENCE),
  /** @param {string} id @param {boolean} shared @returns {Promise<{shared: boolean}>} */
  share: (id, shared) => ask("PUT", `${playedPath(id)}/shared`, { shared }),
  /** @param {File} file @returns {Promise<Recording>} */
  recording: (file) => ask("POST", "/api/recordings", file, LONG_PATIENCE),
  /** @param {string} board a board text @returns {Promise<Analysis>} */
  analyse: (board) => ask("POST", "/api/analysis", { board }),
  /** @param {{text: string, mine_count?: number}} position @returns {Promise<PositionAnswer>} */
  position: (position) => ask("POST", "/api/positions", position, LONG_PATIENCE),
  /** @param {{board: string, rules?: string}} position @returns {Promise<{game: string}>} a game that begins with it */
  practise: (position) => ask("POST", "/api/practice", position, LONG_PATIENCE),
  /** @param {string | null} after @returns {Promise<WrongPositions>} */
  wrongPositions: (after) => ask("GET", withQuery("/api/practice", { after }), undefined, LONG_PATIENCE),
  /** @returns {Promise<DailyAnswer>} today's boards, and one's own attempts */
  daily: () => ask("GET", "/api/daily", undefined, LONG_PATIENCE),
  /** @param {string} size @returns {Promise<{game: string}>} one's game on a board of today */
  beginDaily: (size) => ask("POST", "/api/daily", { size }, LONG_PATIENCE),
  /** @param {string} day @param {string} size @returns {Promise<DailyTable>} */
  dailyBoard: (day, size) => ask("GET", withQuery("/api/daily/board", { day, size })),
  /** @param {Record<string, string | number>} asked @returns {Promise<RankingAnswer>} */
  ranking: (asked) => ask("GET", withQuery("/api/rankings", asked)),
  /** @returns {Promise<NameAnswer>} one's name */
  name: () => ask("GET", "/api/player/name"),
  /** @param {string} name @returns {Promise<NameAnswer>} */
  setName: (name) => ask("PUT", "/api/player/name", { name }),
  /** @returns {Promise<NameAnswer>} */
  dropName: () => ask("DELETE", "/api/player/name"),
  /** @returns {Promise<{phrase: string}>} a new recovery phrase */
  newPhrase: () => ask("POST", "/api/player/phrase"),
  /** @param {string} phrase @param {boolean} join @returns {Promise<NameAnswer>} the name of who this is now */
  recover: (phrase, join) => ask("POST", "/api/player/recovery", { phrase, join }),
  /**
   * The presets, limits and defaults; asked once.
   * @returns {Promise<Presets>}
   */
  presets() {
    presets ??= ask("GET", "/api/presets").catch((/** @type {unknown} */ error) => {
      presets = null;
      throw error;
    });
    return /** @type {Promise<Presets>} */ (presets);
  },
  /** @returns {boolean} whether the server could not be reached when last asked */
  isAway: () => away,
  /**
   * @param {(away: boolean) => void} watcher called when the server goes or comes back
   * @returns {() => void} ends it
   */
  onAway(watcher) {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  },
};
