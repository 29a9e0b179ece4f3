// Made by scripts/web_messages.py from the structs of sapper.web.games.messages and bodies: change those, and run it.

/** What the left button of a mouse does at a cell: reveal or chord. Where it can do nothing, nothing changes. */
export interface LeftRequest {
  do: "left";
  /** Comes back in the answer to this message. */
  id?: number | null;
  /** The cell. */
  cell: [number, number];
}

/** What the right button does: flag, question mark, none. Where it can do nothing, nothing changes. */
export interface RightRequest {
  do: "right";
  /** Comes back in the answer to this message. */
  id?: number | null;
  /** The cell. */
  cell: [number, number];
}

/** Reveal the cell, or an error that says why that is not legal; so with the next five. */
export interface RevealRequest {
  do: "reveal";
  /** Comes back in the answer to this message. */
  id?: number | null;
  /** The cell. */
  cell: [number, number];
}

/** Flag the cell. */
export interface FlagRequest {
  do: "flag";
  /** Comes back in the answer to this message. */
  id?: number | null;
  /** The cell. */
  cell: [number, number];
}

/** Remove the flag. */
export interface UnflagRequest {
  do: "unflag";
  /** Comes back in the answer to this message. */
  id?: number | null;
  /** The cell. */
  cell: [number, number];
}

/** Add a question mark. */
export interface QuestionRequest {
  do: "question";
  /** Comes back in the answer to this message. */
  id?: number | null;
  /** The cell. */
  cell: [number, number];
}

/** Remove the question mark. */
export interface UnquestionRequest {
  do: "unquestion";
  /** Comes back in the answer to this message. */
  id?: number | null;
  /** The cell. */
  cell: [number, number];
}

/** Reveal the other neighbours of a clue that has as many flags as it says. */
export interface ChordRequest {
  do: "chord";
  /** Comes back in the answer to this message. */
  id?: number | null;
  /** The cell. */
  cell: [number, number];
}

/** Give the game up. */
export interface TerminateRequest {
  do: "terminate";
  /** Comes back in the answer to this message. */
  id?: number | null;
}

/** Undo the last move. Marks the game. */
export interface UndoRequest {
  do: "undo";
  /** Comes back in the answer to this message. */
  id?: number | null;
}

/** Redo the undone move. */
export interface RedoRequest {
  do: "redo";
  /** Comes back in the answer to this message. */
  id?: number | null;
}

/** The same board from the start. Marks the game; one that is running is given up. It is one of the new games that a player may have in a time. */
export interface RestartRequest {
  do: "restart";
  /** Comes back in the answer to this message. */
  id?: number | null;
}

/** Hide the board and stop the clock. A game whose clock was stopped counts as any other, but its time is compared with none: no best time, no part in times, medians and 3BV/s. */
export interface PauseRequest {
  do: "pause";
  /** Comes back in the answer to this message. */
  id?: number | null;
}

/** Show the board of a paused game and go on. */
export interface GoOnRequest {
  do: "go_on";
  /** Comes back in the answer to this message. */
  id?: number | null;
}

/** The next step and its reason. Marks the game. */
export interface HintRequest {
  do: "hint";
  /** Comes back in the answer to this message. */
  id?: number | null;
}

/** Whether nothing is certain to be safe. Marks the game, as a hint. */
export interface MayGuessRequest {
  do: "may_guess";
  /** Comes back in the answer to this message. */
  id?: number | null;
}

/** Whether this socket's page is hidden. Five seconds after nobody has had the game in view it is paused, and `auto_pauses` counts that. Who never says it is there for as long as the socket is open. Not answered. */
export interface PageRequest {
  do: "page";
  /** Comes back in the answer to this message. */
  id?: number | null;
  /** True if the page is hidden. */
  hidden: boolean;
}

/** Chances of all covered cells after each move, from now on or no longer. Marks the game. */
export interface OverlayRequest {
  do: "overlay";
  /** Comes back in the answer to this message. */
  id?: number | null;
  /** Whether they are wanted. */
  on: boolean;
}

/** Send the state again. */
export interface StateRequest {
  do: "state";
  /** Comes back in the answer to this message. */
  id?: number | null;
}

/** Answer `pong`. */
export interface PingRequest {
  do: "ping";
  /** Comes back in the answer to this message. */
  id?: number | null;
}

