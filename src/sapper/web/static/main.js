/**
 * Which screen is shown: the location says it, so that back, forward and reload work everywhere.
 *
 * `#` menu, `#new`, `#game=ID`, `#statistics`, `#settings`, and `#code=CODE`, which starts that board and becomes its
 * game; `/game/ID`, `/games`, `/analyse`, `/recording` and `/practice` at addresses of their own. The menu is here at once; what the other screens need is fetched when they are wanted, or when there is nothing
 * to do.
 *
 * Knows: the screens and when each begins and ends; that the server may be away.
 * Does not know: what is on a screen.
 */

import { ApiError, api, faultText } from "./api.js";
import { afterFrame, get, h } from "./dom.js";
import { keepPage } from "./install.js";
import { showMenu } from "./menu.js";
import { getPart } from "./parts.js";
import { fragmentOf, isFragment, isPlace, readAddress } from "./places.js";
import { withRoom } from "./room.js";
import { settings } from "./settings.js";
import { again, normalCode, withHabits } from "./game_request.js";
import { t, wordPage } from "./words.js";

/** @import { Kind, Screen, Show, GameRequest } from "./types.js" */

const PROBE = "sapper_probe";

/** @type {NodeListOf<HTMLElement>} */
const parts = document.querySelectorAll("section[data-screen]");
const sections = new Map([...parts].map((one) => [one.dataset.screen ?? "", one]));
const awayLine = get("[data-away]");
/** @type {Screen | null} */
let shown = null;
let notice = "";
let visit = 0;
let isBroken = false;

/** @param {string} hash @param {{replace?: boolean}} [how] `replace`: back does not lead here again */
function goTo(hash, { replace = false } = {}) {
  if (location.pathname !== "/") {
    location.assign(`/${hash}`);
    return;
  }
  const isHere = location.hash === hash || (hash === "#" && location.hash === "");
  if (!isHere && !replace) {
    location.hash = hash;
    return;
  }
  if (!isHere) history.replaceState(null, "", hash);
  render();
}

/** Whether a cookie stays that is set: a browser that blocks them may say otherwise (`navigator.cookieEnabled`). */
function keepsCookies() {
  document.cookie = `${PROBE}=1; path=/; SameSite=Lax`;
  const isKept = document.cookie.includes(`${PROBE}=1`);
  document.cookie = `${PROBE}=; path=/; SameSite=Lax; Max-Age=0`;
  return isKept;
}

/** The games that were made here since the page was loaded. @type {Set<string>} */
const made = new Set();

/**
 * Starts a game and shows it. The caller says it where there is none; a part of the page that does not arrive is the
 * matter of the game's screen.
 * @param {GameRequest} request
 * @param {{replace?: boolean, leave?: () => void, make?: typeof withRoom}} [how] `replace` as of `goTo`; `leave`: what is
 *   done before the screen that is shown goes; `make`: how it is made where there may be too many
 * @returns {Promise<boolean>} false where the player would rather keep the games that there are
 */
async function start(request, { replace = false, leave, make = withRoom } = {}) {
  const making = make(() => api.newGame(request), request.code ?? request.rules ?? request.preset);
  const [created] = await Promise.all([making, loadGame().catch(() => null)]);
  if (!created) return false;
  const { game } = created;
  if (!keepsCookies()) throw new ApiError("no-cookies", t("no-cookies"));
  made.add(game);
  leave?.();
  goTo(`#game=${game}`, { replace });
  return true;
}

/** @param {string} message */
function leaveWith(message) {
  notice = message;
  goTo("#", { replace: true });
}

/** @param {string} code */
async function openCode(code) {
  const here = visit;
  try {
    const isThere = await start({ code: normalCode(code) }, { replace: true });
    if (!isThere && here === visit) leaveWith("");
  } catch (error) {
    const fault = faultText(error);
    if (here === visit && fault) leaveWith(t("bad-link", { fault }));
  }
}

// --- the screens ---------------------------------------------------------------------------------------

const loadGame = async () => {
  const { openGame } = await import("./game.js");
  /** @type {Show} */
  const show = (section, id) => showGame(section, id, openGame);
  return show;
};

/** What a game needs when its board is there: how it ends, sounds, reasons of hints. */
const loadEnd = async () => {
  const [end, sound] = await Promise.all([import("./end.js"), import("./sound.js"), import("./reasons.js")]);
  return { ...end, ...sound };
};

