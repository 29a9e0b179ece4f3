/**
 * Keys: which stands for what, and where they take the cursor.
 *
 * Knows: names of actions and keys, walking over a board.
 * Does not know: what a move does, where keys are chosen (settings).
 */

import { isCovered } from "./board.js";
import { DEFAULT_KEYS } from "./settings.js";

/** These need the focus on the board: on a button, Space and Enter press that. */
const ON_BOARD = new Set(["reveal", "flag", "chord"]);
const STEPS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
const FAR_KEYS = { ArrowUp: "far-up", ArrowDown: "far-down", ArrowLeft: "far-left", ArrowRight: "far-right" };
/** Keys that nothing else was chosen for. */
const OTHERS = { Escape: "close", Home: "row-start", End: "row-end", PageUp: "page-up", PageDown: "page-down" };
const PAGE = 8;

/**
 * What a key stands for: an action of the settings, `redo`, or `null`.
 * @param {{key: string, code: string, ctrlKey?: boolean, metaKey?: boolean, altKey?: boolean, shiftKey?: boolean}}
 *   event
 * @param {Record<string, string[]>} keys
 * @returns {string|null}
 */
export function actionOf(event, keys) {
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey) return null;
  const key = event.key.toLowerCase();
  const named = (name) => (name.length === 1 ? name.toLowerCase() === key : name === event.key || name === event.code);
  if (control) {
    if (key === "z") return event.shiftKey ? "redo" : "undo";
    if (key === "y") return "redo";
    return { ...FAR_KEYS, Home: "first", End: "last" }[event.key] ?? null;
  }
  for (const [action, names] of Object.entries(keys)) if (names.some(named)) return action;
  return OTHERS[event.key] ?? null;
}

/**
 * Where an action takes the cursor; null if it is no way to go.
 * @param {import("./board.js").Board} board
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

function step(board, cell, [dx, dy]) {
  const [x, y] = board.xy(cell);
  const next = board.at(x + dx, y + dy);
  return next < 0 ? cell : next;
}

/** To the last cell of its kind in a direction, or over the edge to the first of the other: covered or revealed. */
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
 * @param {import("./grid.js").Grid} grid
 * @param {{keys: () => Record<string, string[]>, act: (action: string, cell: number) => boolean,
 *   isBlocked: () => boolean}} player `act` carries out what is no walk and says whether it took the key;
 *   `isBlocked`: a dialog is open
 * @returns {() => void} stops listening
 */
export function attachKeyboard(grid, player) {
  const stop = new AbortController();
  const pressed = (event) => {
    if (event.defaultPrevented || event.isComposing || player.isBlocked() || !grid.board) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    const action = actionOf(event, { ...DEFAULT_KEYS, ...player.keys() });
    if (!action) return;
    if (handle(grid, player, action, event)) event.preventDefault();
  };
  addEventListener("keydown", pressed, { signal: stop.signal });
  return () => stop.abort();
}

function handle(grid, player, action, event) {
  // What lies open is what Escape closes, whatever else it stands for.
  if (event.key === "Escape" && player.act("close", grid.cursor)) return true;
  const onBoard = grid.hasFocus;
  // A click beside the board has the focus go to <main>, in Safari one on a button too.
  const nowhere = document.activeElement?.matches("body, main") ?? true;
  const next = walk(grid.board, grid.cursor, action);
  if (next !== null || ON_BOARD.has(action)) {
    if (!onBoard && !nowhere) return false;
    if (next === null) {
      if (event.repeat) return true;
      if (nowhere) grid.focus();
      return player.act(action, grid.cursor);
    }
    grid.moveTo(onBoard ? next : grid.cursor);
    grid.reveal();
    return true;
  }
  return event.repeat && action !== "undo" && action !== "redo" ? true : player.act(action, grid.cursor);
}
