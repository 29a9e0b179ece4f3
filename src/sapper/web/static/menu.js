/**
 * The menu: Play, how many games were played and won, boards to choose with one's best times, games to go on with.
 *
 * Knows: what a player may do first. Does not know: games, how a request is made in detail (new_game.js).
 */

import { faultText } from "./api.js";
import { ask } from "./dialog.js";
import { complain, get, h } from "./dom.js";
import { icon } from "./icons.js";
import { exactTimeText, percentText, timeText } from "./format.js";
import { drawSample } from "./sample.js";
import { keyOf } from "./choices.js";
import { isGoing } from "./room.js";
import { CHOICES, kindText, presetName, sizeText, requestText, withHabits } from "./game_request.js";
import { t } from "./words.js";

/** @import { Api, KindBestTimes, OpenGame, Player, Settings, GameRequest } from "./types.js" */

/** @typedef {(event: MouseEvent, request: GameRequest) => void} Starter */

const SHOWN = 3;

/**
 * @param {HTMLElement} section
 * @param {{api: Api, settings: Settings, start: (request: GameRequest) => Promise<boolean>, notice: string}} context
 * @returns {{close: () => void}}
 */
export function showMenu(section, { api, settings, start, notice }) {
  let isOpen = true;
  const said = h("p", { class: "notice", role: "status" }, notice);
  const going = h("div", { class: "going" });
  const counts = makeCounts();
  const play = makeStarter(said, start, settings);
  const knows = settings.get("welcomed");
  const choices = makeChoices(play, knows);

  const last = settings.get("lastGame");
  const playing = { type: "button", onclick: (/** @type {MouseEvent} */ event) => play(event, last) };
  const sheet = h(
    "div",
    { class: "sheet menu waiting" },
    said,
    h(
      "div",
      { class: "hero" },
      h(
        "div",
        { class: "hero-words" },
        h("h1", { tabindex: -1 }, "sapper"),
        h("p", { class: "tagline" }, t("tagline")),
        h("button", { class: "button primary big play", "aria-describedby": "play-what", ...playing }, t("play")),
        h("p", { class: "muted small", id: "play-what" }, requestText(last)),
        counts.element,
      ),
      h("div", { class: "hero-board" }, drawSample(), makeGuide(knows)),
    ),
    choices.element,
    going,
    makeLinks(),
  );
  section.replaceChildren(sheet);
  api.player().then(
    (player) => {
      if (!isOpen) return;
      counts.show(player);
      if (player.won && knows) api.statistics({ category: "plain" }).then(({ best_times: times }) => isOpen && choices.showBest(times), () => {});
      if (player.played > 0 !== knows) settings.set("welcomed", !knows); // for the next time: nothing moves that is shown
    },
    () => counts.show(null),
  );
  showGoing(going, api, said, () => isOpen).then(() => sheet.classList.remove("waiting"));
  const keys = new AbortController();
  addEventListener("keydown", (event) => pressPlay(section, settings, event), { signal: keys.signal });
  return {
    close() {
      isOpen = false;
      keys.abort();
    },
  };
}

/** The key for a new game plays from here, too. @param {HTMLElement} section @param {Settings} settings @param {KeyboardEvent} event */
function pressPlay(section, settings, event) {
  if (event.repeat || document.querySelector("dialog[open]")) return;
  const key = keyOf(event);
  if (key === null || !settings.get("keys").new.includes(key)) return;
  event.preventDefault();
  get(".play", section).click();
}

function makeCounts() {
  const played = h("span", { class: "numbers" });
  const won = h("span", { class: "numbers" });
  const element = h(
    "p",
    { class: "counts unknown" },
    h("span", { class: "count" }, t("games-played"), played),
    h("span", { class: "count" }, t("games-won"), won),
  );
  const show = (/** @type {Player | null} */ player) => {
    played.textContent = String(player?.played ?? "–");
    won.textContent = String(player?.won ?? "–");
    element.classList.remove("unknown");
  };
  return { element, show };
}

/**
 * Starts games from buttons: one at a time, and whatever goes wrong is said.
 * @param {HTMLElement} said
 * @param {(request: GameRequest) => Promise<boolean>} start
 * @param {Settings} settings
 * @returns {Starter}
 */
function makeStarter(said, start, settings) {
  let busy = false;
  return async ({ currentTarget: button }, request) => {
    if (busy || !(button instanceof HTMLElement)) return;
    busy = true;
    button.setAttribute("aria-disabled", "true");
    try {
      settings.set("lastGame", request);
      said.textContent = "";
      await start(withHabits(request, settings));
    } catch (error) {
      (button.closest(".hero-words, .part") ?? button).append(said); // where the hand is
      complain(said, faultText(error));
    } finally {
      busy = false;
      button.removeAttribute("aria-disabled");
    }
  };
}

