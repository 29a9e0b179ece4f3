/**
 * Types that modules of the page share: what the server says, what a player has chosen, what screens are given.
 *
 * Read by the type checker alone; browsers never ask for it.
 */

import type { api } from "./api.js";
import type {
  BoardAnalysis, FinishedGameData, GameVerdicts, JudgedMove, PlayedList, PlayedMove, PlayedSummary, PositionAnswer, ReviewedRecording, WrongPosition, WrongPositions,
  BoardSkillData, KindBestTimes, LuckPeriod,
} from "./messages.js";
import type {
  AttemptData, DailyAnswer, DailySize, DailyTable, NameAnswer, RankingAnswer, RankingRow, SessionList,
} from "./messages.js";
import type {
  ChancesMessage, EndMessage, ErrorMessage, GameNumbers, GameSummary, GuessReason, HintMessage, HintStep, KindNumbers,
  Assistance, NewGameBody, PeriodNumbers, PlayerCounts, PresetsAnswer, ReviewMessage, RiskNumbers, RulesData, ServerMessage,
  SizeLimits, Start, StateMessage, StatisticsAnswer, Status, UpdateMessage,
} from "./messages.js";
import type { settings } from "./settings.js";

// --- what the server says (messages.d.ts is made from its own types) -----------------------------------------

export type { AttemptData, DailyAnswer, DailySize, DailyTable, NameAnswer, RankingAnswer, RankingRow, SessionList };
export type { GuessReason, KindNumbers, Assistance, Start, Status };
export type { GameVerdicts, JudgedMove, KindBestTimes, LuckPeriod, PlayedMove, PlayedSummary, PositionAnswer, WrongPosition, WrongPositions };
export type BoardSkill = BoardSkillData;
export type Analysis = BoardAnalysis;
export type PlayedGame = FinishedGameData;
export type PlayedGames = PlayedList;
export type Recording = ReviewedRecording;
export type Chances = ChancesMessage;
export type Hint = HintMessage;
export type Limits = SizeLimits;
export type Message = ServerMessage;
export type Numbers = GameNumbers;
export type OpenGame = GameSummary;
export type Player = PlayerCounts;
export type Presets = PresetsAnswer;
export type Refusal = ErrorMessage;
export type RiskBucket = RiskNumbers;
export type Rules = RulesData;
export type State = StateMessage;
export type Statistics = StatisticsAnswer;
export type Step = HintStep;
export type Update = UpdateMessage;
/** What a new game is asked for with. */
export type GameRequest = { [K in keyof NewGameBody]?: NonNullable<NewGameBody[K]> };
export type Period = Pick<PeriodNumbers, "begin" | "played" | "won">;

/** Column and row, from 0. */
export type Place = [x: number, y: number];
/** The first cell's index and the tiles from there on. */
export type Run = [start: number, tiles: string];
/** Column, row and the chance to be a mine. */
export type Chance = [x: number, y: number, chance: number];

export interface Size {
  width: number;
  height: number;
}

export interface SizeAndMines extends Size {
  mine_count: number;
}

/** How a game stands: what states and updates have in common. */
export type Now = Omit<UpdateMessage, "type" | "id" | "what" | "runs">;
/** What a game is, whatever happens in it. */
export type Kind = Pick<
  StateMessage, "game" | "title" | "preset" | "rules" | "no_guess" | "width" | "height" | "mine_count" | "first"
>;
/** An end and a review are messages, and parts of a state. */
export type End = Omit<EndMessage, "type" | "id">;
export type Review = Omit<ReviewMessage, "type" | "id">;

/** A position, its tiles in a row-by-row walk. */
export interface Position extends SizeAndMines {
  tiles: string[];
}

// --- what the page keeps to itself ------------------------------------------------------------------------

/** What changed: cell by cell, what it was and what it is. */
export interface Changes {
  cells: number[];
  before: string[];
  after: string[];
}

/** A part of a sentence: words, or a cell by its name. */
export type Piece = string | { cell: string };

export type Action =
  | "up" | "down" | "left" | "right" | "reveal" | "flag" | "chord" | "undo" | "hint" | "status" | "pause" | "new"
  | "same" | "end";
export type Keys = Record<Action, readonly string[]>;

/** What a player can choose, and keeps in this browser. */
export interface Choices {
  keys: Keys;
  palette: "classic" | "clear";
  theme: "auto" | "light" | "dark";
  /** A code, or `auto`. */
  language: string;
  advisor: "best-reply" | "second-opinion" | "playouts";
  singleClickChord: boolean;
  chording: boolean;
  questionMarks: boolean;
  openAtRelease: boolean;
  /** Whether numbers that have all their flags are dimmed. */
  dimSatisfied: boolean;
  /** Whether numbers are shown less the flags around them. */
  lessFlags: boolean;
  /** Whether a click on a number that has as many covered neighbours as it says flags them. */
  clickFlags: boolean;
  /** Whether a right click does. */
  rightFlags: boolean;
  coordinates: boolean;
  sound: boolean;
  motion: "auto" | "less";
  flagMode: boolean;
  thumb: "right" | "left";
  hold: "short" | "normal" | "long";
  /** Whether boards that are wider than tall are shown turned. */
  turned: boolean;
  lastGame: GameRequest;
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