/** Everything about the game now; the first message of a socket. Where chances are shown, `chances` follow as soon as they are found. */
export interface StateMessage {
  type: "state";
  /** Of the message that this answers; only for who sent it. */
  id?: number;
  /** Counts updates: one that is not the last plus one tells a client to ask for the `state`. */
  number: number;
  /** How the game stands. */
  status: Status;
  /** Milliseconds on the game's clock. */
  time: number;
  /** Whether the clock is. */
  running: boolean;
  /** Whether the game is paused: the board is hidden then. */
  paused: boolean;
  /** Cells that are flagged. */
  flags: number;
  /** Whether there is a move to take back. */
  can_undo: boolean;
  /** Whether a move was taken back, and none made since. */
  can_redo: boolean;
  /** What sets the game apart. */
  marks: Marks;
  /** Whether chances are shown now. */
  overlay: boolean;
  /** The game's name. */
  game: string;
  /** What to call it on a screen. */
  title: string;
  /** The preset that it is of. */
  preset: string | null;
  /** Its rules. */
  rules: RulesData;
  /** Whether its board needs no guess. */
  no_guess: boolean;
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** Mines of the board. */
  mines: number;
  /** The cell that a code names as the first to reveal. */
  first: [number, number] | null;
  /** The tiles, a text a row. */
  board: string[];
  /** Of a game that has ended. */
  end?: EndMessage;
  /** Of a game that has ended, once it is known. */
  review?: ReviewMessage;
}

/** How a game stands: ready → playing → won, lost or terminated. */
export type Status = "lost" | "playing" | "ready" | "terminated" | "won";

/** What sets a game apart from one that was played straight through. */
export interface Marks {
  hints?: number;
  /** Moves that were taken back, each time they were. */
  undone?: number;
  /** How often the same board was started over before this game. */
  restarts?: number;
  /** How often its player stopped the clock. */
  pauses?: number;
  /** How often the clock was stopped because nobody was looking. */
  auto_pauses?: number;
  /** Whether the mines were shown before the end. */
  shown?: boolean;
  /** Whether chances were shown over the board. */
  overlay?: boolean;
  /** Whether the board was named by a seed or a code, so that its mines may be known. */
  seen?: boolean;
  /** Whether the game began in the middle, from a position to be played on. */
  practice?: boolean;
}

/** Rules, as far as they concern who plays by hand. */
export interface RulesData {
  /** The preset of rules, and what differs from it. */
  name: string;
  /** When the game is won. */
  win: Win;
  /** What the first reveal may meet. */
  start: Start;
  /** Whether a left click on a clue reveals its other neighbours. */
  chording: boolean;
  /** Whether the right click goes on from a flag to a question mark. */
  question_marks: boolean;
  /** Whether a cascade reveals flagged cells too. */
  cascade_clears_flags: boolean;
  /** Whether a left click on a flagged cell reveals it. */
  click_reveals_flagged: boolean;
}

/** When a game is won. */
export type Win = "either" | "flagged" | "revealed";

/** What the first reveal may meet. */
export type Start = "any" | "open" | "safe";

/** After the update that ended a game: what is told only then. */
export interface EndMessage {
  type: "end";
  /** Of the message that this answers; only for who sent it. */
  id?: number;
  /** How it ended. */
  status: Status;
  /** Mines shown, and wrong flags. */
  runs: [number, string][];
  /** Gives the same board again; null if no layout was drawn. */
  code: string | null;
  /** Its digits: it may be larger than a number in JSON is everywhere. */
  seed: string | null;
  /** The board's 3BV; this and the next five are null where they are not known. */
  bbbv: number | null;
  /** As much of it as was solved. */
  solved_bbbv: number | null;
  /** Clicks and moves. */
  clicks: number | null;
  /** Those that changed something. */
  effective_clicks: number | null;
  /** Solved 3BV by clicks. */
  efficiency: number | null;
  /** Null after a pause too. */
  bbbv_per_second: number | null;
  /** Games that the player has played now. */
  played: number;
  /** Games won. */
  won: number;
  /** Whether this is the player's best time of the kind: of wins without help and without a pause. */
  best: boolean;
}

