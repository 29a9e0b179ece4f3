/**
 * A new game in every detail: a preset or a board of one's own, how it begins, what is allowed; or a code.
 *
 * Knows: the form, and the wish that comes out of it. Does not know: what a board may be (custom_board.js), games.
 */

import { LIMITS, checkBoard, densityText } from "./custom_board.js";
import { h } from "./dom.js";
import { byHand, choiceField, switchField, textField } from "./fields.js";
import { CHOICES, normalCode, presetName, sizeText, withHabits } from "./wish.js";

const STARTS = [["open", "An area"], ["safe", "A safe cell"], ["any", "Anything"]];
const CUSTOM = "custom";
const NO_GUESS = "A board that logic alone can solve. Looking for one may take a moment.";
/** What the switches do, by mouse and by touch. */
const CHORDING = [
  "Clicking a number that has all its flags reveals the rest around it.",
  "Tapping a number that has all its flags reveals the rest around it.",
];
const QUESTIONS = [
  "A second right click turns a flag into a question mark.",
  "A second long press turns a flag into a question mark.",
];
const OWN_RULES = "These bring rules of their own, that for the first reveal among them.";
const MAY_BE_KNOWN = "The game is marked: its mines may be known.";
const SEED = /^\d{1,20}$/;
const MOST_SEED = 2n ** 64n - 1n;

/**
 * @param {HTMLElement} section
 * @param {{api: object, settings: object, start: (wish: object) => Promise<void>}} context
 * @returns {{close: () => void}}
 */
export function showNewGame(section, context) {
  const form = new NewGameForm(context);
  section.replaceChildren(h("div", { class: "sheet narrow" }, h("h1", { tabindex: -1 }, "New game"), form.element));
  form.check();
  let isOpen = true;
  context.api.presets().then((told) => isOpen && form.learn(told), () => {});
  return { close: () => (isOpen = false) };
}

class NewGameForm {
  #start;
  #settings;
  #limits = LIMITS;
  #boards = h("div", { class: "boards" });
  #others = h("details", { class: "others", hidden: true }, h("summary", {}, "Boards with other rules"));
  #said = h("p", { class: "notice", role: "alert" });
  #busy = false;

  constructor({ settings, start }) {
    this.#start = start;
    this.#settings = settings;
    const last = settings.get("lastGame");
    this.#makeFields(last);
    this.#makeForm(last);
  }

