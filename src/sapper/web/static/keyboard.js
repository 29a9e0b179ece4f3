/**
 * Keys: which stands for what, and where they take the cursor.
 *
 * Knows: names of actions and keys, walking over a board.
 * Does not know: what a move does, where keys are chosen (settings).
 */

import { isCovered } from "./board.js";
import { DEFAULT_KEYS } from "./choices.js";
import { elementOf } from "./dom.js";

/** @import { Board } from "./board.js" */
/** @import { Grid } from "./grid.js" */

/**
 * Who acts on keys: `act` carries out what is no walk and says whether it took the key; `isBlocked`: a dialog is open.
 * @typedef {{keys: () => Record<string, readonly string[]>, act: (action: string, cell: number) => boolean,
 *   isBlocked: () => boolean}} KeyPlayer
 */

/** These need the focus on the board: on a button, Space and Enter press that. */
const ON_BOARD = new Set(["reveal", "flag", "chord"]);
/** @type {Record<string, [dx: number, dy: number]>} */
const STEPS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
/** @type {Record<string, string>} */
const FAR_KEYS = { ArrowUp: "far-up", ArrowDown: "far-down", ArrowLeft: "far-left", ArrowRight: "far-right" };
/**
 * Keys that nothing else was chosen for.
 * @type {Record<string, string>}
 */
const OTHERS = { Escape: "close", Home: "row-start", End: "row-end", PageUp: "page-up", PageDown: "page-down" };
/** The ways on a board whose columns are shown as rows. @type {Record<string, string>} */
const TURNED = {
  "up": "left", "left": "up", "down": "right", "right": "down",
  "far-up": "far-left", "far-left": "far-up", "far-down": "far-right", "far-right": "far-down",
};
const PAGE = 8;

/**
 * What a key stands for: an action of the settings, `redo`, or `null`.
 * @param {{key: string, code: string, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean, shiftKey?: boolean}}
 *   event
 * @param {Record<string, readonly string[]>} keys
 * @returns {string|null}
 */
export function actionOf(event, keys) {
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey) return null;
  const key = event.key.toLowerCase();
  const named = (/** @type {string} */ name) => (name.length === 1 ? name.toLowerCase() === key : name === event.key || name === event.code);
  if (control) {
    if (key === "z") return event.shiftKey ? "redo" : "undo";
    if (key === "y") return "redo";
    return FAR_KEYS[event.key] ?? (event.key === "Home" ? "first" : event.key === "End" ? "last" : null);
  }
  for (const [action, names] of Object.entries(keys)) if (names.some(named)) return action;
  return OTHERS[event.key] ?? null;
}

/**
 * Where an action takes the cursor; null if it is no way to go.
 * @param {Board} board
 * @param {number} cell
 * @param {string} action
 * @returns {number|null}
 */
export function walk(board, cell, action) {
  const [x, y] = board.xy(cell);
  if (STEPS[action]) return step(board, cell, STEPS[action]);
  if (action.startsWith("far-")) return jump(board, cell, STEPS[action.slice(4)]);
  switch (action) {
    case "row-start": return board.at(0, y);
    case "row-end": return board.at(board.width - 1, y);
    case "page-up": return board.at(x, Math.max(0, y - PAGE));
    case "page-down": return board.at(x, Math.min(board.height - 1, y + PAGE));
    case "first": return 0;
    case "last": return board.size - 1;
    default: return null;
  }
}

/** @param {Board} board @param {number} cell @param {[dx: number, dy: number]} way */
function step(board, cell, [dx, dy]) {
  const [x, y] = board.xy(cell);
  const next = board.at(x + dx, y + dy);
  return next < 0 ? cell : next;
}

/**
 * To the last cell of its kind in a direction, or over the edge to the first of the other: covered or revealed.
 * @param {Board} board
 * @param {number} cell
 * @param {[dx: number, dy: number]} way
 */
function jump(board, cell, way) {
  let here = step(board, cell, way);
  const kind = isCovered(board.tile(here));
  for (;;) {
    const next = step(board, here, way);
    if (next === here || isCovered(board.tile(next)) !== kind) return here;
    here = next;
  }
}

/**
 * Listen to keys while a game is shown.
 * @param {Grid} grid
 * @param {KeyPlayer} player
 * @returns {() => void} stops listening
 */
export function attachKeyboard(grid, player) {
  const stop = new AbortController();
  const pressed = (/** @type {KeyboardEvent} */ event) => {
    if (event.defaultPrevented || event.isComposing || player.isBlocked() || !grid.isShown) return;
    if (elementOf(event.target)?.closest("input, textarea, select, [contenteditable]")) return;
    const action = actionOf(event, { ...DEFAULT_KEYS, ...player.keys() });
    if (!action) return;
    if (handle(grid, player, action, event)) event.preventDefault();
  };
  addEventListener("keydown", pressed, { signal: stop.signal });
  return () => stop.abort();
}

/** @param {Grid} grid @param {KeyPlayer} player @param {string} action @param {KeyboardEvent} event */
function handle(grid, player, action, event) {
  // What lies open is what Escape closes, whatever else it stands for.
  if (event.key === "Escape" && player.act("close", grid.cursor)) return true;
  const onBoard = grid.hasFocus;
  // A click beside the board has the focus go to <main>, in Safari one on a button too.
  const nowhere = document.activeElement?.matches("body, main") ?? true;
  const next = walk(grid.board, grid.cursor, grid.isTurned ? TURNED[action] ?? action : action);
  if (next !== null || ON_BOARD.has(action)) {
    if (!onBoard && !nowhere) return false;
    if (next === null) {
      if (event.repeat) return true;
      grid.focus(); // a mouse may have led the cursor away from it
      return player.act(action, grid.cursor);
    }
    grid.moveTo(onBoard ? next : grid.cursor);
    grid.reveal();
    return true;
  }
  return event.repeat && action !== "undo" && action !== "redo" ? true : player.act(action, grid.cursor);
}
