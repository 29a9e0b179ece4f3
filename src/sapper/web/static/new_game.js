/**
 * A new game in every detail: a preset or a board of one's own, how it begins, what is allowed; or a code.
 *
 * Knows: the form, and the request that comes out of it. Does not know: what a board may be (custom_board.js), games.
 */

import { faultText } from "./api.js";
import { LIMITS, checkBoard, densityText } from "./custom_board.js";
import { complain, get, h } from "./dom.js";
import { byHand, choiceField, switchField, textField } from "./fields.js";
import { CHOICES, normalCode, presetName, sizeText, withHabits } from "./game_request.js";
import { t } from "./words.js";

/** @import { Api, Limits, Presets, Settings, SizeAndMines, Start, GameRequest } from "./types.js" */

/** @typedef {{api: Api, settings: Settings, start: (request: GameRequest) => Promise<boolean>}} Context */

/** @type {[Start, string][]} */
const STARTS = [["open", t("start-open")], ["safe", t("start-safe")], ["any", t("start-any")]];
const CUSTOM = "custom";
/** @type {("width" | "height" | "mine_count")[]} */
const NUMBERS = ["width", "height", "mine_count"];
const SEED = /^\d{1,20}$/;
const MOST_SEED = 2n ** 64n - 1n;

/**
 * @param {HTMLElement} section
 * @param {Context} context
 * @returns {{close: () => void}}
 */
export function showNewGame(section, context) {
  const form = new NewGameForm(context);
  section.replaceChildren(h("div", { class: "sheet narrow" }, h("h1", { tabindex: -1 }, t("title-new")), form.element));
  form.check();
  form.element.hidden = form.hasOwnRules; // such a board is not there yet, and would move what is below it
  let isOpen = true;
  context.api.presets().then((told) => isOpen && form.learn(told), () => {}).finally(() => {
    form.element.hidden = false;
  });
  return {
    close() {
      isOpen = false;
    },
  };
}

class NewGameForm {
  #start;
  #settings;
  /** @type {Limits} */
  #limits = LIMITS;
  #boards = h("div", { class: "boards" });
  #others = h("details", { class: "others" }, h("summary", {}, t("other-rules")));
  #said = h("p", { class: "notice", role: "alert" });
  #busy = false;

  /** @param {Omit<Context, "api">} context */
  constructor({ settings, start }) {
    this.#start = start;
    this.#settings = settings;
    const last = settings.get("lastGame");
    this.inputs = {
      width: numberInput("width", last.width ?? 20),
      height: numberInput("height", last.height ?? 16),
      mine_count: numberInput("mines", last.mine_count ?? 60),
      code: textInput("code", { spellcheck: "false", autocapitalize: "off" }),
    };
    this.fields = {
      width: textField(t("width"), this.inputs.width),
      height: textField(t("height"), this.inputs.height),
      mine_count: textField(t("mines"), this.inputs.mine_count),
      code: textField(t("code-field"), this.inputs.code),
    };
    this.density = h("p", { class: "muted small", "aria-live": "polite" });
    this.noGuessFault = h("p", { class: "fault", role: "status" });
    this.codeNote = h("p", { class: "muted small", role: "status" });
    const { width, height, mine_count } = this.fields;
    this.custom = h("div", { class: "custom" }, width.element, height.element, mine_count.element, this.density);
    this.options = this.#makeOptions(last);
    this.boards = h("fieldset", {}, h("legend", { class: "visually-hidden" }, t("board")));
    this.element = this.#makeForm(last);
  }

  /** @param {GameRequest} last */
  #makeForm(last) {
    const chosen = last.preset ?? (last.width ? CUSTOM : "beginner");
    for (const choice of CHOICES) {
      this.#boards.append(makeBoard(choice.preset, presetName(choice.preset), sizeText(choice), chosen));
    }
    const own = makeBoard(CUSTOM, t("own-board"), t("a-board-of-any-size"), chosen);
    own.classList.add("wide");
    this.#boards.append(own);
    this.boards.append(this.#boards, this.custom, this.#others);
    const submit = (/** @type {SubmitEvent} */ event) => this.#submit(event);
    const does = { oninput: () => this.check(), onsubmit: submit };
    return h(
      "form",
      { class: "stack-wide", novalidate: true, ...does },
      this.boards,
      this.options,
      h("div", { class: "card stack" }, h("h2", {}, t("same-board-again")), this.fields.code.element, this.codeNote),
      this.#said,
      h("div", { class: "submit" }, h("button", { type: "submit", class: "button primary big" }, t("start-game"))),
    );
  }

