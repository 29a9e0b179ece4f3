/**
 * Types that modules of the page share: what the server says, what a player has chosen, what screens are given.
 *
 * Read by the type checker alone; browsers never ask for it.
 */

import type { api } from "./api.js";
import type { settings } from "./settings.js";

// --- what the server says (docs/web-protocol.md) ----------------------------------------------------------

/** Column and row, from 0. */
export type Place = [x: number, y: number];
/** The first cell's index and the tiles from there on. */
export type Run = [start: number, tiles: string];
export type Status = "ready" | "playing" | "won" | "lost" | "terminated";
export type Start = "any" | "safe" | "open";

export interface Size {
  width: number;
  height: number;
}

export interface SizeAndMines extends Size {
  mines: number;
}

export interface Rules {
  name: string;
  win: "revealed" | "flagged" | "either";
  start: Start;
  chording: boolean;
  question_marks: boolean;
  cascade_clears_flags: boolean;
  click_reveals_flagged: boolean;
}

export interface Marks {
  hints: number;
  undone: number;
  restarts: number;
  pauses: number;
  overlay: boolean;
  seen: boolean;
}

/** How a game stands: what states and updates have in common. */
export interface Now {
  number: number;
  status: Status;
  time: number;
  running: boolean;
  paused: boolean;
  flags: number;
  can_undo: boolean;
  can_redo: boolean;
  marks: Marks;
  overlay: boolean;
}

export interface End {
  status: Status;
  runs: Run[];
  code: string | null;
  seed: string | null;
  bbbv: number | null;
  solved_bbbv: number | null;
  clicks: number | null;
  effective_clicks: number | null;
  efficiency: number | null;
  bbbv_per_second: number | null;
  played: number | null;
  won: number | null;
  best: boolean | null;
}

export interface Review {
  safe: Place[];
  mined: Place[];
  risk: number | null;
  least: number | null;
  forced: boolean | null;
}

/** What a game is, whatever happens in it. */
export interface Kind extends SizeAndMines {
  game: string;
  title: string;
  preset: string | null;
  rules: Rules;
  no_guess: boolean;
  first: Place | null;
}

export interface State extends Kind, Now {
  type: "state";
  board: string[];
  end?: End;
  review?: Review;
}

export interface Update extends Now {
  type: "update";
  what: "moved" | "undone" | "redone" | "restarted" | "paused" | "went on" | "hinted" | "overlay" | "working";
  runs: Run[];
  id?: number;
}

export interface Step {
  technique: string;
  pattern: string | null;
  why: string;
  clues: Place[];
  safe: Place[];
  mined: Place[];
  best: Place | null;
  risk: number | null;
}

export interface Hint {
  type: "hint";
  steps: Step[];
  may_guess: boolean | null;
  number: number;
  id?: number;
}

/** Column, row and the chance to be a mine. */
export type Chance = [x: number, y: number, chance: number];

export interface Chances {
  type: "chances";
  number: number;
  chances: Chance[] | null;
}

export interface Refusal {
  type: "error";
  code: string;
  message: string;
  id?: number;
}

export type Message =
  | State
  | Update
  | (End & { type: "end" })
  | (Review & { type: "review" })
  | Hint
  | { type: "may_guess"; answer: boolean | null; id?: number }
  | Chances
  | Refusal
  | { type: "pong"; id?: number }
  | { type: "closing" };

/** What a new game is asked for with. */
export interface Wish {
  preset?: string;
  rules?: string;
  width?: number;
  height?: number;
  mines?: number;
  start?: Start;
  chording?: boolean;
  question_marks?: boolean;
  no_guess?: boolean;
  seed?: string;
  code?: string;
}

/** A game in a player's list of unfinished ones. */
export interface OpenGame extends SizeAndMines {
  game: string;
  title: string;
  preset: string | null;
  rules: string;
  no_guess: boolean;
  status: Status;
  time: number;
  flags: number;
  covered: number;
  paused: boolean;
  saved: number;
}

export interface Limits {
  width: [least: number, most: number];
  height: [least: number, most: number];
  cells: number;
  no_guess_cells: number;
}

export interface Preset extends Size {
  name: string;
  rules: Rules;
  mines: number[];
}

export interface Presets {
  presets: Preset[];
  limits: Limits;
  defaults: { preset: string; palette: string; theme: string; keys: Record<string, string[]> };
}

export interface Player {
  played: number;
  won: number;
}

/** The numbers of some games. */
export interface Numbers {
  played: number;
  won: number;
  lost: number;
  terminated: number;
  unfinished: number;
  rate: number | null;
  low: number | null;
  high: number | null;
  best: number | null;
  median: number | null;
  bbbv_per_second: number | null;
  efficiency: number | null;
}

export interface KindNumbers extends Numbers, SizeAndMines {
  title: string;
  preset: string | null;
  start: Start;
  no_guess: boolean;
}

export interface Period {
  begin: number;
  played: number;
  won: number;
}

export interface RiskBucket {
  low: number;
  high: number;
  moves: number;
  exploded: number;
  claimed: number;
  least: number;
  most: number;
}

export interface Statistics {
  total: Numbers;
  kinds: KindNumbers[];
  kind_count: number;
  streak: number;
  best_streak: number;
  over_time: (Period & { low: number | null; high: number | null; mean: number | null })[];
  times: { width: number; counts: [from: number, games: number][] };
  wins: [ended: number, time: number, best: boolean][];
  calibration: RiskBucket[];
}

// --- what the page keeps to itself ------------------------------------------------------------------------

/** What changed: cell by cell, what it was and what it is. */
export interface Changes {
  cells: number[];
  before: string[];
  after: string[];
}

/** A part of a sentence: words, or a cell by the letter that is on it. */
export type Piece = string | { letter: string; place: string };

export type Action =
  | "up" | "down" | "left" | "right" | "reveal" | "flag" | "chord" | "undo" | "hint" | "status" | "pause" | "new"
  | "same" | "end";
export type Keys = Record<Action, readonly string[]>;

/** What a player can choose, and keeps in this browser. */
export interface Choices {
  keys: Keys;
  palette: "classic" | "clear";
  theme: "auto" | "light" | "dark";
  singleClickChord: boolean;
  chording: boolean;
  questionMarks: boolean;
  sound: boolean;
  motion: "auto" | "less";
  flagMode: boolean;
  lastGame: Wish;
  welcomed: boolean;
}

export type Settings = typeof settings;
export type Api = typeof api;

/** A screen that is shown. */
export interface Screen {
  close?: () => void;
}

/** Shows a screen in its section; `value` is what the location says after its name. */
export type Show = (section: HTMLElement, value: string, title: string) => Screen | void;
