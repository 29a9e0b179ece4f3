/**
 * A game that has ended, looked through: the board with a slider and keys, its curve, its moves and what each was.
 *
 * Knows: moments, how they are chosen, what is said at each.
 * Does not know: where the game is from (`review_screen.js`, `recording_screen.js`).
 */

import { isCovered } from "./board.js";
import { complain, h, tell } from "./dom.js";
import { chanceText, exactTimeText } from "./format.js";
import { ShownBoard } from "./grid_walk.js";
import { elsewhereText, wholePercent } from "./hints.js";
import { ChanceReader, playOn } from "./playing_on.js";
import { Playback, moveWords } from "./playback.js";
import { Player } from "./player.js";
import { positionLink } from "./position_text.js";
import { Speech } from "./speech.js";
import { lookOf, numbersText, summaryOf, verdictText, verdictWords } from "./verdicts.js";
import { WinCurve } from "./win_curve.js";
import { t } from "./words.js";

/** @import { Analysis, GameVerdicts, JudgedMove, PlayedGame } from "./types.js" */

/** Moves that follow each other and are folded. */
const LEAST_FOLDED = 3;

/** The view of one game. */
export class ReviewView {
  /** @param {PlayedGame} game */
  constructor(game) {
    this.#playback = new Playback(game);
    this.#player = new Player({ last: this.#playback.last, time: (at) => this.#playback.time(at), show: (at) => this.#show(at) });
    this.#curve = new WinCurve((at) => this.#player.go(at));
    this.#chances = new ChanceReader((found, fault) => this.#tellChances(found, fault));
    const region = h("p", { class: "visually-hidden", "aria-live": "polite", "aria-atomic": "true" });
    this.#speech = new Speech(region);
    this.#chancesButton = h("button", { type: "button", class: "button", "aria-pressed": "false", onclick: () => this.#switchChances() }, t("tool-overlay"));
    this.#playOn = h("button", { type: "button", class: "button", onclick: () => this.#play() }, t("play-on"));
    this.#analyse = h("a", { class: "button", href: "/analyse" }, t("analyse-this"));
    this.#list = h("ol", { class: "moves" });
    this.element = h(
      "div",
      { class: "reviewed" },
      h(
        "div",
        { class: "reviewed-board" },
        this.#board.element,
        this.#player.element,
        h("p", { class: "moment" }, this.#moment, this.#win),
        this.#said,
        h("div", { class: "end-actions" }, this.#chancesButton, this.#playOn, this.#analyse),
        this.#notice,
      ),
      h(
        "div",
        { class: "reviewed-words" },
        this.#summary,
        this.#curve.element,
        h("section", { "aria-labelledby": "moves-title" }, h("h2", { id: "moves-title" }, t("moves")), this.#list),
      ),
      region,
    );
    this.#fillList();
    this.#player.go(this.#playback.last);
  }

  #playback;
  #player;
  #curve;
  #chances;
  #speech;
  #board = new ShownBoard(t("board"), { isNamed: true });
  #chancesButton;
  #playOn;
  #analyse;
  #list;
  /** @type {HTMLElement[]} the moves in the list */
  #items = [];
  #moment = h("span", { class: "numbers" });
  #win = h("span", { class: "numbers" });
  #said = h("div", { class: "verdict" });
  #summary = h("div", { class: "review-summary" }, h("p", { class: "muted", role: "status" }, t("review-judging")));
  #notice = h("p", { class: "notice", role: "alert" });
  #showsChances = false;
  /** @type {GameVerdicts | null} */
  #review = null;

  /** It is in the page now. */
  shown() {
    this.#board.fit();
  }

  close() {
    this.#player.close();
    this.#curve.close();
    this.#chances.stop();
    this.#speech.stop();
    this.#board.close();
  }

  /** @param {GameVerdicts} review */
  judge(review) {
    this.#review = review;
    const late = review.complete ? null : h("p", { class: "notice calm" }, t("review-incomplete", { count: review.moves.length }));
    const turn = review.turning_point === null ? 0 : this.#playback.momentOf(review.turning_point - 1);
    const go = { type: "button", class: "button quiet", onclick: () => this.#player.go(turn) };
    this.#summary.replaceChildren(
      summaryOf(review),
      ...(late ? [late] : []),
      turn ? h("p", {}, h("button", go, t("turning-point", { number: turn }))) : "",
    );
    this.#fillList();
    this.#drawCurve(turn);
    this.#show(this.#player.at);
  }

  /** @param {string} fault why there is no review */
  fail(fault) {
    this.#summary.replaceChildren(h("p", { class: "notice" }, fault));
  }

  /** @param {number} at a moment @returns {JudgedMove | undefined} the move that led to it */
  #judged(at) {
    return at ? this.#review?.moves[this.#playback.steps[at - 1].index] : undefined;
  }

  #fillList() {
    const items = this.#playback.steps.map(({ move }, place) => {
      const judged = this.#judged(place + 1);
      const numbers = judged ? numbersText(judged) : "";
      const how = { type: "button", class: "move", onclick: () => this.#player.go(place + 1) };
      return h(
        "li",
        { class: judged ? lookOf(judged) : null },
        h(
          "button",
          how,
          h("span", { class: "move-number numbers" }, `${place + 1}.`),
          " ",
          h("span", { class: "move-words" }, [moveWords(move), judged ? verdictWords(judged) : ""].filter(Boolean).join(": ")),
          numbers ? h("span", { class: "muted small" }, ` ${numbers}`) : null,
        ),
      );
    });
    this.#items = items;
    this.#list.replaceChildren(...(this.#review ? this.#folded(items) : items));
  }