/** Soon after the end: the last move, judged by the board before it. */
export interface ReviewMessage {
  type: "review";
  /** Of the message that this answers; only for who sent it. */
  id?: number;
  /** Cells that were certain to be safe. */
  safe: [number, number][];
  /** Cells that were certain to be mines. */
  mined: [number, number][];
  /** The move's chance to have met a mine; null if it took none (as a first reveal that is protected), or that is not known. */
  risk: number | null;
  /** The least chance of any cell. */
  least: number | null;
  /** Whether nothing was certain to be safe. */
  forced: boolean | null;
}

/** What a move changed, or a pause, a hint, a switch. After an end, the runs of `undone` and `restarted` are about the board as it was before `end.runs` showed the mines: a client takes those back first. */
export interface UpdateMessage {
  type: "update";
  /** Of the message that this answers; only for who sent it. */
  id?: number;
  /** Counts updates: one that is not the last plus one tells a client to ask for the `state`. */
  number: number;
  /** How the game stands. */
  status: Status;
  /** Milliseconds on the game's clock. */
  time: number;
  /** Whether the clock is. */
  running: boolean;
  /** Whether the game is paused: the board is hidden then. */
  paused: boolean;
  /** Cells that are flagged. */
  flags: number;
  /** Whether there is a move to take back. */
  can_undo: boolean;
  /** Whether a move was taken back, and none made since. */
  can_redo: boolean;
  /** What sets the game apart. */
  marks: Marks;
  /** Whether chances are shown now. */
  overlay: boolean;
  /** What happened. `working`: the layout of a game without guesses is being looked for; the move follows, or an `error`. */
  what: "moved" | "undone" | "redone" | "restarted" | "paused" | "went on" | "hinted" | "overlay" | "working";
  /** The cells that changed. */
  runs: [number, string][];
}

/** The next step and its reason, after an update that counts the hint. */
export interface HintMessage {
  type: "hint";
  /** Of the message that this answers; only for who sent it. */
  id?: number;
  /** As of `chances`. */
  number: number;
  /** The last is the one to act on. */
  steps: HintStep[];
  /** Whether nothing is certain to be safe; null if that took too much work. */
  may_guess: boolean | null;
}

/** One step of a hint. */
export interface HintStep {
  /** The kind of reasoning. */
  technique: string;
  /** The name of a known pattern, if it is one. */
  pattern: string | null;
  /** The reason, in a sentence. */
  why: string;
  /** The clues that it reads. */
  clues: [number, number][];
  /** What is safe by it. */
  safe: [number, number][];
  /** What is a mine by it. */
  mined: [number, number][];
  /** The cell to guess, where nothing is certain; the one to begin with, where the first reveal is protected. */
  best: [number, number] | null;
  /** That cell's chance to be a mine. */
  risk: number | null;
  /** Of a guess: the chance to win by best play after it, an estimate unless `win_low` and `win_high` are equal; null where it is not known. */
  win: number | null;
  /** What that chance certainly is at least. */
  win_low: number | null;
  /** What it certainly is at most. */
  win_high: number | null;
}

/** Whether nothing is certain to be safe. */
export interface MayGuessMessage {
  type: "may_guess";
  /** Of the message that this answers; only for who sent it. */
  id?: number;
  /** Null if that took too much work. */
  answer: boolean | null;
}

/** The chances of all covered cells. */
export interface ChancesMessage {
  type: "chances";
  /** Of the message that this answers; only for who sent it. */
  id?: number;
  /** Of the last update, if the board is still the one that they are about; else of the one that led to that board. */
  number: number;
  /** Four digits after the point, more where so few would show an uncertain cell as 0 or 1; null where that took too much work. */
  chances: [number, number, number][] | null;
  /** The chance to win by best play, an estimate unless `win_low` and `win_high` are equal; null where it is not known. */
  win?: number | null;
  /** What that chance certainly is at least. */
  win_low?: number | null;
  /** What it certainly is at most. */
  win_high?: number | null;
  /** Why the chance to win is not known, in a sentence. */
  reason?: string | null;
}

/** Something is not done. */
export interface ErrorMessage {
  type: "error";
  /** Of the message that this answers; only for who sent it. */
  id?: number;
  /** Why, for programs. */
  code: "bad-message" | "illegal-move" | "busy" | "slow-down" | "too-long" | "failed";
  /** Why, for people. */
  message: string;
}

/** The answer to a `ping`. */
export interface PongMessage {
  type: "pong";
  /** Of the message that this answers; only for who sent it. */
  id?: number;
}

