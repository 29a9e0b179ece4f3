/**
 * What a player has chosen, kept in this browser, and shown as data attributes on <html>.
 *
 * Whatever storage holds is checked value by value: what is no longer understood becomes the default, and a browser
 * without storage keeps choices until the page is closed.
 *
 * Knows: where choices are kept, and who wants to know of a change.
 * Does not know: which there are (choices.js), how they are shown (settings_screen.js), what a key does (keyboard.js).
 */

import { KNOWN, isFine, isKnown, understood } from "./choices.js";

/** @import { Choices } from "./types.js" */

const STORED = "sapper.settings";

const defaults = /** @type {Choices} */ (/** @type {unknown} */ (
  Object.fromEntries(Object.entries(KNOWN).map(([key, [value]]) => [key, value]))
));
/** @type {Set<(key: string) => void>} */
const listeners = new Set();
let chosen = readStorage();

/** @returns {Partial<Choices>} */
function readStorage() {
  try {
    return understood(JSON.parse(localStorage.getItem(STORED) ?? "{}"));
  } catch {
    return {}; // no storage, or nothing readable in it
  }
}

function writeStorage() {
  try {
    localStorage.setItem(STORED, JSON.stringify(chosen));
  } catch {
    // Private windows and full storage: the choice holds until the page is closed.
  }
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const calmSystem = matchMedia("(prefers-reduced-motion: reduce)");

/** Shows the settings that are looks on <html>, for style sheets. */
function show() {
  const { dataset } = document.documentElement;
  const theme = settings.get("theme");
  dataset.theme = theme === "auto" ? (darkSystem.matches ? "dark" : "light") : theme;
  dataset.palette = settings.get("palette");
  dataset.thumb = settings.get("thumb");
  dataset.motion = settings.get("motion") === "less" || calmSystem.matches ? "less" : "full";
}

/** @param {string} key */
function tell(key) {
  show();
  for (const listener of listeners) listener(key);
}

export const settings = {
  /**
   * @template {keyof Choices} K
   * @param {K} key
   * @returns {Choices[K]} the value chosen, else the default
   */
  get(key) {
    if (!isKnown(key)) throw new RangeError(`there is no setting ${key}`);
    return chosen[key] ?? defaults[key];
  },

  /**
   * @template {keyof Choices} K
   * @param {K} key
   * @param {Choices[K]} value a RangeError if the setting cannot have it
   */
  set(key, value) {
    if (!isFine(key, value)) throw new RangeError(`${key} cannot be ${value}`);
    chosen = { ...chosen, [key]: value };
    writeStorage();
    tell(key);
  },

  /** Back to the defaults: one setting, or all of them. @param {keyof Choices} [key] */
  reset(key) {
    if (key === undefined) chosen = {};
    else chosen = Object.fromEntries(Object.entries(chosen).filter(([name]) => name !== key));
    writeStorage();
    tell(key ?? "all");
  },

  /** Whether a player chose it here. @param {string} key */
  isChosen(key) {
    return Object.hasOwn(chosen, key);
  },

  /**
   * What this server has as its defaults; values that are not understood are left out.
   * @param {object} values
   */
  useDefaults(values) {
    const fine = understood(values);
    const isNew = /** @param {string} key */ (key) => isKnown(key) && fine[key] !== defaults[key];
    const changed = Object.keys(fine).some(isNew);
    Object.assign(defaults, fine);
    if (changed) tell("all");
  },

  /**
   * @param {(key: string) => void} listener called after each change; with "all" when many changed
   * @returns {() => void} ends it
   */
  onChange(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

addEventListener("storage", (event) => {
  if (event.key !== STORED && event.key !== null) return;
  chosen = readStorage();
  tell("all");
});
darkSystem.addEventListener("change", () => tell("theme"));
calmSystem.addEventListener("change", () => tell("motion"));
show();