  /** The moves with those folded that were neither guesses nor mistakes, where some follow each other. @param {HTMLElement[]} items */
  #folded(items) {
    /** @type {HTMLElement[][]} */
    const groups = [];
    for (const item of items) {
      const last = groups.at(-1);
      if (last && !item.className && !last[0].className) last.push(item);
      else groups.push([item]);
    }
    return groups.flatMap((group) => {
      if (group.length < LEAST_FOLDED) return group;
      const first = items.indexOf(group[0]) + 1;
      const words = t("moves-folded", { first, last: first + group.length - 1 });
      return h("li", { class: "folded" }, h("details", {}, h("summary", {}, words), h("ol", {}, ...group)));
    });
  }

  /** @param {number} turn the moment of the turning point, 0 for none */
  #drawCurve(turn) {
    /** @type {[at: number, win: number][]} */
    const line = [];
    /** @type {import("./win_curve.js").CurvePoint[]} */
    const points = [];
    for (let at = 0; at <= this.#playback.last; at++) {
      const judged = this.#judged(at || 1);
      const win = at ? judged?.win_after : judged?.win_before;
      if (win === null || win === undefined) continue;
      line.push([at, win]);
      const look = at && judged ? lookOf(judged) : "";
      if (!judged || !(look || (turn && at === turn))) continue;
      points.push({ at, win, look: at === turn ? `${look} turn` : look, label: t("move-label", { number: at, words: [verdictWords(judged), numbersText(judged)].filter(Boolean).join(", ") }) });
    }
    this.#curve.show(this.#playback.last, line, points);
  }

  /** @param {number} at */
  #show(at) {
    const { game } = this.#playback;
    const tiles = this.#playback.tiles(at);
    this.#board.show(game, tiles);
    const step = at ? this.#playback.steps[at - 1] : null;
    const judged = this.#judged(at);
    const isWrong = judged !== undefined && lookOf(judged) === "mistake";
    this.#board.marks.showMove({
      chosen: step && step.move.action !== "terminate" ? step.move.cell : null,
      best: isWrong ? judged.best : null,
      safe: isWrong ? judged.safe : [],
    });
    const words = step ? `${moveWords(step.move)}.` : t("before-first");
    this.#moment.textContent = t("moment", { number: at, count: this.#playback.last, time: exactTimeText(this.#playback.time(at)) });
    const win = at ? judged?.win_after : this.#judged(1)?.win_before;
    this.#win.textContent = win === null || win === undefined ? "" : ` · ${t("win-chance", { chance: chanceText(win, judged?.exact || win === 0 || win === 1) })}`;
    const { words: verdict, reasons } = judged ? verdictText(judged) : { words: "", reasons: [] };
    const all = reasons.map((reason) => h("li", {}, reason));
    this.#said.replaceChildren(
      h("p", {}, `${words} ${verdict}`),
      all.length ? h("details", { class: "reasons" }, h("summary", {}, t("all-reasons", { count: all.length })), h("ol", {}, ...all)) : "",
    );
    this.#said.dataset.look = judged ? lookOf(judged) : "";
    this.#speech.say(`${at}: ${words} ${verdict}`);
    this.#curve.mark(at);
    this.#markMove(at);
    const isOver = step !== null && ["won", "lost", "terminated"].includes(step.move.status);
    const position = { width: game.width, height: game.height, mine_count: game.mine_count, tiles };
    this.#playOn.disabled = isOver;
    this.#analyse.href = positionLink(position);
    this.#showChances();
  }

  /** @param {number} at */
  #markMove(at) {
    const before = this.#list.querySelector("[aria-current]");
    before?.removeAttribute("aria-current");
    const now = this.#items[at - 1]?.firstElementChild;
    const fold = now?.closest("details");
    if (fold) fold.open = true;
    if (!(now instanceof HTMLElement)) return;
    now.setAttribute("aria-current", "step");
    const item = /** @type {HTMLElement} */ (now.parentElement);
    const { scrollTop, clientHeight } = this.#list;
    const top = item.offsetTop - this.#list.offsetTop;
    if (top < scrollTop || top + item.offsetHeight > scrollTop + clientHeight) this.#list.scrollTop = top - clientHeight / 3;
  }

  async #play() {
    this.#notice.textContent = "";
    const { game } = this.#playback;
    const tiles = this.#playback.tiles(this.#player.at);
    await playOn({ ...game, tiles }, game.rules.name, (fault) => complain(this.#notice, fault));
  }

  // --- chances ---------------------------------------------------------------------------------------

  #switchChances() {
    this.#showsChances = !this.#showsChances;
    this.#chancesButton.setAttribute("aria-pressed", String(this.#showsChances));
    this.#showChances();
  }

  #showChances() {
    this.#board.marks.hideChances();
    this.#notice.textContent = "";
    const { game } = this.#playback;
    const tiles = this.#playback.tiles(this.#player.at);
    if (!this.#showsChances || !tiles.some(isCovered)) return this.#chances.stop();
    return this.#chances.ask({ ...game, tiles });
  }

  /** @param {Analysis | null} found @param {string} fault */
  #tellChances(found, fault) {
    if (!this.#showsChances) return;
    if (found?.chances) tell(this.#notice, elsewhereText(this.#board.marks.showChances(found.chances)));
    else complain(this.#notice, fault || t("review-chances-too-hard"));
    if (!found?.chances) return;
    const least = Math.min(...found.chances.map(([, , chance]) => chance));
    const risk = wholePercent(least);
    const win = found.win === null ? "" : chanceText(found.win, found.win_low === found.win_high);
    this.#speech.say(t(win ? "said-least-win" : "said-least", { risk, win }));
  }
}