/** The server stops; come back soon. */
export interface ClosingMessage {
  type: "closing";
  /** Of the message that this answers; only for who sent it. */
  id?: number;
}

/** Whether what was told last is kept. It is, where nothing is said: a start and an end are told when they are on the disk. */
export interface SavingMessage {
  type: "saving";
  /** Of the message that this answers; only for who sent it. */
  id?: number;
  /** False comes before an update or an end that neither journal nor database has taken in time; true when one of them has. */
  saved: boolean;
}

/** What a new game is asked for with, all of it optional; `code` stands alone. */
export interface NewGameBody {
  /** Rules, size and mines, where nothing else is said; `beginner` without one. */
  preset?: string | null;
  /** A preset of rules. */
  rules?: string | null;
  /** Columns. */
  width?: number | null;
  /** Rows. */
  height?: number | null;
  /** Mines; needed where the size is not the preset's. */
  mines?: number | null;
  /** What the first reveal may meet. */
  start?: Start | null;
  /** Whether a left click on a clue reveals its other neighbours. */
  chording?: boolean | null;
  /** Whether the right click goes on from a flag to a question mark. */
  question_marks?: boolean | null;
  /** Whether the board is to need no guess. */
  no_guess?: boolean | null;
  /** Names the board; such a game is marked as seen. */
  seed?: number | string | null;
  /** A game's code. */
  code?: string | null;
}

/** A board to be analysed. */
export interface BoardBody {
  /** A board text: a line a row. A first line `WIDTHxHEIGHT/MINES` may name the mines. */
  board: string;
  /** Its mines, if the text does not say. */
  mines?: number | null;
}

/** Which games statistics are asked about, all of it optional. */
export interface StatisticsQuery {
  /** Unaided games, or those with help. */
  category?: "assisted" | "plain";
  /** Games of this preset. */
  preset?: string | null;
  /** Games of this size. */
  kind?: string | null;
  /** Games that ended then or later. */
  since?: number | null;
  /** Games that ended before. */
  until?: number | null;
}

/** A game that was made. */
export interface CreatedGame {
  /** Its name. */
  game: string;
  /** The path of its WebSocket. */
  socket: string;
  /** How it stands. */
  state: StateMessage;
}

/** The player's unfinished games. */
export interface GameList {
  /** The one played last first. */
  games: GameSummary[];
}

/** An unfinished game, as a list shows it. */
export interface GameSummary {
  /** What to call it on a screen. */
  title: string;
  /** The preset that it is of. */
  preset: string | null;
  /** The name of its rules. */
  rules: string;
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** Mines of the board. */
  mines: number;
  /** Whether its board needs no guess. */
  no_guess: boolean;
  /** How it stands. */
  status: Status;
  /** Milliseconds on its clock. */
  time: number;
  /** Cells that are flagged. */
  flags: number;
  /** Cells that are not revealed, flags included. */
  covered: number;
  /** Whether it is paused. */
  paused: boolean;
  /** The game's name. */
  game: string;
  /** When it was played last, in milliseconds since 1970. */
  saved: number;
}

/** What is put away beside a game, which says by itself whose it is and when it was played. */
export interface StoredSummary {
  /** What to call it on a screen. */
  title: string;
  /** The preset that it is of. */
  preset: string | null;
  /** The name of its rules. */
  rules: string;
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** Mines of the board. */
  mines: number;
  /** Whether its board needs no guess. */
  no_guess: boolean;
  /** How it stands. */
  status: Status;
  /** Milliseconds on its clock. */
  time: number;
  /** Cells that are flagged. */
  flags: number;
  /** Cells that are not revealed, flags included. */
  covered: number;
  /** Whether it is paused. */
  paused: boolean;
}

/** What can be known of a board. */
export interface BoardAnalysis {
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** Mines of the board. */
  mines: number;
  /** Of all covered cells; null where that took too much work. */
  chances: [number, number, number][] | null;
  /** Cells that are certain to be safe. */
  safe: [number, number][];
  /** Cells that are certain to be mines. */
  mined: [number, number][];
  /** Whether nothing is certain to be safe; null if that took too much work. */
  may_guess: boolean | null;
  /** The cell to reveal, the one that wins most; null where there is none, or it took too much work. */
  best: [number, number] | null;
  /** Why that one, in a sentence. */
  why: string | null;
  /** The chance to win by best play, an estimate unless `win_low` and `win_high` are equal; null where it is not known. */
  win: number | null;
  /** Why the chance to win is not known, in a sentence. */
  reason: string | null;
  /** What that chance certainly is at least. */
  win_low: number | null;
  /** What it certainly is at most. */
  win_high: number | null;
  /** The reveals worth a thought, the best first. */
  candidates: RevealCandidate[];
}