  /** @param {GameRequest} last */
  #makeOptions(last) {
    const habits = withHabits(last.preset ? { preset: "beginner", ...pick(last) } : last, this.#settings);
    /** @param {string} name @param {boolean} checked @param {string} words @param {string | HTMLElement[]} hint */
    const option = (name, checked, words, hint) => switchField(words, hint, { name, checked });
    return h(
      "div",
      { class: "card stack" },
      choiceField(t("first-reveal-shows"), "start", STARTS, last.start ?? "open"),
      h(
        "div",
        { class: "lines" },
        option("no_guess", Boolean(last.no_guess), t("no-guess"), t("no-guess-hint")),
        this.noGuessFault,
        option("chording", habits.chording !== false, t("chording"), byHand(t("chording-mouse"), t("chording-touch"))),
        option("question_marks", habits.question_marks === true, t("questions"), byHand(t("questions-mouse"), t("questions-touch"))),
      ),
    );
  }

  /** What the server has told about presets and limits. @param {Presets} told */
  learn({ presets, limits }) {
    this.#limits = { ...LIMITS, ...limits };
    const known = new Set(CHOICES.map((choice) => choice.preset));
    const others = presets.filter((preset) => !known.has(preset.name));
    const chosen = this.#value("board") ?? this.#settings.get("lastGame").preset;
    const boards = others.map((preset) => {
      const mines = preset.mine_counts.length === 1 ? preset.mine_counts[0] : null;
      const several = t("several-sizes", { width: preset.width, height: preset.height, counts: preset.mine_counts.join(", ") });
      const size = mines === null ? several : sizeText({ ...preset, mine_count: mines });
      return makeBoard(preset.name, presetName(preset.name), size, chosen);
    });
    this.#others.append(h("p", { class: "muted small" }, t("own-rules")), h("div", { class: "boards" }, ...boards));
    this.#others.open ||= others.some((preset) => preset.name === chosen);
    if (!this.#value("board")) get("input", this.#boards).click();
    this.check();
  }

  /** @param {string} name of radio buttons @returns {string | null} the one that is chosen */
  #value(name) {
    const found = this.element.elements.namedItem(name);
    return (found instanceof RadioNodeList || found instanceof HTMLInputElement) && found.value || null;
  }

