/**
 * The settings, changed as soon as they are touched and kept in this browser.
 *
 * Knows: what each setting is called and explained by. Does not know: what settings do.
 */

import { ask } from "./dialog.js";
import { get, h } from "./dom.js";
import { byHand, choiceField, switchField } from "./fields.js";
import { installer } from "./install.js";
import { KeyFields } from "./key_fields.js";
import { play } from "./sound.js";
import { languageName, languages, t } from "./later_words.js";

/** @import { Choices, Settings } from "./types.js" */

/**
 * @param {HTMLElement} section
 * @param {{settings: Settings}} context
 * @returns {{close: () => void}}
 */
export function showSettings(section, { settings }) {
  const keys = new KeyFields(settings);
  /** @param {"theme" | "palette" | "motion" | "advisor" | "thumb" | "hold"} key @param {string} legend @param {[string, string][]} choices @param {string} [hint] */
  const chosen = (key, legend, choices, hint) => {
    const change = (/** @type {string} */ value) => settings.set(key, /** @type {Choices[typeof key]} */ (value));
    return choiceField(legend, key, choices, settings.get(key), change, hint);
  };
  /**
   * @param {"chording" | "singleClickChord" | "questionMarks" | "openAtRelease" | "dimSatisfied" | "lessFlags" | "clickFlags" | "rightFlags" | "coordinates" | "flagMode" | "sound"} key
   * @param {string | HTMLElement[]} words
   * @param {string | HTMLElement[]} hint
   * @param {(on: boolean) => void} [change]
   */
  const toggle = (key, words, hint, change = (on) => settings.set(key, on)) =>
    switchField(words, hint, { checked: settings.get(key), change });
  const reset = () => {
    keys.close();
    settings.reset();
    showSettings(section, { settings });
    get("h1", section).focus();
  };
  section.replaceChildren(
    h(
      "div",
      { class: "sheet narrow" },
      h("h1", { tabindex: -1 }, t("title-settings")),
      part(
        t("settings-looks"),
        makeLanguages(settings),
        chosen("theme", t("theme"), [["auto", t("automatic")], ["light", t("theme-light")], ["dark", t("theme-dark")]]),
        chosen("palette", t("palette"), [["classic", t("palette-classic")], ["clear", t("palette-clear")]], t("palette-hint")),
        makeDigits(),
        toggle("coordinates", t("tool-names"), t("coordinates-hint")),
        chosen("motion", t("motion"), [["auto", t("automatic")], ["less", t("motion-less")]]),
      ),
      part(
        t("settings-play"),
        h(
          "div",
          { class: "lines" },
          toggle("chording", t("chording"), newGames("chording")),
          toggle("singleClickChord", byHand(t("click-chord-mouse"), t("click-chord-touch")), byHand(t("click-chord-mouse-hint"), t("click-chord-touch-hint"))),
          toggle("questionMarks", t("questions"), newGames("questions")),
          ...makeAids(toggle),
          toggle("flagMode", t("flag-button"), t("flag-button-hint")),
          toggle("sound", t("sound"), t("sound-hint"), (on) => setSound(settings, on)),
        ),
        chosen("thumb", t("thumb"), [["left", t("thumb-left")], ["right", t("thumb-right")]], t("thumb-hint")),
        chosen("hold", t("hold"), ["short", "normal", "long"].map((one) => [one, t(`hold-${one}`)]), t("hold-hint")),
        chosen("advisor", t("advisor"), ["best-reply", "second-opinion", "playouts"].map((one) => [one, t(`advisor-${one}`)]), t("advisor-hint")),
      ),
      part(t("settings-keys"), keys.element),
      h("p", { class: "end-actions" }, h("button", { type: "button", class: "button", onclick: () => resetAll(reset) }, t("reset-settings")), makeInstaller()),
    ),
  );
  return { close: () => keys.close() };
}

/**
 * Options of other programs.
 * @param {(key: import("./aids.js").Aid, words: string | HTMLElement[], hint: string) => HTMLElement} toggle
 */
function makeAids(toggle) {
  const openAtRelease = toggle("openAtRelease", t("open-at-release"), t("not-own-rules", { hint: t("open-at-release-hint") }));
  openAtRelease.classList.add("by-mouse");
  return [
    openAtRelease,
    toggle("dimSatisfied", t("dim-satisfied"), t("not-own-rules", { hint: "" })),
    toggle("lessFlags", t("less-flags"), t("marks-game", { hint: t("less-flags-hint") })),
    toggle("clickFlags", byHand(t("click-flags-mouse"), t("click-flags-touch")), t("marks-game", { hint: t("click-flags-hint") })),
    toggle("rightFlags", byHand(t("right-flags-mouse"), t("right-flags-touch")), t("marks-game", { hint: t("click-flags-hint") })),
  ];
}

/** What a switch of the rules does, by mouse and by touch. @param {"chording" | "questions"} name */
function newGames(name) {
  return byHand(`${t(`${name}-mouse`)} ${t("for-new-games")}`, `${t(`${name}-touch`)} ${t("for-new-games")}`);
}

/** The page is loaded anew in another language. @param {Settings} settings */
function makeLanguages(settings) {
  const change = (/** @type {Event} */ { currentTarget }) => {
    settings.set("language", /** @type {HTMLSelectElement} */ (currentTarget).value);
    location.reload();
  };
  const chosen = settings.get("language");
  const choices = ["auto", ...languages].map((one) =>
    h("option", { value: one, selected: one === chosen, lang: one === "auto" ? null : one }, one === "auto" ? t("automatic") : languageName(one)));
  const select = h("select", { id: "language", onchange: change }, ...choices);
  return h("div", { class: "field" }, h("label", { for: "language" }, t("language")), select);
}

/** A button, where the system can install the page. */
function makeInstaller() {
  const install = installer();
  return install && h("button", { type: "button", class: "button", onclick: install }, t("install"));
}

/** @param {Settings} settings @param {boolean} on */
function setSound(settings, on) {
  settings.set("sound", on);
  if (on) play("cascade");
}

/** @param {() => void} reset */
async function resetAll(reset) {
  if (await ask({ title: t("reset-settings-question"), text: t("reset-settings-text"), yes: t("reset"), danger: true })) reset();
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
  const what = { class: "board digits", role: "img", "aria-label": t("digits-label") };
  return h("div", what, h("div", { class: "row" }, digits));
}