/** A cell that may be worth revealing next. */
export interface RevealCandidate {
  /** Which. */
  cell: [number, number];
  /** Its chance to be a mine. */
  risk: number;
  /** The chance to win by best play after it, an estimate unless `win_low` and `win_high` are equal; null where it is not known. */
  win: number | null;
  /** What that chance certainly is at least. */
  win_low: number;
  /** What it certainly is at most. */
  win_high: number;
  /** The numbers that it can show; with the risk their chances add up to 1. */
  clues: [number, number][];
  /** Whether a clue can still tell something about it. */
  can_wait: boolean;
}

/** Games of the player, unaided and assisted together. */
export interface PlayerCounts {
  /** Games that were begun. */
  played: number;
  /** Those that were won. */
  won: number;
}

/** That the server is well: its store answers. Where it does not, the answer is a 503. */
export interface HealthAnswer {
  /** Nothing else is answered with 200. */
  status: "ok";
  /** Games in memory. */
  games: number;
  /** Sockets of games that are open. */
  sockets: number;
}

/** The presets, and what a custom game may be. */
export interface PresetsAnswer {
  /** Those that fit this server's limits. */
  presets: PresetData[];
  /** Of custom games. */
  limits: SizeLimits;
  /** Where a player has not chosen. */
  defaults: PageDefaults;
}

/** A game that has a name. */
export interface PresetData {
  /** The preset's. */
  name: string;
  /** Its rules. */
  rules: RulesData;
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** The counts that it draws from. */
  mines: number[];
}

/** What a custom game may be. It has at least 1 mine and leaves at least one cell free of them (9 with `open`, as far as the board has so many). */
export interface SizeLimits {
  /** Fewest and most columns. */
  width: [number, number];
  /** Fewest and most rows. */
  height: [number, number];
  /** Most cells. */
  cells: number;
  /** Most cells of a board that needs no guess. */
  no_guess_cells: number;
}

/** What the page begins with. */
export interface PageDefaults {
  /** Keys by action, as `KeyboardEvent` names them. */
  keys: Record<string, string[]>;
  /** Colours of boards. */
  palette: string;
  /** Light, dark, or the system's. */
  theme: string;
  /** The game that is chosen. */
  preset: string;
}

/** How the page looks where a player has not said otherwise. */
export interface PageLook {
  /** Keys by action, as `KeyboardEvent` names them. */
  keys: Record<string, string[]>;
  /** Colours of boards. */
  palette: string;
  /** Light, dark, or the system's. */
  theme: string;
}

/** A player's statistics. */
export interface StatisticsAnswer {
  /** Of all games that were asked about. */
  total: GameNumbers;
  /** Of each kind, the one played most first. */
  kinds: KindNumbers[];
  /** How many kinds there are. */
  kind_count: number;
  /** Games won in a row, now. */
  streak: number;
  /** The most there ever were. */
  best_streak: number;
  /** In periods of one length; empty ones are left out. */
  over_time: PeriodNumbers[];
  /** Of won games. */
  times: TimesHistogram;
  /** `[ended, time, best]` of the last won games (at most 500) of the one kind there is, oldest first; `best`: none was quicker before. */
  wins: [number, number, boolean][];
  /** How often risks came true. */
  calibration: RiskNumbers[];
  /** The quickest won games of each kind, the kind played most first. */
  best_times: KindBestTimes[];
  /** Guesses in periods of one length; empty ones are left out. */
  luck: LuckPeriod[];
}

/** Games counted, and what they came to; null where that is not known. */
export interface GameNumbers {
  /** Games that were begun. */
  played: number;
  /** Games won. */
  won: number;
  /** Games lost. */
  lost: number;
  /** Games given up. */
  terminated: number;
  /** Games that have not ended. */
  unfinished: number;
  /** Won games by games played. */
  rate: number | null;
  /** The least that the rate may be, with 95 % confidence. */
  low: number | null;
  /** The most. */
  high: number | null;
  /** The best time, in milliseconds. */
  best: number | null;
  /** The median time of won games, in milliseconds. */
  median: number | null;
  /** The mean 3BV/s of won games. */
  bbbv_per_second: number | null;
  /** The mean efficiency. */
  efficiency: number | null;
}

