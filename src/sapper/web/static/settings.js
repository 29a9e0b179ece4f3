/**
 * What a player has chosen, kept in this browser, and shown as data attributes on <html>.
 *
 * Whatever storage holds is checked value by value: what is no longer understood becomes the default, and a browser
 * without storage keeps choices until the page is closed.
 *
 * Knows: the settings, their defaults, and which values are fine.
 * Does not know: how they are shown or changed (settings_screen.js), what a key does (keyboard.js).
 */

const STORED = "sapper.settings";

/** The actions that keys can be given, in the order in which they are shown. */
export const ACTIONS = Object.freeze([
  "up", "down", "left", "right", "reveal", "flag", "chord", "undo", "hint", "status", "pause", "new", "same", "end",
]);

/** The keys as they are before anything is changed: for each action some names as `keyOf` gives them. */
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

const oneOf = (...values) => (value) => values.includes(value);
const isSwitch = (value) => typeof value === "boolean";
const isKey = (key) => typeof key === "string" && key !== "";
const isKeyList = (list) => Array.isArray(list) && list.length <= 4 && list.every(isKey);

function isKeys(value) {
  return value !== null && typeof value === "object" && ACTIONS.every((action) => isKeyList(value[action]));
}

/** Keys that were chosen before an action was there: it has its default keys, but for those that are taken. */
function withAllActions(found) {
  const { keys } = found;
  if (keys === null || typeof keys !== "object") return found;
  const taken = new Set(Object.values(keys).flat());
  const fresh = ACTIONS.filter((action) => !Object.hasOwn(keys, action));
  const added = fresh.map((action) => [action, DEFAULT_KEYS[action].filter((key) => !taken.has(key))]);
  return { ...found, keys: { ...keys, ...Object.fromEntries(added) } };
}

function isWish(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Each setting: its default, and what may be in it. */
const KNOWN = {
  keys: [DEFAULT_KEYS, isKeys],
  palette: ["classic", oneOf("classic", "clear")],
  theme: ["auto", oneOf("auto", "light", "dark")],
  singleClickChord: [true, isSwitch],
  chording: [true, isSwitch],
  questionMarks: [false, isSwitch],
  sound: [false, isSwitch],
  motion: ["auto", oneOf("auto", "less")],
  flagMode: [true, isSwitch],
  lastGame: [{ preset: "beginner" }, isWish],
  welcomed: [false, isSwitch],
};

const defaults = Object.fromEntries(Object.entries(KNOWN).map(([key, [value]]) => [key, value]));
const listeners = new Set();
let chosen = readStorage();

function readStorage() {
  let found = {};
  try {
    found = withAllActions(JSON.parse(localStorage.getItem(STORED)) ?? {});
  } catch {
    return {};
  }
  const fine = Object.entries(found).filter(([key, value]) => Object.hasOwn(KNOWN, key) && KNOWN[key][1](value));
  return Object.fromEntries(fine);
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
  dataset.motion = settings.get("motion") === "less" || calmSystem.matches ? "less" : "full";
}

function tell(key) {
  show();
  for (const listener of listeners) listener(key);
}

export const settings = {
  /**
   * @param {string} key
   * @returns {any} the value chosen, else the default
   */
  get(key) {
    if (!Object.hasOwn(KNOWN, key)) throw new RangeError(`there is no setting ${key}`);
    return Object.hasOwn(chosen, key) ? chosen[key] : defaults[key];
  },

  /**
   * @param {string} key
   * @param {any} value a RangeError if the setting cannot have it
   */
  set(key, value) {
    if (!Object.hasOwn(KNOWN, key) || !KNOWN[key][1](value)) throw new RangeError(`${key} cannot be ${value}`);
    chosen = { ...chosen, [key]: value };
    writeStorage();
    tell(key);
  },

  /** Back to the defaults: one setting, or all of them. @param {string} [key] */
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

  /** What this server has as its defaults; values that are not understood are left out. @param {object} values */
  useDefaults(values) {
    let changed = false;
    for (const [key, value] of Object.entries(values ?? {})) {
      if (!Object.hasOwn(KNOWN, key) || !KNOWN[key][1](value) || defaults[key] === value) continue;
      defaults[key] = value;
      changed = true;
    }
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

/**
 * The name of a key that was pressed: characters in lower case, others as browsers name them.
 * @param {KeyboardEvent} event
 * @returns {string | null} null with Ctrl, Alt or Meta, which belong to the browser
 */
export function keyOf(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return null;
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

addEventListener("storage", (event) => {
  if (event.key !== STORED && event.key !== null) return;
  chosen = readStorage();
  tell("all");
});
darkSystem.addEventListener("change", () => tell("theme"));
calmSystem.addEventListener("change", () => tell("motion"));
show();
