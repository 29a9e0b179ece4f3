/**
 * The settings, changed as soon as they are touched and kept in this browser.
 *
 * Knows: what each setting is called and explained by. Does not know: what settings do.
 */

import { ask } from "./dialog.js";
import { get, h } from "./dom.js";
import { byHand, choiceField, switchField } from "./fields.js";
import { KeyFields } from "./key_fields.js";
import { play } from "./sound.js";

/** @import { Choices, Settings } from "./types.js" */

const ADVISORS = "Whose guess a hint names where no cell is safe. Playouts take longer: they play on from each guess, again and again.";
const PALETTES = "Clear is for every kind of colour vision, with marks below the numbers.";
/** What the switches do, by mouse and by touch. */
/** @type {[mouse: string, touch: string]} */
const CHORDING = [
  "Clicking a number that has all its flags reveals the rest around it. Holds for new games.",
  "Tapping a number that has all its flags reveals the rest around it. Holds for new games.",
];
/** @type {[mouse: string, touch: string]} */
const CHORD_BY_CLICK = [
  "A single left click on a number chords. Otherwise the middle button, or both, or the key.",
  "A tap on a number chords. Otherwise a long press does.",
];
/** @type {[mouse: string, touch: string]} */
const QUESTIONS = [
  "A second right click turns a flag into a question mark. Holds for new games.",
  "A second long press turns a flag into a question mark. Holds for new games.",
];

/**
 * @param {HTMLElement} section
 * @param {{settings: Settings}} context
 * @returns {{close: () => void}}
 */
export function showSettings(section, { settings }) {
  const keys = new KeyFields(settings);
  /** @param {"theme" | "palette" | "motion" | "advisor"} key @param {string} legend @param {[string, string][]} choices @param {string} [hint] */
  const chosen = (key, legend, choices, hint) => {
    const change = (/** @type {string} */ value) => settings.set(key, /** @type {Choices[typeof key]} */ (value));
    return choiceField(legend, key, choices, settings.get(key), change, hint);
  };
  /**
   * @param {"chording" | "singleClickChord" | "questionMarks" | "openAtRelease" | "coordinates" | "flagMode" | "sound"} key
   * @param {string | HTMLElement[]} words
   * @param {string | HTMLElement[]} hint
   * @param {(on: boolean) => void} [change]
   */
  const toggle = (key, words, hint, change = (on) => settings.set(key, on)) =>
    switchField(words, hint, { checked: settings.get(key), change });
  const loud = (/** @type {boolean} */ on) => {
    settings.set("sound", on);
    if (on) play("cascade");
  };
  const startAgain = async () => {
    const text = "Looks, habits and keys become as they were on your first visit. Games and statistics stay.";
    if (!(await ask({ title: "Reset all settings?", text, yes: "Reset", danger: true }))) return;
    keys.close();
    settings.reset();
    showSettings(section, { settings });
    get("h1", section).focus();
  };
  section.replaceChildren(
    h(
      "div",
      { class: "sheet narrow" },
      h("h1", { tabindex: -1 }, "Settings"),
      part(
        "Looks",
        chosen("theme", "Theme", [["auto", "Automatic"], ["light", "Light"], ["dark", "Dark"]]),
        chosen("palette", "Colours of the numbers", [["classic", "Classic"], ["clear", "Clear"]], PALETTES),
        makeDigits(),
        toggle("coordinates", "Coordinates", "Letters for the columns and numbers for the rows at the edges of boards, as in c4."),
        chosen("motion", "Motion", [["auto", "Automatic"], ["less", "Less"]]),
      ),
      part(
        "Play",
        h(
          "div",
          { class: "lines" },
          toggle("chording", "Chording", byHand(...CHORDING)),
          toggle("singleClickChord", byHand("Chord with one click", "Chord with a tap"), byHand(...CHORD_BY_CLICK)),
          toggle("questionMarks", "Question marks", byHand(...QUESTIONS)),
          toggle("openAtRelease", "Reveal where the mouse button is let go", "Off: pressing on one cell and letting go on another reveals none."),
          toggle("flagMode", "Flag button on touch screens", "A button above the board that makes a tap plant flags."),
          toggle("sound", "Sound", "Short, quiet sounds for moves and for the end.", loud),
        ),
        chosen("advisor", "Guesses in hints", [["best-reply", "Best reply"], ["second-opinion", "Second opinion"], ["playouts", "Playouts"]], ADVISORS),
      ),
      part("Keys", keys.element),
      h("div", {}, h("button", { type: "button", class: "button", onclick: startAgain }, "Reset all settings")),
    ),
  );
  return { close: () => keys.close() };
}

let parts = 0;

/** @param {string} title @param {...HTMLElement} content */
function part(title, ...content) {
  parts += 1;
  const id = `settings-${parts}`;
  return h("section", { class: "card stack", "aria-labelledby": id }, h("h2", { id }, title), ...content);
}

/** The numbers as boards show them. */
function makeDigits() {
  const digits = Array.from({ length: 8 }, (_, at) => h("div", { class: `cell t-n${at + 1}` }, String(at + 1)));
  const what = { class: "board digits", role: "img", "aria-label": "The numbers 1 to 8 in these colours" };
  return h("div", what, h("div", { class: "row" }, digits));
}