/** @param {Starter} play @param {boolean} hasTimes whether there is room for best times */
function makeChoices(play, hasTimes) {
  /** The best time of each preset. @type {Map<string, HTMLElement>} */
  const bests = new Map();
  /** @param {string} name @param {string} size @param {import("./dom.js").Properties} properties @param {"button" | "a"} tag */
  const card = (name, size, properties, tag = "button") => {
    const best = h("span", { class: "best small numbers", hidden: !hasTimes });
    if (tag === "button") bests.set(properties["data-preset"], best);
    const words = [h("span", { class: "choice-name" }, name), h("span", { class: "muted small" }, size), best];
    return h("li", {}, h(tag, { class: "choice", ...properties }, words));
  };
  const preset = (/** @type {string} */ name) => ({
    type: "button",
    "data-preset": name,
    onclick: (/** @type {MouseEvent} */ event) => play(event, { preset: name }),
  });
  const element = h(
    "section",
    { class: "part", "aria-labelledby": "choices" },
    h("h2", { id: "choices" }, t("choose-board")),
    h(
      "ul",
      { class: "choices" },
      ...CHOICES.map((choice) => card(presetName(choice.preset), sizeText(choice), preset(choice.preset))),
      card(t("own-board"), t("own-board-hint"), { href: "#new" }, "a"),
      card(t("title-daily"), t("daily-menu"), { href: "/daily" }, "a"),
    ),
  );
  /** @param {KindBestTimes[]} times */
  const showBest = (times) => {
    for (const { preset: name, no_guess: noGuess, games } of times) {
      const best = noGuess || !name ? undefined : bests.get(name);
      if (!best || !games.length) continue;
      best.textContent = t("card-best", { time: exactTimeText(games[0].time) });
    }
  };
  return { element, showBest };
}

/** The pages that are a tap away. */
function makeLinks() {
  const links = /** @type {const} */ ([["/practice", "practice-title"], ["/recording", "review-recording"], ["/#statistics", "best-times"]]);
  return h("p", { class: "links" }, ...links.map(([href, words]) => h("a", { href }, t(words))));
}

/** @param {boolean} knows whether the player has played before */
function makeGuide(knows) {
  const words = [
    h("p", {}, t("guide-reveal")),
    h("p", {}, t("guide-sample")),
    h("p", { class: "by-mouse" }, t("guide-mouse")),
    h("p", { class: "by-touch" }, t("guide-touch")),
    h("p", {}, t("guide-stuck")),
  ];
  const content = knows
    ? h("details", {}, h("summary", {}, t("how-to-play")), ...words)
    : h("div", { class: "welcome" }, h("h2", {}, t("new-here")), ...words);
  return h("div", { class: "guide" }, content);
}

// --- games to go on with -------------------------------------------------------------------------------

/** @param {HTMLElement} place @param {Api} api @param {HTMLElement} said @param {() => boolean} isOpen */
async function showGoing(place, api, said, isOpen) {
  /** @type {OpenGame[]} */
  let games;
  try {
    ({ games } = await api.games());
  } catch (error) {
    if (isOpen()) said.textContent ||= faultText(error);
    return;
  }
  if (!isOpen()) return;
  fillGoing(place, api, said, games.filter(isGoing), false);
}

/** @param {HTMLElement} place @param {Api} api @param {HTMLElement} said @param {OpenGame[]} games @param {boolean} all */
function fillGoing(place, api, said, games, all) {
  if (!games.length) return void place.replaceChildren();
  const giveUp = async (/** @type {OpenGame} */ game) => {
    const sure = await ask({
      title: t("give-up-question"),
      text: t("give-up-text", { game: kindText(game), time: timeText(game.time) }),
      yes: t("give-up"),
      no: t("keep-it"),
      danger: true,
    });
    if (!sure) return;
    try {
      await api.giveUp(game.game);
      fillGoing(place, api, said, games.filter((other) => other !== game), all);
      place.querySelector("a")?.focus();
    } catch (error) {
      place.append(said);
      complain(said, faultText(error));
    }
  };
  const shown = all ? games : games.slice(0, SHOWN);
  const showAll = { type: "button", class: "button quiet", onclick: () => fillGoing(place, api, said, games, true) };
  const more = games.length > shown.length ? h("button", showAll, t("show-all-games", { count: games.length })) : null;
  place.replaceChildren(
    h(
      "section",
      { class: "part", "aria-labelledby": "going" },
      h("h2", { id: "going" }, t("go-on-with", { count: games.length })),
      h("ul", { class: "games" }, ...shown.map((game) => makeGame(game, () => giveUp(game)))),
      more,
    ),
  );
}

/** @param {OpenGame} game @param {() => void} giveUp */
function makeGame(game, giveUp) {
  const revealed = 1 - game.covered / (game.width * game.height);
  const details = t("game-so-far", { time: timeText(game.time), share: percentText(revealed) });
  const label = t("give-up-game", { game: kindText(game) });
  const what = { class: "button quiet icon-only", "aria-label": label, title: t("give-up"), onclick: giveUp };
  return h(
    "li",
    { class: "game-row" },
    h(
      "a",
      { href: `#game=${encodeURIComponent(game.game)}`, class: "game-link" },
      h("span", { class: "choice-name" }, kindText(game)),
      h("span", { class: "muted small" }, details),
    ),
    h("button", { type: "button", ...what }, icon("close")),
  );
}
