/**
 * Which screen is shown: the location says it, so that back, forward and reload work everywhere.
 *
 * `#` menu, `#new`, `#game=ID`, `#statistics`, `#settings`, and `#code=CODE`, which starts that board and becomes its game.
 *
 * Knows: the screens and when each begins and ends; that the server may be away.
 * Does not know: what is on a screen.
 */

import { api } from "./api.js";
import { hideEnd, showEnd, showReview } from "./end.js";
import { openGame } from "./game.js";
import { showMenu } from "./menu.js";
import { showNewGame } from "./new_game.js";
import { settings } from "./settings.js";
import { showSettings } from "./settings_screen.js";
import { play } from "./sound.js";
import { showStatistics } from "./statistics.js";
import { again, normalCode } from "./wish.js";

const TITLES = { menu: "sapper", new: "New game", game: "Game", statistics: "Statistics", settings: "Settings" };
const AWAY = "The server cannot be reached just now. Nothing is lost: this page goes on by itself as soon as it can.";

const sections = new Map([...document.querySelectorAll("[data-screen]")].map((one) => [one.dataset.screen, one]));
const awayLine = document.querySelector("[data-away]");
let shown = null;
let notice = "";
let visit = 0;

/** @returns {{screen: string, value: string}} what a location's fragment asks for */
function readPlace(hash) {
  const [, name, value] = /^#?([^=]*)=?(.*)$/s.exec(hash);
  if ((name === "game" || name === "code") && value) return { screen: name, value: decode(value) };
  return { screen: sections.has(name) && name !== "game" ? name : "menu", value: "" };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function goTo(hash, { replace = false } = {}) {
  if (location.hash === hash || (hash === "#" && location.hash === "")) return render();
  if (!replace) return void (location.hash = hash);
  history.replaceState(null, "", hash);
  return render();
}

/** Starts a game and shows it. The caller says it where that fails. @param {object} wish as in the protocol */
async function start(wish, { replace = false } = {}) {
  const { game } = await api.newGame(wish);
  goTo(`#game=${game}`, { replace });
}

function leaveWith(message) {
  notice = message;
  goTo("#", { replace: true });
}

async function openCode(code) {
  const here = visit;
  try {
    await start({ code: normalCode(code) }, { replace: true });
  } catch (error) {
    if (here !== visit || error.code === "away") return;
    leaveWith(`That link opens no board: ${error.message}`);
  }
}

function showGame(section, id) {
  const top = section.querySelector("[data-end]");
  hideEnd(top);
  let kind = null;
  const playAgain = async () => {
    try {
      await start(kind ? again(kind) : settings.get("lastGame"));
    } catch (error) {
      leaveWith(error.message);
    }
  };
  const game = openGame(section, id, {
    api,
    settings,
    play,
    onEnd(end, state) {
      kind = state;
      if (end.status === "terminated") return leaveWith("");
      showEnd(top, end, { state, onAgain: playAgain, onSame: () => game.restart(), onLeave: () => goTo("#") });
    },
    onReview: (review) => showReview(top, review),
    onRestart: () => hideEnd(top),
    onNew: playAgain,
    onLeave: () => goTo("#"),
    onMissing: () => leaveWith("That game is not there any more. It may have been given up, or belong to another browser."),
  });
  return game;
}

const SCREENS = {
  menu: (section) => showMenu(section, { api, settings, start, notice }),
  new: (section) => showNewGame(section, { api, settings, start }),
  game: showGame,
  statistics: (section) => showStatistics(section, { api, leave: () => goTo("#") }),
  settings: (section) => showSettings(section, { api, settings }),
};

function render() {
  visit += 1;
  const { screen, value } = readPlace(location.hash);
  shown?.close?.();
  shown = null;
  if (screen === "code") return void openCode(value);
  for (const [name, section] of sections) section.hidden = name !== screen;
  document.documentElement.dataset.screen = screen;
  document.title = screen === "menu" ? "sapper" : `${TITLES[screen]} – sapper`;
  for (const link of document.querySelectorAll("[data-page]")) {
    if (link.dataset.page === screen) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  scrollTo(0, 0);
  shown = SCREENS[screen](sections.get(screen), value) ?? null;
  notice = "";
  if (visit > 1 && screen !== "game") sections.get(screen).querySelector("h1")?.focus({ preventScroll: true });
}

addEventListener("hashchange", render);
document.querySelector("[data-skip]").addEventListener("click", (event) => {
  event.preventDefault();
  document.querySelector("#app").focus();
});
api.onAway((away) => {
  awayLine.textContent = away ? AWAY : "";
  awayLine.hidden = !away;
  if (!away && document.documentElement.dataset.screen !== "game") render();
});
render();