/** @type {Show} */
const menu = (section) => {
  const said = notice || (keepsCookies() ? "" : t("no-cookies"));
  return showMenu(section, { api, settings, start, notice: said });
};

/**
 * Fetches what shows each other screen.
 * @type {Record<string, () => Promise<Show>>}
 */
const PARTS = {
  new: async () => {
    const { showNewGame } = await import("./new_game.js");
    return (section) => showNewGame(section, { api, settings, start });
  },
  game: loadGame,
  statistics: async () => {
    const { showStatistics } = await import("./statistics.js");
    return (section) => showStatistics(section, { api, leave: () => goTo("#") });
  },
  review: async () => {
    const { showReviewedGame } = await import("./review_screen.js");
    return showReviewedGame;
  },
  recording: async () => {
    const { showRecording } = await import("./recording_screen.js");
    return (section) => showRecording(section);
  },
  games: async () => {
    const { showGames } = await import("./games_screen.js");
    return showGames;
  },
  analyse: async () => {
    const { showAnalyser } = await import("./analyse_screen.js");
    return showAnalyser;
  },
  practice: async () => {
    const { showPractice } = await import("./practice_screen.js");
    return (section) => showPractice(section);
  },
  daily: async () => (await import("./daily_screen.js")).showDaily,
  rankings: async () => (await import("./rankings_screen.js")).showRankings,
  name: async () => (await import("./name_screen.js")).showName,
  honesty: async () => (await import("./honesty_screen.js")).showHonesty,
  settings: async () => {
    const { showSettings } = await import("./settings_screen.js");
    return (section) => showSettings(section, { settings });
  },
};

/**
 * Has a new game take the place of one, in the history too, which is closed: given up if it was begun. It is closed only when the other is
 * there, unless there may be no other as long as it is open.
 * @param {import("./game.js").OpenedGame} game
 * @param {GameRequest} request
 */
async function startInstead(game, request) {
  try {
    return await start(request, { replace: true, leave: () => void game.giveUp(), make: (create) => create() });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "conflict")) throw error;
    await game.giveUp();
    return start(request, { replace: true });
  }
}

/**
 * The place of an end, which is shown by what is fetched when the board is there.
 * @param {HTMLElement} top
 */
function endAt(top) {
  const here = visit;
  let taken = 0;
  /** @type {Promise<Awaited<ReturnType<typeof loadEnd>> | null> | null} */
  let part = null;
  /** Does something with it, unless the end is no more by then. @param {(part: Awaited<ReturnType<typeof loadEnd>>) => void} act */
  const withEnd = async (act) => {
    const end = taken;
    part ??= getPart("end", loadEnd, troubled(() => here === visit)).then((found) => {
      if (found && here === visit) tellTrouble(false);
      return found;
    });
    const found = await part;
    if (found && here === visit && end === taken) act(found);
  };
  const hideEnd = () => {
    taken += 1;
    top.replaceChildren();
  };
  hideEnd();
  afterFrame(() => withEnd(() => {}));
  return { withEnd, hideEnd };
}

/**
 * @param {HTMLElement} section
 * @param {string} id
 * @param {typeof import("./game.js").openGame} openGame
 * @returns {Screen}
 */
function showGame(section, id, openGame) {
  const top = get("[data-end]", section);
  const { withEnd, hideEnd } = endAt(top);
  /** @type {Kind | null} */
  let kind = null;
  const opened = performance.now();
  let isLeaving = false;
  const playAgain = async () => {
    if (isLeaving) return;
    isLeaving = true;
    const request = kind ? again(kind) : withHabits(settings.get("lastGame"), settings);
    try {
      isLeaving = await startInstead(game, request);
    } catch (error) {
      isLeaving = false;
      game.say(faultText(error) || t("server-away"));
    }
  };
  const game = openGame(section, id, {
    settings,
    play: (name) => void withEnd(({ play }) => play(name)),
    onState(state) {
      kind = state;
    },
    onEnd(end, state, delay) {
      if (!settings.get("welcomed")) settings.set("welcomed", true);
      const isSudden = performance.now() - opened > 1000;
      withEnd(({ showEnd }) => showEnd(top, end, {
        state,
        keys: settings.get("keys"),
        delay,
        isSudden,
        onAgain: playAgain,
        onSame: () => game.restart(),
        onShare: (board) => import("./share.js").then(({ openShare }) => openShare(board), () => game.say(t("server-away"))),
        onLeave: () => goTo("#"),
      }));
    },
    onReview: (review) => void withEnd(({ showReview }) => showReview(top, review)),
    onSaving: (isSaved) => void withEnd(({ showSaving }) => showSaving(top, isSaved)),
    onRestart: hideEnd,
    onNew: playAgain,
    onLeave: () => goTo("#"),
    onMissing: () => leaveWith(t(made.has(id) ? "game-lost-again" : "game-missing")),
  });
  return {
    close() {
      game.close();
      hideEnd();
    },
  };
}