/** The same of games of one kind. */
export interface KindNumbers {
  /** Games that were begun. */
  played: number;
  /** Games won. */
  won: number;
  /** Games lost. */
  lost: number;
  /** Games given up. */
  terminated: number;
  /** Games that have not ended. */
  unfinished: number;
  /** Won games by games played. */
  rate: number | null;
  /** The least that the rate may be, with 95 % confidence. */
  low: number | null;
  /** The most. */
  high: number | null;
  /** The best time, in milliseconds. */
  best: number | null;
  /** The median time of won games, in milliseconds. */
  median: number | null;
  /** The mean 3BV/s of won games. */
  bbbv_per_second: number | null;
  /** The mean efficiency. */
  efficiency: number | null;
  /** What to call the kind. */
  title: string;
  /** The preset that it is of. */
  preset: string | null;
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** Mines of the board. */
  mines: number;
  /** What the first reveal may meet. */
  start: Start;
  /** Whether its boards need no guess. */
  no_guess: boolean;
}

/** Games of a period. */
export interface PeriodNumbers {
  /** When the period begins, in milliseconds since 1970. */
  begin: number;
  /** Games that ended then. */
  played: number;
  /** Games won. */
  won: number;
  /** The least that the rate may be, with 95 % confidence. */
  low: number | null;
  /** The most. */
  high: number | null;
  /** The mean time of won games in milliseconds, null without one. */
  mean: number | null;
}

/** Won games by their times. */
export interface TimesHistogram {
  /** Milliseconds of a column. */
  width: number;
  /** `[from, games]`; none where the games are of several kinds. */
  counts: [number, number][];
}

/** Moves by the risk that they took. */
export interface RiskNumbers {
  /** The least risk of these moves. */
  low: number;
  /** The most. */
  high: number;
  /** How many there were. */
  moves: number;
  /** How many met a mine. */
  exploded: number;
  /** The mean risk. */
  claimed: number;
  /** The least that the share of mines may be, with 95 % confidence. */
  least: number;
  /** The most. */
  most: number;
}

/** The quickest games of a kind. */
export interface KindBestTimes {
  /** What to call the kind. */
  title: string;
  /** The preset that it is of. */
  preset: string | null;
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** Mines of the board. */
  mines: number;
  /** Whether its boards need no guess. */
  no_guess: boolean;
  /** At most ten, the quickest first. */
  games: BestTimeData[];
}

/** A won game of the quickest of its kind. */
export interface BestTimeData {
  /** Its name. */
  game: string;
  /** Its time in milliseconds. */
  time: number;
  /** When it ended, in milliseconds since 1970. */
  ended: number;
  /** Its board's 3BV. */
  solved_bbbv: number | null;
  /** Whether its moves are kept, so that it can be looked through. */
  has_moves: boolean;
}

/** The guesses of a period. */
export interface LuckPeriod {
  /** When the period begins, in milliseconds since 1970. */
  begin: number;
  /** Moves that took a risk, in games that ended then. */
  guesses: number;
  /** Those of them that need not have been made: something was certain to be safe. */
  needless: number;
  /** Guesses that met no mine. */
  survived: number;
  /** How many of them were to on average. */
  expected: number;
}

/** The answer to a request that was refused. */
export interface ErrorBody {
  /** Why. */
  error: ErrorReason;
}

/** Why a request was refused. */
export interface ErrorReason {
  /** For programs. */
  code: string;
  /** For people. */
  message: string;
}

/** Which finished games are listed, all of it optional. */
export interface PlayedQuery {
  /** Games of this preset; `custom` is those of none. */
  preset?: string | null;
  /** How they ended. */
  result?: "lost" | "terminated" | "won" | null;
  /** Games that ended then or later. */
  since?: number | null;
  /** Games that ended before. */
  until?: number | null;
  /** The last game of the page before this one. */
  after?: string | null;
}

/** Finished games, the last first. */
export interface PlayedList {
  /** Those of one page. */
  games: PlayedSummary[];
  /** Whether others follow. */
  more: boolean;
}

