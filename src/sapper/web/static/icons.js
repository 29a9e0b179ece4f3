/**
 * The line drawings on buttons.
 *
 * Knows: their outlines, 24 by 24.
 * Does not know: which button does what.
 */

import { s } from "./dom.js";

const PATHS = {
  undo: "M9 7H15a5 5 0 0 1 0 10H8M9 7l3.5-3.5M9 7l3.5 3.5",
  redo: "M15 7H9a5 5 0 0 0 0 10h7M15 7l-3.5-3.5M15 7l-3.5 3.5",
  pause: "M8.5 5.5v13M15.5 5.5v13",
  hint: "M9.5 18h5M10.5 21h3M8.5 14.5c-1.6-1.2-2.5-3-2.5-5a6 6 0 0 1 12 0c0 2-.9 3.8-2.5 5v1h-7z",
  guess: "M8.7 8.6c.3-2 1.6-3.1 3.4-3.1 2 0 3.4 1.2 3.4 3 0 2.6-3.4 2.9-3.4 5.6M12.1 17.8v.7",
  overlay: "M4 4h16v16H4zM8 16l8-8M9 9.2v.1M15 15v.1",
  flag: "M7 21V4M7 5l10.5 4L7 13",
  names: "M9 9h11v11H9zM9 14.5h11M14.5 9v11M12 3.5v2M17.5 3.5v2M3.5 12h2M3.5 17.5h2",
  turn: "M4 9h12v8H4zM12 4.5c4 0 7.5 2.5 7.5 7M17 9.5l2.5 2.5 2.5-2.5",
  more: "M5 12v.1M12 12v.1M19 12v.1",
  smaller: "M6 12h12",
  larger: "M6 12h12M12 6v12",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  menu: "M14.5 5.5 8 12l6.5 6.5",
  next: "M9.5 5.5 16 12l-6.5 6.5",
  first: "M7 5.5v13M18 5.5 10.5 12 18 18.5",
  last: "M17 5.5v13M6 5.5 13.5 12 6 18.5",
  play: "M8 5.5 18 12 8 18.5z",
  close: "M7 7l10 10M17 7 7 17",
  face: "M12 3.5a8.5 8.5 0 1 1-.01 0zM9 9.3v.9M15 9.3v.9M8.3 14.2c1.7 2.5 5.7 2.5 7.4 0",
  again: "M19 12a7 7 0 1 1-2.2-5.1M19 4v4.5h-4.5",
};

/** @typedef {keyof typeof PATHS} Drawing */

/**
 * A line drawing, hidden from screen readers: the button that has it has a name of its own.
 * @param {Drawing} name
 * @returns {SVGElement}
 */
export function icon(name) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
}