/** @param {string} screen */
function titleOf(screen) {
  return t(`title-${screen}`);
}

/** @param {string} screen */
function markScreen(screen) {
  for (const [name, section] of sections) {
    section.hidden = name !== screen;
    if (section.hidden && name !== "game") section.replaceChildren();
  }
  document.documentElement.dataset.screen = screen;
  document.title = screen === "menu" ? "sapper" : t("screen-title", { title: titleOf(screen) });
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-page]"))) {
    if (link.dataset.page === screen) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  scrollTo(0, 0);
}

async function render() {
  visit += 1;
  const here = visit;
  const { screen, value } = readAddress(location.pathname, fragmentOf(location));
  for (const dialog of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog[open]"))) dialog.close(); // it was about what was here
  shown?.close?.();
  shown = null;
  tellTrouble(false);
  if (screen === "code") return void openCode(value);
  if (screen === "menu" && !isFragment(location.hash)) notice ||= t("no-page-at", { place: location.hash });
  markScreen(screen);
  const section = get(`section[data-screen="${screen}"]`);
  const show = screen === "menu" ? menu : await getPart(screen, PARTS[screen], troubled(() => here === visit));
  if (here !== visit) return;
  tellTrouble(false);
  shown = (show ?? showHeldBack)(section, value, titleOf(screen)) ?? null;
  notice = "";
  if (visit > 1 && screen !== "game") /** @type {HTMLElement | null} */ (section.querySelector("h1"))?.focus({ preventScroll: true });
}

/** How a part of the page is waited for. @param {() => boolean} isWanted */
function troubled(isWanted) {
  return { isWanted, answers: () => api.player().then(() => true, () => false), onTrouble: () => tellTrouble(true) };
}

/** @type {Show} */
function showHeldBack(section, _, title) {
  const retry = { type: "button", class: "button primary", onclick: () => location.reload() };
  const place = section.querySelector("[data-play]") ?? section;
  place.replaceChildren(
    h(
      "div",
      { class: "sheet" },
      h("h1", { tabindex: -1 }, title),
      h("p", { class: "notice", role: "alert" }, t("part-held-back")),
      h("button", retry, t("try-again")),
    ),
  );
}

/** @param {boolean} [broken] whether a part of the page is missing; if left out, as before */
function tellTrouble(broken = isBroken) {
  isBroken = broken;
  const words = api.isAway() ? t("server-away") : isBroken ? t("part-tried-again") : "";
  awayLine.textContent = words;
  awayLine.hidden = !words;
}

/** While nothing happens: what this server has as its defaults, and the game, so that Play is quick. */
function prepare() {
  keepPage();
  api.presets().then(({ defaults }) => settings.useDefaults(defaults), () => {});
  Promise.all([loadGame(), loadEnd()]).catch(() => {});
  new Worker(new URL("./first_number.js", import.meta.url));
  document.body.append(h("i", { class: "shapes" }));
}

wordPage();
addEventListener("hashchange", render);
get("[data-skip]").addEventListener("click", (event) => {
  event.preventDefault();
  get("#app").focus();
});
api.onAway((away) => {
  tellTrouble();
  if (!away && (isBroken || document.documentElement.dataset.screen !== "game")) render();
});
if (location.pathname === "/" && location.search) history.replaceState(null, "", `/${fragmentOf(location)}`);
if (!isPlace(location.pathname)) {
  notice = t("no-page-at", { place: location.pathname });
  history.replaceState(null, "", "/");
}
afterFrame(render); // with the frame of the page itself it would hold a slow phone up
setTimeout(prepare, 1500);
