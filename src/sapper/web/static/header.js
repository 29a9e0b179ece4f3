/**
 * What is around the board: boxes with time, mines and flags, a new game, End, and the tools.
 *
 * Knows: its buttons, which can be pressed when.
 * Does not know: what they do; it calls the action of that name.
 */

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { counted } from "./board.js";
import { minesLeft } from "./speech.js";

/** @import { Board } from "./board.js" */
/** @import { Drawing } from "./icons.js" */
/** @import { Assistance, Now } from "./types.js" */

/**
 * @typedef {"undo" | "redo" | "pause" | "hint" | "guess" | "overlay" | "flagMode" | "names" | "smaller" | "larger" | "fit"} Tool
 */

/**
 * The tools: name of the action, drawing, label, more to say.
 * @type {readonly [Tool, Drawing, string, string][]}
 */
const TOOLS = [
  ["undo", "undo", "Undo", "Take the last move back. The game is marked."],
  ["redo", "redo", "Redo", "Play the move again that was undone."],
  ["pause", "pause", "Pause", "Hide the board and stop the clock."],
  ["hint", "hint", "Hint", "The next step and its reason. The game is marked."],
  ["guess", "guess", "May I guess?", "Whether any cell is certain to be safe. The game is marked."],
  ["overlay", "overlay", "Chances", "Each cell's chance to be a mine. The game is marked."],
  ["flagMode", "flag", "Flag mode", "A tap flags, a long press reveals."],
  ["names", "names", "Coordinates", "Letters and numbers at the edges of the board, as in c4."],
  ["smaller", "smaller", "Smaller", "Smaller cells"],
  ["larger", "larger", "Larger", "Larger cells"],
  ["fit", "fit", "Fit", "The whole board in sight"],
];

/** The header of a game. */
export class Header {
  /** @param {Record<Tool | "end" | "new", () => void>} actions */
  constructor(actions) {
    this.#time = h("span", { class: "box", "data-box": "time" }, "time: 0s");
    this.#mines = h("span", { class: "box", "data-box": "mines" }, "mines: 0");
    this.#flags = h("span", { class: "box", "data-box": "flags" }, "flags: 0");
    this.#left = h("span", { class: "box", "data-box": "left" }, "left: 0");
    this.#buttons.end = h("button", { class: "end-button", type: "button", onclick: actions.end }, "End");
    const startNew = { class: "new-button", type: "button", title: "Another game of this kind", onclick: actions.new, onmousedown: keepFocus };
    const newButton = h("button", startNew, icon("face"), h("span", { class: "new-name" }, "New game"));
    this.#assisted = h("p", { class: "assisted", hidden: true });
    for (const [name, drawing, label, more] of TOOLS) {
      const how = { class: "tool", type: "button", "data-tool": name, title: more, onclick: actions[name], onmousedown: keepFocus };
      const button = h("button", how);
      button.append(icon(drawing), h("span", { class: "tool-name" }, label));
      if (name === "overlay" || name === "flagMode" || name === "names") button.setAttribute("aria-pressed", "false");
      this.#buttons[name] = button;
    }
    const { undo, redo, pause, hint, guess, overlay, flagMode, names, smaller, larger, fit } = this.#buttons;
    const standing = h("div", { class: "standing" }, this.#time, this.#mines, this.#flags, this.#left);
    this.boxes = h("div", { class: "boxes" }, standing, newButton, this.#buttons.end);
    this.tools = h(
      "div",
      { class: "tools", role: "group", "aria-label": "Tools" },
      flagMode,
      h("span", { class: "tool-group" }, undo, redo, pause),
      h("span", { class: "tool-group" }, hint, guess, overlay),
      h("span", { class: "tool-group sizes" }, names, smaller, larger, fit),
    );
    this.assisted = this.#assisted;
  }

  #time;
  #mines;
  #flags;
  #left;
  #assisted;
  #buttons = /** @type {Record<Tool | "end", HTMLButtonElement>} */ ({});

  /** @param {number} seconds */
  showTime(seconds) {
    this.#time.textContent = `time: ${seconds}s`;
  }

  /**
   * @param {Tool | "end"} tool
   * @returns {HTMLButtonElement}
   */
  button(tool) {
    return this.#buttons[tool];
  }

  /**
   * Show what a state or an update says.
   * @param {Board} board
   * @param {Now} fields of the update
   * @param {{canPlay: boolean, isOver: boolean, flagMode: boolean, isOnline: boolean}} more
   */
  show(board, fields, { canPlay, isOver, flagMode, isOnline }) {
    this.#mines.textContent = `mines: ${board.mine_count}`;
    this.#flags.textContent = `flags: ${fields.flags}`;
    this.#left.textContent = `left: ${board.mine_count - fields.flags}`;
    this.#left.title = minesLeft(board, fields.flags);
    this.#left.classList.toggle("too-many", fields.flags > board.mine_count);
    const { undo, redo, pause, hint, guess, overlay, end } = this.#buttons;
    disable(undo, !fields.can_undo || !isOnline);
    disable(redo, !fields.can_redo || !isOnline);
    disable(pause, isOver || !isOnline);
    for (const button of [hint, guess, overlay]) disable(button, !canPlay);
    overlay.setAttribute("aria-pressed", String(fields.overlay));
    end.classList.toggle("is-over", isOver);
    this.showFlagMode(flagMode);
    const text = assistanceText(fields.assistance);
    this.#assisted.textContent = text;
    this.#assisted.hidden = !text;
  }

  /** @param {boolean} on */
  showFlagMode(on) {
    this.#buttons.flagMode.setAttribute("aria-pressed", String(on));
  }
}

/** A mouse leaves the focus where it was: keys go on acting on the board. @param {MouseEvent} event */
function keepFocus(event) {
  event.preventDefault();
}

/**
 * A button that can do nothing just now keeps the focus that it has: it says so, and does nothing.
 * @param {HTMLButtonElement} button
 * @param {boolean} is
 */
function disable(button, is) {
  if (is) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

/**
 * The marks of a game in words; empty if it has none.
 * @param {Assistance} assistance
 * @returns {string}
 */
export function assistanceText(assistance) {
  const parts = [];
  if (assistance.hints) parts.push(counted(assistance.hints, "hint"));
  if (assistance.undone) parts.push(`${assistance.undone} undone`);
  if (assistance.overlay) parts.push("chances shown");
  if (assistance.restarts) parts.push("same board again");
  if (assistance.practice) parts.push("practice from a position");
  else if (assistance.seen) parts.push("seed or code known");
  return parts.length ? `assisted: ${parts.join(", ")}` : "";
}