  #makeFields(last) {
    const text = (id, more) => h("input", { type: "text", id, name: id, autocomplete: "off", ...more });
    const number = (id, value) => text(id, { inputmode: "numeric", value, maxlength: 6 });
    this.inputs = {
      width: number("width", last.width ?? 20),
      height: number("height", last.height ?? 16),
      mines: number("mines", last.mines ?? 60),
      code: text("code", { spellcheck: "false", autocapitalize: "off" }),
    };
    this.fields = {
      width: textField("Width", this.inputs.width),
      height: textField("Height", this.inputs.height),
      mines: textField("Mines", this.inputs.mines),
      code: textField("Code, share link or seed", this.inputs.code),
    };
    this.density = h("p", { class: "muted small", "aria-live": "polite" });
    this.noGuessFault = h("p", { class: "fault", role: "status" });
    this.codeNote = h("p", { class: "muted small", role: "status" });
  }

  #makeForm(last) {
    const chosen = last.preset ?? (last.width ? CUSTOM : "beginner");
    for (const choice of CHOICES) {
      this.#boards.append(makeBoard(choice.preset, presetName(choice.preset), sizeText(choice), chosen));
    }
    const own = makeBoard(CUSTOM, "Your own", "A board of any size", chosen);
    own.classList.add("wide");
    this.#boards.append(own);
    const { width, height, mines } = this.fields;
    this.custom = h("div", { class: "custom" }, width.element, height.element, mines.element, this.density);
    this.options = this.#makeOptions(last);
    const does = { oninput: () => this.check(), onsubmit: (event) => this.#submit(event) };
    this.element = h(
      "form",
      { class: "stack-wide", novalidate: true, ...does },
      this.#said,
      h("fieldset", {}, h("legend", { class: "visually-hidden" }, "Board"), this.#boards, this.custom, this.#others),
      this.options,
      h("div", { class: "card stack" }, h("h2", {}, "The same board again"), this.fields.code.element, this.codeNote),
      h("div", { class: "submit" }, h("button", { type: "submit", class: "button primary big" }, "Start the game")),
    );
  }

  #makeOptions(last) {
    const habits = withHabits(last.preset ? { preset: "beginner", ...pick(last) } : last, this.#settings);
    const option = (name, checked, words, hint) => switchField(words, hint, { name, checked });
    return h(
      "div",
      { class: "card stack" },
      choiceField("The first reveal shows", "start", STARTS, last.start ?? "open"),
      h(
        "div",
        { class: "lines" },
        option("no_guess", Boolean(last.no_guess), "No guessing", NO_GUESS),
        this.noGuessFault,
        option("chording", habits.chording !== false, "Chording", byHand(...CHORDING)),
        option("question_marks", habits.question_marks === true, "Question marks", byHand(...QUESTIONS)),
      ),
    );
  }

  /** What the server has told about presets and limits. */
  learn({ presets, limits }) {
    this.#limits = { ...LIMITS, ...limits };
    const known = new Set(CHOICES.map((choice) => choice.preset));
    const others = presets.filter((preset) => !known.has(preset.name));
    const chosen = this.#value("board") ?? this.#settings.get("lastGame").preset;
    const boards = others.map((preset) => {
      const mines = preset.mines.length === 1 ? preset.mines[0] : null;
      const several = `${preset.width} × ${preset.height}, ${preset.mines.join(" or ")} mines`;
      const size = mines === null ? several : sizeText({ ...preset, mines });
      return makeBoard(preset.name, presetName(preset.name), size, chosen);
    });
    if (boards.length) {
      this.#others.append(h("p", { class: "muted small" }, OWN_RULES), h("div", { class: "boards" }, ...boards));
      this.#others.hidden = false;
      this.#others.open = others.some((preset) => preset.name === chosen);
    }
    if (!this.#value("board")) this.element.elements.board[0].checked = true;
    this.check();
  }

  #value(name) {
    return this.element.elements[name]?.value || null;
  }

  /** Says what is wrong, as soon as it is. @returns {object | null} the wish, null if there is none */
  check() {
    const text = this.inputs.code.value.trim();
    const [code, seed, fault] = readCode(text);
    this.fields.code.complain(fault);
    this.codeNote.textContent = codeNote(code, seed);
    const board = this.#value("board");
    const hasOwnRules = board !== CUSTOM && !CHOICES.some((choice) => choice.preset === board);
    this.#boards.parentElement.disabled = code !== null;
    this.custom.hidden = board !== CUSTOM || code !== null;
    this.options.hidden = hasOwnRules || code !== null;
    if (fault) return null;
    if (code !== null) return { code };
    const more = seed === null ? {} : { seed };
    if (hasOwnRules) return { preset: board, ...more };
    const wish = board === CUSTOM ? this.#checkCustom() : this.#checkPreset(board);
    return wish && { ...wish, ...this.#checkOptions(), ...more };
  }

  #checkOptions() {
    const { start, no_guess: noGuess, chording, question_marks: questions } = this.element.elements;
    const options = {};
    if (start.value !== "open") options.start = start.value;
    if (noGuess.checked) options.no_guess = true;
    if (chording.checked !== this.#settings.get("chording")) options.chording = chording.checked;
    if (questions.checked !== this.#settings.get("questionMarks")) options.question_marks = questions.checked;
    return options;
  }

  #checkPreset(preset) {
    const { width, height } = CHOICES.find((choice) => choice.preset === preset);
    return this.#complainOfNoGuess(width * height) ? null : { preset };
  }

  #complainOfNoGuess(cells) {
    const most = this.#limits.no_guess_cells;
    const isTooLarge = this.element.elements.no_guess.checked && cells > most;
    const fault = `Boards without guessing can have up to ${most} cells; this one has ${cells}.`;
    this.noGuessFault.textContent = isTooLarge ? fault : "";
    return isTooLarge;
  }

  #checkCustom() {
    const { start, no_guess: noGuess } = this.element.elements;
    const texts = Object.fromEntries(["width", "height", "mines"].map((name) => [name, this.inputs[name].value]));
    const found = checkBoard({ ...texts, start: start.value, noGuess: noGuess.checked }, this.#limits);
    for (const name of ["width", "height", "mines"]) this.fields[name].complain(found[name]);
    this.noGuessFault.textContent = found.noGuess;
    const isFine = !(found.width || found.height || found.mines || found.noGuess);
    this.density.textContent = isFine || found.noGuess ? densityText(found.board) : "";
    return isFine ? found.board : null;
  }

  async #submit(event) {
    event.preventDefault();
    if (this.#busy) return;
    const wish = this.check();
    if (!wish) {
      this.element.querySelector('[aria-invalid="true"]')?.focus();
      return;
    }
    this.#busy = true;
    this.#said.textContent = "";
    try {
      const { code: _code, seed: _seed, ...kind } = wish;
      if (!wish.code) this.#settings.set("lastGame", kind);
      await this.#start(withHabits(wish, this.#settings));
    } catch (error) {
      const more = error.code === "conflict" ? " It is on the menu." : "";
      this.#said.textContent = error.code === "away" ? "" : error.message + more;
      this.#said.scrollIntoView({ block: "nearest" });
    } finally {
      this.#busy = false;
    }
  }
}

function pick({ chording, question_marks: questions }) {
  const picked = Object.entries({ chording, question_marks: questions }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(picked);
}

function makeBoard(value, name, size, chosen) {
  return h(
    "label",
    { class: "board-choice" },
    h("input", { type: "radio", name: "board", value, checked: value === chosen }),
    h("span", { class: "choice-name" }, name),
    h("span", { class: "muted small" }, size),
  );
}

/** @returns {[string | null, string | null, string]} a code, a seed, and what is wrong */
function readCode(text) {
  if (!text) return [null, null, ""];
  if (SEED.test(text) && BigInt(text) > MOST_SEED) return [null, null, `A seed is at most ${MOST_SEED}.`];
  if (SEED.test(text)) return [null, text, ""];
  const code = normalCode(text);
  if (/^[^#:]+[#:].+/s.test(code)) return [code, null, ""];
  return [null, null, "That is neither a code, a share link, nor a seed (a whole number)."];
}

function codeNote(code, seed) {
  if (code !== null) {
    return `The code says everything about the board, so there is nothing else to choose. ${MAY_BE_KNOWN}`;
  }
  if (seed !== null) return `The same seed and the same choices give the same board everywhere. ${MAY_BE_KNOWN}`;
  return "Leave this empty for a board that nobody has seen.";
}
