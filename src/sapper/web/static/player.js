/**
 * Goes through the moments of a game: a slider, buttons, keys, and by itself at a speed.
 *
 * Knows: which moment is shown. Does not know: what is shown at it.
 */

import { elementOf, h } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

const SHORTEST = 90;
const LONGEST = 2500;
/** @type {[speed: string, words: string][]} */
const SPEEDS = [["0.5", "½ ×"], ["1", "1 ×"], ["2", "2 ×"], ["5", "5 ×"], ["20", "20 ×"]];

/** Shows one moment after another. */
export class Player {
  /** @param {{last: number, time: (at: number) => number, show: (at: number) => void}} of `time`: milliseconds on the game's clock */
  constructor({ last, time, show }) {
    this.#last = last;
    this.#time = time;
    this.#show = show;
    this.#slider = h("input", { type: "range", min: 0, max: last, step: 1, value: 0, "aria-label": t("player-move"), oninput: () => this.#slid() });
    /** @param {string} label @param {import("./icons.js").Drawing} drawing @param {() => void} act */
    const button = (label, drawing, act) =>
      h("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: act }, icon(drawing));
    this.#playButton = button(t("player-play"), "play", () => this.toggle());
    this.#speed = h("select", { "aria-label": t("player-speed") }, ...SPEEDS.map(([value, words]) => h("option", { value, selected: value === "1" }, words)));
    this.element = h(
      "div",
      { class: "player", role: "group", "aria-label": t("moments") },
      this.#slider,
      h(
        "div",
        { class: "player-tools" },
        button(t("player-first"), "first", () => this.go(0)),
        button(t("player-back"), "menu", () => this.go(this.at - 1)),
        this.#playButton,
        button(t("player-forward"), "next", () => this.go(this.at + 1)),
        button(t("player-last"), "last", () => this.go(last)),
        this.#speed,
        h("span", { class: "muted small by-mouse" }, t("player-keys")),
      ),
    );
    addEventListener("keydown", (event) => this.#pressed(event), { signal: this.#stop.signal });
  }

  #last;
  #time;
  #show;
  #slider;
  #playButton;
  #speed;
  #stop = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The moment that is shown. */
  at = 0;

  close() {
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  /** @param {number} at another moment; it plays no longer */
  go(at) {
    this.#pause();
    this.#to(at);
  }

  /** Play, or pause. */
  toggle() {
    if (this.#timer !== undefined) return this.#pause();
    if (this.at >= this.#last) this.#to(0);
    this.#showButton(t("player-pause"), "pause");
    return this.#next();
  }

  #pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#showButton(t("player-play"), "play");
  }

  /** @param {string} label @param {import("./icons.js").Drawing} drawing */
  #showButton(label, drawing) {
    if (this.#playButton.title === label) return;
    this.#playButton.setAttribute("aria-label", label);
    this.#playButton.title = label;
    this.#playButton.replaceChildren(icon(drawing));
  }

  #next() {
    const gap = (this.#time(Math.min(this.at + 1, this.#last)) - this.#time(this.at)) / Number(this.#speed.value);
    this.#timer = setTimeout(() => {
      this.#to(this.at + 1);
      if (this.at >= this.#last) this.#pause();
      else this.#next();
    }, Math.max(SHORTEST, Math.min(LONGEST, gap)));
  }

  /** @param {number} at */
  #to(at) {
    this.at = Math.max(0, Math.min(this.#last, at));
    this.#slider.value = String(this.at);
    this.#slider.setAttribute("aria-valuetext", t("player-at", { number: this.at, count: this.#last }));
    this.#show(this.at);
  }

  #slid() {
    this.go(Number(this.#slider.value));
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    const target = elementOf(event.target);
    if (target?.closest("input:not([type=range], [type=checkbox]), textarea, select")) return;
    const isWalk = event.key !== " ";
    const taken = isWalk ? "[role=grid], .moves" : "input:not([type=range]), button, a, summary, [role=grid], [role=button]";
    if (this.#act(event.key, !target?.closest(taken))) event.preventDefault();
  }

  /** @param {string} key @param {boolean} isFree whether nothing else has use for it @returns {boolean} */
  #act(key, isFree) {
    if (key === ",") this.go(this.at - 1);
    else if (key === ".") this.go(this.at + 1);
    else if (key === "+") this.#faster(1);
    else if (key === "-") this.#faster(-1);
    else if (!isFree) return false;
    else if (key === "ArrowLeft") this.go(this.at - 1);
    else if (key === "ArrowRight") this.go(this.at + 1);
    else if (key === "Home") this.go(0);
    else if (key === "End") this.go(this.#last);
    else if (key === " ") this.toggle();
    else return false;
    return true;
  }

  /** @param {number} ways */
  #faster(ways) {
    this.#speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, this.#speed.selectedIndex + ways));
  }
}