/** A finished game, as a list shows it. */
export interface PlayedSummary {
  /** Its name. */
  game: string;
  /** The preset that it is of. */
  preset: string | null;
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** Mines of the board. */
  mines: number;
  /** Whether its board needs no guess. */
  no_guess: boolean;
  /** How it ended. */
  status: Status;
  /** Its time in milliseconds, as of `FinishedGameData`. */
  time: number | null;
  /** When it ended, in milliseconds since 1970. */
  ended: number;
  /** Whether it was played with help, or on a board that was seen before. */
  assisted: boolean;
  /** The board's 3BV. */
  bbbv: number | null;
  /** As much of it as was solved. */
  solved_bbbv: number | null;
  /** Clicks and moves. */
  clicks: number | null;
  /** Whether its moves are kept, so that it can be looked through. */
  has_moves: boolean;
}

/** A game as it was played, from all cells covered to its end. */
export interface FinishedGameData {
  /** Its name; null for one that is not kept here. */
  game: string | null;
  /** What to call it on a screen. */
  title: string;
  /** The preset that it is of. */
  preset: string | null;
  /** Its rules. */
  rules: RulesData;
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** Mines of the board. */
  mines: number;
  /** Whether its board needs no guess. */
  no_guess: boolean;
  /** How it ended. */
  status: Status;
  /** Its time in milliseconds; null where it is not to be compared with others, as after a pause. */
  time: number | null;
  /** When it ended, in milliseconds since 1970. */
  ended: number | null;
  /** Who played it, of a recording that says so. */
  player: string | null;
  /** Of a recording: the format of its file. */
  format: string | null;
  /** Whether it was played with help, or on a board that was seen before. */
  assisted: boolean;
  /** Whether whoever asks has played it. */
  own: boolean;
  /** Whether anyone who has its link may see it. */
  shared: boolean;
  /** Whether the mines that the game did not show are kept back, because its board is being played again. */
  hidden: boolean;
  /** Gives the same board again; null while that is kept back, or where there is none. */
  code: string | null;
  /** The board's 3BV; this and the next are null while the mines are kept back. */
  bbbv: number | null;
  /** As much of it as was solved. */
  solved_bbbv: number | null;
  /** Clicks and moves. */
  clicks: number | null;
  /** In their order. */
  moves: PlayedMove[];
  /** Where the mines were; null while that is kept back, or where it is not known. */
  mined: [number, number][] | null;
}

/** A move that was made. */
export interface PlayedMove {
  /** Milliseconds on the game's clock. */
  at: number;
  /** What was done. */
  action: "reveal" | "flag" | "unflag" | "question" | "unquestion" | "chord" | "terminate";
  /** Where. */
  cell: [number, number];
  /** How the game stood after it. */
  status: Status;
  /** What it changed. */
  runs: [number, string][];
}

/** A game, judged move by move; docs/review.md defines each number. */
export interface GameVerdicts {
  /** One for each move of the game, as far as there was time. */
  moves: JudgedMove[];
  /** Whether all were judged. */
  complete: boolean;
  /** The chance to win before the first move. */
  win_first: number | null;
  /** The chance to win after the last. */
  win_last: number | null;
  /** What choices cost of the chance to win. */
  cost: number | null;
  /** What answers added to it. */
  luck: number | null;
  /** The share of the chance to win that the choices kept. */
  accuracy: number | null;
  /** The chance to survive all guesses that have a known risk. */
  survival: number | null;
  /** Moves that were not certain to be safe. */
  guesses: number;
  /** Those of them where nothing was certain to be safe. */
  forced: number;
  /** Those where something was. */
  needless: number;
  /** Guesses of a known risk that met no mine. */
  survived: number;
  /** How many guesses of a known risk were to be survived on average. */
  expected_survived: number | null;
  /** Moves that were not the best. */
  mistakes: number;
  /** The move that changed the chance to win most, from 1. */
  turning_point: number | null;
}

/** A move, judged by what could be known before it; what is not known is null. */
export interface JudgedMove {
  /** What it was. */
  verdict: "first" | "safe" | "right guess" | "wrong guess" | "needless guess" | "certain mine" | "mark" | "wrong flag" | "nothing" | "unknown";
  /** The verdict, and how it came out. */
  words: string;
  /** The chance that it revealed a mine. */
  risk: number | null;
  /** The least risk that a reveal could have. */
  least_risk: number | null;
  /** The chance to win before it, by best play. */
  win_before: number | null;
  /** The chance to win when it is made, before its answer is seen. */
  win_by_move: number | null;
  /** The chance to win once the answer is seen. */
  win_after: number | null;
  /** Whether all three are exact; else they are estimates. */
  exact: boolean;
  /** A better reveal, of a move that was not the best. */
  best: [number, number] | null;
  /** Why, in words. */
  why: string | null;
  /** The certain cells that it missed. */
  safe: [number, number][];
}

