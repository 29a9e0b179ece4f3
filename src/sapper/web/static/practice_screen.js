/**
 * Positions I got wrong: one after another from one's own games; the player picks a cell, and is told whether it is right.
 *
 * Knows: which cells are right, what is said. Does not know: how games are judged.
 */

import { api, faultText } from "./api.js";
import { isCovered } from "./board.js";
import { h } from "./dom.js";
import { riskText } from "./format.js";
import { ShownBoard } from "./grid_walk.js";
import { Speech } from "./speech.js";
import { sizeText } from "./game_request.js";
import { plain, stepText } from "./reasons.js";
import { t } from "./later_words.js";

/** @import { WrongPosition } from "./types.js" */

/** What is asked after each verdict; after others as after a wrong guess. @type {Record<string, string>} */
const ASKED = { "needless guess": "practice-needless", "certain mine": "practice-mine" };

/** @param {HTMLElement} section @returns {{close: () => void}} */
export function showPractice(section) {
  const screen = new Practice();
  section.replaceChildren(screen.element);
  screen.fetch();
  return { close: () => screen.close() };
}

/**
 * What there is to say of a cell that was picked and is not right.
 * @param {WrongPosition} position
 * @param {[x: number, y: number]} picked
 * @returns {string}
 */
function riskSentence({ chances }, [x, y]) {
  const risk = chances.find(([column, row]) => column === x && row === y)?.[2];
  if (risk === undefined) return "";
  return risk === 1 ? t("practice-picked-mine") : t("practice-picked-risk", { risk: riskText(risk) });
}

class Practice {
  constructor() {
    const region = h("p", { class: "visually-hidden", "aria-live": "polite" });
    this.#speech = new Speech(region);
    this.#next.addEventListener("click", () => this.#goOn());
    this.element = h(
      "div",
      { class: "sheet review narrow" },
      h("h1", { tabindex: -1 }, t("practice-title")),
      h("p", { class: "muted" }, t("practice-about")),
      this.#said,
      this.#board.element,
      this.#answer,
      h("p", { class: "end-actions" }, this.#next, this.#link),
      region,
    );
    this.#board.element.hidden = true;
    const { root } = this.#board.grid;
    root.addEventListener("click", (event) => this.#pick(this.#board.grid.cellAt(event.clientX, event.clientY)));
    root.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      this.#pick(this.#board.grid.cursor);
    });
  }

  #speech;
  #board = new ShownBoard(t("position"));
  #said = h("p", { class: "verdict", role: "status" }, t("practice-looking"));
  #answer = h("p", { class: "verdict" });
  #next = h("button", { type: "button", class: "button primary", hidden: true }, t("practice-next"));
  #link = h("a", { class: "button", hidden: true, href: "/games" }, t("practice-game"));
  /** @type {WrongPosition[]} */
  #waiting = [];
  /** @type {WrongPosition | null} */
  #shown = null;
  /** @type {string | null} */
  #after = null;
  #right = 0;
  #tried = 0;
  #looked = 0;
  #isOver = false;

  close() {
    this.#isOver = true;
    this.#speech.stop();
    this.#board.close();
  }

  /** Have more positions, from games further back. */
  async fetch() {
    try {
      do {
        const found = await api.wrongPositions(this.#after);
        if (this.#isOver) return;
        this.#looked += found.games;
        this.#waiting.push(...found.positions);
        this.#after = found.after;
      } while (!this.#waiting.length && this.#after !== null);
    } catch (error) {
      if (!this.#isOver) this.#said.textContent = faultText(error);
      return;
    }
    this.#show();
  }

  #goOn() {
    if (this.#waiting.length || this.#after === null) return this.#show();
    this.#said.textContent = t("practice-older");
    return this.fetch();
  }

  #show() {
    const next = this.#waiting.shift() ?? null;
    this.#shown = next;
    this.#answer.textContent = "";
    this.#next.hidden = true;
    this.#link.hidden = true;
    this.#board.element.hidden = next === null;
    if (next === null) {
      const score = this.#tried ? ` ${this.#score}` : "";
      this.#said.textContent = this.#looked ? t("practice-done", { count: this.#looked }) + score : t("practice-none");
      return;
    }
    this.#board.marks.clear();
    this.#board.show(next, [...next.board.join("")]);
    this.#board.fit();
    this.#said.textContent = `${sizeText(next)}. ${t(ASKED[next.verdict] ?? "practice-wrong")}`;
  }

  get #score() {
    return t("practice-score", { right: this.#right, count: this.#tried });
  }

  /** @param {number} cell */
  #pick(cell) {
    const position = this.#shown;
    const { board } = this.#board.grid;
    if (!position || !this.#next.hidden || cell < 0 || !isCovered(board.tile(cell))) return;
    const right = board.cellsOf(position.right);
    const isRight = right.includes(cell);
    this.#tried += 1;
    this.#right += Number(isRight);
    this.#board.marks.showMove({ chosen: board.xy(cell), best: position.right[0], safe: position.right.slice(1) });
    const [x, y] = position.chosen;
    const was = cell === board.at(x, y) ? t("practice-same") : "";
    const verdict = isRight ? [t("practice-right")] : [t("practice-is-wrong"), was, riskSentence(position, board.xy(cell))];
    const why = position.steps.map((step) => plain(stepText(step)));
    const words = [...verdict, ...why, `(${this.#score})`].filter(Boolean).join(" ");
    this.#answer.textContent = words;
    this.#answer.dataset.look = isRight ? "good" : "mistake";
    this.#speech.say(words);
    this.#link.href = `/game/${encodeURIComponent(position.game)}`;
    this.#link.hidden = false;
    this.#next.hidden = false;
    this.#next.focus({ preventScroll: true });
  }
}
