/**
 * What is around the board: boxes with time, mines and flags, a new game, End, and the tools.
 *
 * Knows: its buttons, which can be pressed when.
 * Does not know: what they do; it calls the action of that name.
 */

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { assistanceText } from "./assistance.js";
import { stillCounts } from "./attempt.js";
import { t } from "./words.js";

/** @import { Board } from "./board.js" */
/** @import { Drawing } from "./icons.js" */
/** @import { Now } from "./types.js" */

/**
 * @typedef {"undo" | "redo" | "pause" | "hint" | "guess" | "overlay" | "flagMode" | "names" | "turn" | "more" | "smaller" | "larger" | "fit"} Tool
 */

/** The tools: name of the action, drawing. @type {readonly [Tool, Drawing][]} */
const TOOLS = [
  ["undo", "undo"],
  ["redo", "redo"],
  ["pause", "pause"],
  ["hint", "hint"],
  ["guess", "guess"],
  ["overlay", "overlay"],
  ["flagMode", "flag"],
  ["names", "names"],
  ["turn", "turn"],
  ["smaller", "smaller"],
  ["larger", "larger"],
  ["fit", "fit"],
  ["more", "more"],
];

/** The header of a game. */
export class Header {
  /** @param {Record<Tool | "end" | "new", () => void>} actions */
  constructor(actions) {
    this.#time = h("span", { class: "box", "data-box": "time" }, t("box-time", { seconds: "0" }));
    this.#mines = h("span", { class: "box", "data-box": "mines" }, t("box-mines", { count: "0" }));
    this.#flags = h("span", { class: "box", "data-box": "flags" }, t("box-flags", { count: "0" }));
    this.#buttons.end = h("button", { class: "end-button", type: "button", onclick: actions.end }, t("end"));
    const startNew = { class: "new-button", type: "button", title: t("new-game-hint"), onclick: actions.new, onmousedown: keepFocus };
    const newButton = h("button", startNew, icon("face"), h("span", { class: "new-name" }, t("new-game")));
    this.#assisted = h("p", { class: "assisted", hidden: true });
    for (const [name, drawing] of TOOLS) {
      const how = { class: "tool", type: "button", "data-tool": name, title: t(`tool-${name}-hint`), onclick: actions[name], onmousedown: keepFocus };
      const button = h("button", how);
      button.append(icon(drawing), h("span", { class: "tool-name" }, t(`tool-${name}`)));
      if (name === "overlay" || name === "flagMode" || name === "names") button.setAttribute("aria-pressed", "false");
      this.#buttons[name] = button;
    }
    const { undo, redo, pause, hint, guess, overlay, flagMode, names, turn, smaller, larger, fit, more } = this.#buttons;
    more.setAttribute("aria-expanded", "false");
    const standing = h("div", { class: "standing" }, this.#time, this.#mines, this.#flags);
    this.boxes = h("div", { class: "boxes" }, standing, newButton, this.#buttons.end);
    this.tools = h(
      "div",
      { class: "tools", role: "group", "aria-label": t("tools") },
      flagMode,
      h("span", { class: "tool-group" }, undo, redo, pause),
      h("span", { class: "tool-group" }, hint, guess, overlay),
      h("span", { class: "tool-group sizes" }, names, turn, smaller, larger, fit),
      more,
    );
    this.assisted = this.#assisted;
  }

  #time;
  #mines;
  #flags;
  #assisted;
  #buttons = /** @type {Record<Tool | "end", HTMLButtonElement>} */ ({});

  /** @param {number} seconds */
  showTime(seconds) {
    this.#time.textContent = t("box-time", { seconds: String(seconds) });
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
   * @param {{canPlay: boolean, isOver: boolean, flagMode: boolean, isOnline: boolean, isDaily: boolean}} more
   */
  show(board, fields, { canPlay, isOver, flagMode, isOnline, isDaily }) {
    this.#mines.textContent = t("box-mines", { count: String(board.mine_count) });
    this.#flags.textContent = t("box-flags", { count: String(fields.flags) });
    this.#flags.classList.toggle("too-many", fields.flags > board.mine_count);
    const { undo, redo, pause, hint, guess, overlay, end } = this.#buttons;
    disable(undo, !fields.can_undo || !isOnline);
    disable(redo, !fields.can_redo || !isOnline);
    disable(pause, isOver || !isOnline);
    pause.hidden = isDaily; // the clock of an attempt never stops
    for (const button of [hint, guess, overlay]) disable(button, !canPlay);
    overlay.setAttribute("aria-pressed", String(fields.overlay));
    end.classList.toggle("is-over", isOver);
    this.showFlagMode(flagMode);
    const how = assistanceText(fields.assistance);
    const said = [how && t("assisted", { how }), isDaily && !stillCounts(fields) ? t("attempt-void") : ""].filter(Boolean).join(" · ");
    this.#assisted.textContent = said;
    this.#assisted.hidden = !said;
  }

  /** Where there is room for few tools, show the others too, or no longer. */
  toggleMore() {
    this.#showMore(!this.tools.classList.contains("open"));
  }

  /** Where the other tools are shown, they stand in front of what a note says. */
  hideMore() {
    this.#showMore(false);
  }

  /** @param {boolean} are */
  #showMore(are) {
    this.tools.classList.toggle("open", are);
    this.#buttons.more.setAttribute("aria-expanded", String(are));
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
