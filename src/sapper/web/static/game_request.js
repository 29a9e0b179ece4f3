/**
 * What a new game shall be: said in words, made from a game that was played, read from what was pasted.
 *
 * Knows: the fields of a new game in the protocol; the form of codes and share links.
 * Does not know: screens, the server.
 */

import { linkPart } from "./places.js";
import { hasWords, t } from "./words.js";

/** @import { Kind, Settings, SizeAndMines, GameRequest } from "./types.js" */

/** The presets that are offered first, as they get harder, with their boards. */
export const CHOICES = Object.freeze([
  { preset: "beginner8", width: 8, height: 8, mine_count: 10 },
  { preset: "beginner", width: 9, height: 9, mine_count: 10 },
  { preset: "intermediate", width: 16, height: 16, mine_count: 40 },
  { preset: "expert", width: 30, height: 16, mine_count: 99 },
]);

/** @param {string | null | undefined} preset @returns {string} its name for a player */
export function presetName(preset) {
  if (!preset) return t("preset-custom");
  return hasWords(`preset-${preset}`) ? t(`preset-${preset}`) : preset.replace(/^./, (letter) => letter.toUpperCase());
}

/** @param {SizeAndMines} board @returns {string} `9 × 9, 10 mines` */
export function sizeText({ width, height, mine_count }) {
  return t("size", { width, height, mines: mine_count });
}

/**
 * @param {Pick<Kind, "preset" | "width" | "height" | "mine_count" | "no_guess">} game a state, or one of a list of games
 * @returns {string} the kind of game that it is
 */
export function kindText(game) {
  return `${presetName(game.preset)} · ${sizeText(game)}${game.no_guess ? ` · ${t("no-guessing")}` : ""}`;
}

/** @param {GameRequest} request @returns {string} the kind of game in a few words */
export function requestText(request) {
  const { width, height, mine_count } = CHOICES.find((choice) => choice.preset === request.preset) ?? request;
  const parts = [presetName(request.preset)];
  if (width && height && mine_count) parts.push(sizeText({ width, height, mine_count }));
  if (request.no_guess) parts.push(t("no-guessing"));
  if (request.start === "any") parts.push(t("any-first-cell"));
  return parts.join(" · ");
}

/**
 * What a request becomes with the player's standing choices, where the game leaves them open.
 * @param {GameRequest} request
 * @param {Pick<Settings, "get">} settings
 * @returns {GameRequest}
 */
export function withHabits(request, settings) {
  if (request.code || (request.preset && !CHOICES.some((choice) => choice.preset === request.preset))) return request;
  /** @type {GameRequest} */
  const habits = {};
  if (!settings.get("chording")) habits.chording = false;
  if (settings.get("questionMarks")) habits.question_marks = true;
  return { ...habits, ...request };
}

/**
 * The request for another game of the kind that was just played.
 * @param {Kind} state a game's
 * @returns {GameRequest}
 */
export function again(state) {
  const { rules, width, height, mine_count } = state;
  const preset = state.preset?.replace(/^daily-/, "");
  const board = preset ? { preset } : { rules: rules.name.split("+")[0], width, height, mine_count };
  const request = { ...board, start: rules.start, chording: rules.chording, question_marks: rules.question_marks };
  return state.no_guess ? { ...request, no_guess: true } : request;
}

/** @param {string} code @returns {string} where its board is opened, to be sent to others */
export function shareLink(code) {
  return `${location.origin}/${linkPart("code", code)}`;
}

/**
 * The code in what a player pasted: a code, or a link with one.
 * @param {string} text
 * @returns {string}
 */
export function normalCode(text) {
  const trimmed = text.trim();
  const link = /[#?]code=(.*)$/s.exec(trimmed);
  if (!link) return trimmed;
  try {
    return decodeURIComponent(link[1]).trim();
  } catch {
    return link[1].trim();
  }
}