  /** @param {string} name of a switch */
  #isOn(name) {
    const found = this.element.elements.namedItem(name);
    return found instanceof HTMLInputElement && found.checked;
  }

  /** @returns {Start} */
  get #startChosen() {
    return /** @type {Start} */ (this.#value("start") ?? "open");
  }

  get #board() {
    return this.#value("board") ?? this.#settings.get("lastGame").preset ?? CUSTOM;
  }

  /** Whether the board that is chosen is a preset with rules of its own, which only the server knows. */
  get hasOwnRules() {
    const board = this.#board;
    return board !== CUSTOM && !CHOICES.some((choice) => choice.preset === board);
  }

  /** Says what is wrong, as soon as it is. @returns {GameRequest | null} null if there is none */
  check() {
    const text = this.inputs.code.value.trim();
    const [code, seed, fault] = readCode(text);
    this.fields.code.complain(fault);
    this.codeNote.textContent = codeNote(code, seed);
    const board = this.#board;
    const { hasOwnRules } = this;
    this.boards.disabled = code !== null;
    this.custom.hidden = board !== CUSTOM || code !== null;
    this.options.hidden = hasOwnRules || code !== null;
    if (fault) return null;
    if (code !== null) return { code };
    const more = seed === null ? {} : { seed };
    if (hasOwnRules) return { preset: board, ...more };
    const request = board === CUSTOM ? this.#checkCustom() : this.#checkPreset(board);
    return request && { ...request, ...this.#checkOptions(), ...more };
  }

  #checkOptions() {
    /** @type {GameRequest} */
    const options = {};
    const [chording, questions] = [this.#isOn("chording"), this.#isOn("question_marks")];
    if (this.#startChosen !== "open") options.start = this.#startChosen;
    if (this.#isOn("no_guess")) options.no_guess = true;
    if (chording !== this.#settings.get("chording")) options.chording = chording;
    if (questions !== this.#settings.get("questionMarks")) options.question_marks = questions;
    return options;
  }

  /** @param {string} preset @returns {GameRequest | null} */
  #checkPreset(preset) {
    const { width = 0, height = 0 } = CHOICES.find((choice) => choice.preset === preset) ?? {};
    return this.#complainOfNoGuess(width * height) ? null : { preset };
  }

  /** @param {number} cells */
  #complainOfNoGuess(cells) {
    const most = this.#limits.no_guess_cells;
    const isTooLarge = this.#isOn("no_guess") && cells > most;
    const fault = t("no-guess-too-large", { most, cells });
    this.noGuessFault.textContent = isTooLarge ? fault : "";
    return isTooLarge;
  }

  /** @returns {SizeAndMines | null} */
  #checkCustom() {
    const { width, height, mine_count } = this.inputs;
    const texts = { width: width.value, height: height.value, mine_count: mine_count.value };
    const found = checkBoard({ ...texts, start: this.#startChosen, noGuess: this.#isOn("no_guess") }, this.#limits);
    for (const name of NUMBERS) this.fields[name].complain(found[name]);
    this.noGuessFault.textContent = found.noGuess;
    this.density.textContent = found.board ? densityText(found.board) : "";
    return found.noGuess ? null : found.board;
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    if (this.#busy) return;
    const request = this.check();
    if (!request) {
      /** @type {HTMLElement | null} */ (this.element.querySelector('[aria-invalid="true"]'))?.focus();
      return;
    }
    this.#busy = true;
    this.#said.textContent = "";
    try {
      const { code: _code, seed: _seed, ...kind } = request;
      if (!request.code) this.#settings.set("lastGame", kind);
      await this.#start(withHabits(request, this.#settings));
    } catch (error) {
      complain(this.#said, faultText(error));
    } finally {
      this.#busy = false;
    }
  }
}

/** @param {string} id @param {import("./dom.js").Properties} more */
function textInput(id, more) {
  return h("input", { type: "text", id, name: id, autocomplete: "off", ...more });
}

/** @param {string} id @param {number} value */
function numberInput(id, value) {
  return textInput(id, { inputmode: "numeric", value, maxlength: 6 });
}

/** What of a request the switches show. @param {GameRequest} request @returns {GameRequest} */
function pick({ chording, question_marks: questions }) {
  const picked = Object.entries({ chording, question_marks: questions }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(picked);
}

/** @param {string} value @param {string} name @param {string} size @param {string | null | undefined} chosen */
function makeBoard(value, name, size, chosen) {
  return h(
    "label",
    { class: "board-choice" },
    h("input", { type: "radio", name: "board", value, checked: value === chosen }),
    h("span", { class: "choice-name" }, name),
    h("span", { class: "muted small" }, size),
  );
}

/**
 * @param {string} text
 * @returns {[code: string | null, seed: string | null, fault: string]}
 */
function readCode(text) {
  if (!text) return [null, null, ""];
  if (SEED.test(text) && BigInt(text) > MOST_SEED) return [null, null, t("seed-too-large", { most: String(MOST_SEED) })];
  if (SEED.test(text)) return [null, text, ""];
  const code = normalCode(text);
  if (/^[^#:]+[#:].+/s.test(code)) return [code, null, ""];
  return [null, null, t("not-a-code")];
}

/** @param {string | null} code @param {string | null} seed */
function codeNote(code, seed) {
  return t(code !== null ? "code-note" : seed !== null ? "seed-note" : "no-code-note");
}