/** Whether anyone who has its link may see a game. */
export interface SharingBody {
  /** True shows it to anyone, false to its player alone. */
  shared: boolean;
}

/** A recording that was sent, and its review; nothing of it is kept. */
export interface ReviewedRecording {
  /** The game. */
  game: FinishedGameData;
  /** The review. */
  review: GameVerdicts;
}

/** A position to be looked into. */
export interface PositionBody {
  /** A board text, a game's code, or a game id of Mines of Simon Tatham's collection. */
  text: string;
  /** The mines of a board text that does not say them. */
  mines?: number | null;
}

/** A position, and what can be known of it. */
export interface PositionAnswer {
  /** What the text was. */
  source: "board" | "code" | "game id";
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** Mines of the board. */
  mines: number;
  /** The position, a text a row; of a code and a game id, after the first reveal that it names. */
  board: string[];
  /** How many layouts fit, in digits; null where that is not known or takes more than 60. */
  layouts: string | null;
  /** Its decimal logarithm; null where it is not known, or none fits. */
  layouts_log10: number | null;
  /** Why no layout fits; null where one does. */
  contradiction: ContradictionData | null;
  /** Reasons step by step: what follows from what is seen, the easiest first; at the end a guess, where that is all that is left. */
  steps: HintStep[];
  /** Chances, and the chance to win; null where no layout fits. */
  analysis: BoardAnalysis | null;
}

/** Why no layout fits a position. */
export interface ContradictionData {
  /** In a sentence. */
  message: string;
  /** The clues that contradict each other. */
  clues: [number, number][];
  /** Whether the number of mines has a part in it. */
  mine_count: boolean;
}

/** A position to be played on from. */
export interface PracticeBody {
  /** A board text. */
  board: string;
  /** Its mines, if the text does not say. */
  mines?: number | null;
  /** A preset of rules; `modern` without one. */
  rules?: string | null;
}

/** Positions that went wrong, of one's latest games first. */
export interface WrongPositions {
  /** Some of them. */
  positions: WrongPosition[];
  /** Games that were looked through for them. */
  games: number;
  /** Where to go on: the last game that was looked through; null where there is none before it. */
  after: string | null;
}

/** A position of a game of one's own in which another move was better. */
export interface WrongPosition {
  /** The game. */
  game: string;
  /** Which of its moves followed, from 1. */
  move: number;
  /** Columns. */
  width: number;
  /** Rows. */
  height: number;
  /** Mines of the board. */
  mines: number;
  /** What was seen, a text a row, without flags. */
  board: string[];
  /** The cell that was revealed. */
  chosen: [number, number];
  /** What that move was. */
  verdict: "first" | "safe" | "right guess" | "wrong guess" | "needless guess" | "certain mine" | "mark" | "wrong flag" | "nothing" | "unknown";
  /** The cells that are right: all that are certain to be safe, else every guess that is not told apart from the best. */
  right: [number, number][];
  /** Why these are, in words; nothing of the move that was made. */
  why: string | null;
  /** The chance of each covered cell to be a mine. */
  chances: [number, number, number][];
}

/** Everything that a player may say. */
export type PlayerMessage =
  | LeftRequest
  | RightRequest
  | RevealRequest
  | FlagRequest
  | UnflagRequest
  | QuestionRequest
  | UnquestionRequest
  | ChordRequest
  | TerminateRequest
  | UndoRequest
  | RedoRequest
  | RestartRequest
  | PauseRequest
  | GoOnRequest
  | HintRequest
  | MayGuessRequest
  | PageRequest
  | OverlayRequest
  | StateRequest
  | PingRequest;

/** Everything that the server may say. */
export type ServerMessage =
  | StateMessage
  | UpdateMessage
  | EndMessage
  | ReviewMessage
  | HintMessage
  | MayGuessMessage
  | ChancesMessage
  | ErrorMessage
  | PongMessage
  | ClosingMessage
  | SavingMessage;
