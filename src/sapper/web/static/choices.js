/**
 * What a player can choose: the names, the defaults, and which values are fine.
 *
 * Knows: every setting. Does not know: where they are kept (settings.js), how they are shown (settings_screen.js).
 */

/** @import { Action, Choices, Keys } from "./types.js" */

/**
 * The actions that keys can be given, in the order in which they are shown.
 * @type {readonly Action[]}
 */
export const ACTIONS = Object.freeze([
  "up", "down", "left", "right", "reveal", "flag", "chord", "undo", "hint", "status", "pause", "new", "same", "end",
]);

/**
 * The keys as they are before anything is changed: for each action some names as `keyOf` gives them.
 * @type {Readonly<Keys>}
 */
export const DEFAULT_KEYS = Object.freeze({
  up: ["ArrowUp", "w"],
  down: ["ArrowDown", "s"],
  left: ["ArrowLeft", "a"],
  right: ["ArrowRight", "d"],
  reveal: [" ", "Enter"],
  flag: ["f"],
  chord: ["c"],
  undo: ["u"],
  hint: ["h"],
  status: ["i"],
  pause: ["p"],
  new: ["F2"],
  same: ["F3"],
  end: ["Escape"],
});

/** @typedef {(value: unknown) => boolean} Check */

/** @param {...string} values @returns {Check} */
const oneOf = (...values) => (value) => typeof value === "string" && values.includes(value);
/** @type {Check} */
const isSwitch = (value) => typeof value === "boolean";
/** @type {Check} */
const isText = (value) => typeof value === "string" && value !== "" && value.length <= 1000;
/** @type {Check} */
const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 1;
/** @type {Check} */
const isKeyList = (list) => Array.isArray(list) && list.length <= 4 && list.every(isText);

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isRecord(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** @param {unknown} value */
function isKeys(value) {
  return isRecord(value) && ACTIONS.every((action) => isKeyList(value[action]));
}

/**
 * The fields that a kept request may have, each with what may be in it: no code and no seed, which are for one game.
 * @type {Record<string, Check>}
 */
const REQUEST = {
  preset: isText,
  rules: isText,
  width: isCount,
  height: isCount,
  mine_count: isCount,
  start: oneOf("any", "safe", "open"),
  chording: isSwitch,
  question_marks: isSwitch,
  no_guess: isSwitch,
};

/** @param {unknown} value */
function isRequest(value) {
  return isRecord(value) && Object.entries(value).every(([name, one]) => Object.hasOwn(REQUEST, name) && REQUEST[name](one));
}

/**
 * Each setting: its default, and what may be in it.
 * @type {{readonly [K in keyof Choices]: readonly [Choices[K], Check]}}
 */
export const KNOWN = Object.freeze({
  keys: [DEFAULT_KEYS, isKeys],
  palette: ["classic", oneOf("classic", "clear")],
  theme: ["auto", oneOf("auto", "light", "dark")],
  language: ["auto", isText],
  advisor: ["second-opinion", oneOf("best-reply", "second-opinion", "playouts")],
  singleClickChord: [true, isSwitch],
  chording: [true, isSwitch],
  questionMarks: [false, isSwitch],
  openAtRelease: [false, isSwitch],
  dimSatisfied: [false, isSwitch],
  lessFlags: [false, isSwitch],
  clickFlags: [false, isSwitch],
  rightFlags: [false, isSwitch],
  coordinates: [false, isSwitch],
  sound: [false, isSwitch],
  motion: ["auto", oneOf("auto", "less")],
  flagMode: [true, isSwitch],
  thumb: ["right", oneOf("right", "left")],
  hold: ["normal", oneOf("short", "normal", "long")],
  turned: [false, isSwitch],
  lastGame: [{ preset: "beginner" }, isRequest],
  welcomed: [false, isSwitch],
});

/** @param {string} key @returns {key is keyof Choices} */
export function isKnown(key) {
  return Object.hasOwn(KNOWN, key);
}

/**
 * Whether a setting can have a value.
 * @param {string} key
 * @param {unknown} value
 * @returns {boolean}
 */
export function isFine(key, value) {
  return isKnown(key) && KNOWN[key][1](value);
}

/**
 * What of some values is understood; the rest is left out.
 * @param {unknown} found whatever it was that was kept
 * @returns {Partial<Choices>}
 */
export function understood(found) {
  if (!isRecord(found)) return {};
  return Object.fromEntries(Object.entries(withAllActions(found)).filter(([key, value]) => isFine(key, value)));
}

/**
 * Keys that were chosen before an action was there: it has its default keys, but for those that are taken.
 * @param {Record<string, unknown>} found
 * @returns {Record<string, unknown>}
 */
function withAllActions(found) {
  const { keys } = found;
  if (!isRecord(keys)) return found;
  const taken = new Set(Object.values(keys).flat());
  const fresh = ACTIONS.filter((action) => !Object.hasOwn(keys, action));
  const added = fresh.map((action) => [action, DEFAULT_KEYS[action].filter((key) => !taken.has(key))]);
  return { ...found, keys: { ...keys, ...Object.fromEntries(added) } };
}

/**
 * The name of a key that was pressed: characters in lower case, others as browsers name them.
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey" | "isComposing">} event
 * @returns {string | null} null with Ctrl, Alt or Meta, which belong to the browser
 */
export function keyOf(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return null;
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}
