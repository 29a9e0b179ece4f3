/**
 * The screen of a game: it joins the board, the hands, the connection and what is around the board.
 *
 * `openGame(section, id, options)` fills `section` (its `[data-play]`, if it has one).
 *
 * Knows: what each message and each action comes to.
 * Does not know: other screens, how anything is drawn.
 */

import { Advice } from "./advice.js";
import { holds } from "./aids.js";
import { isOfDay, mayEndAttempt, stillCounts } from "./attempt.js";
import { Board, FLAGGED, MINE } from "./board.js";
import { Clock } from "./clock.js";
import { Connection } from "./connection.js";
import { afterFrame, wait } from "./dom.js";
import { GameView } from "./game_view.js";
import { Outage } from "./outage.js";
import { PlayerHands } from "./hands.js";
import { attachKeyboard } from "./keyboard.js";
import { attachMouse } from "./mouse.js";
import { ask } from "./dialog.js";
import { endWords, savingWords, soundOf, standingWords, updateWords } from "./speech.js";
import { HOLDS, attachTouch } from "./touch.js";
import { Zoom } from "./zoom.js";
import { hasWords, t } from "./words.js";

/** @import { Changes, Chances, End, Hint, Message, Now, Refusal, Review, Rules, Run, Settings, State, Update } from "./types.js" */

/**
 * What a game is given: where choices are kept, and what is called when.
 * @typedef {object} GameOptions
 * @property {Settings} settings
 * @property {(state: State) => void} [onState] what the server says of it, when it is opened and whenever it says so again
 * @property {(end: End, state: State, delay: number | null) => void} [onEnd]
 * @property {(review: Review) => void} [onReview]
 * @property {(isSaved: boolean) => void} [onSaving] whether the end that was told is kept, where that takes long
 * @property {() => void} [onRestart] an ended game goes on or starts over
 * @property {() => void} [onNew] another game of this kind shall take its place
 * @property {() => void} [onLeave] the way to the menu
 * @property {() => void} [onMissing] there is no such game
 * @property {(name: string) => void} [play] sounds
 */

/**
 * What can be done to a game that is shown.
 * @typedef {{close: () => void, restart: () => void, giveUp: () => Promise<void>, say: (text: string) => void}} OpenedGame
 */

/** Milliseconds that the end of a game is waited for that another takes the place of. */
const LONGEST_END = 3000;

/** @type {Set<string>} */
const ENDED = new Set(["won", "lost", "terminated"]);

class Game {
  /** @param {HTMLElement} section @param {string} id @param {GameOptions} options */
  constructor(section, id, options) {
    this.options = options;
    this.settings = options.settings;
    /** @type {Now | null} how it stands; null until the server has said so */
    this.fields = null;
    /** @type {State | null} what the server said of it last */
    this.state = null;
    /** @type {End | null} */
    this.end = null;
    /** False while what was told last is not kept yet. */
    this.isSaved = true;
    this.flagMode = false;
    this.outage = new Outage(() => this.#sayLost());
    this.toldPauses = 0;
    /** The restarts of the game that was marked last. */
    this.aided = -1;
    this.isHelped = false; // true once help is asked for, until the server has said what came of it
    this.isLeaving = false;
    /** @type {(() => void) | null} what waits for the end of this game, which another takes the place of */
    this.whenOver = null;
    this.status = "opening";
    const actions = this.#actions();
    this.view = new GameView(/** @type {HTMLElement | null} */ (section.querySelector("[data-play]")) ?? section, actions);
    const { grid } = this.view;
    this.advice = new Advice(this.view, (name) => options.play?.(name));
    this.zoom = new Zoom(grid, { isCalm: () => document.documentElement.dataset.motion === "less", onFit: (fits) => this.view.element.classList.toggle("fits", fits) });
    this.clock = new Clock((seconds) => this.view.header.showTime(seconds));
    this.hands = new PlayerHands(this, grid);
    this.stops = [
      attachMouse(grid, this.hands),
      attachTouch(grid, this.hands, this.zoom, () => HOLDS[this.settings.get("hold")]),
      attachKeyboard(grid, {
        keys: () => this.settings.get("keys"),
        act: (action, cell) => this.#act(action, cell),
        isBlocked: () => document.querySelector("dialog[open]") !== null,
      }),
      this.settings.onChange(() => this.#showAround()),
      this.#watchPage(),
    ];
    this.connection = new Connection(id, {
      onMessage: (message) => this.#heard(message),
      onStatus: (status) => this.#connected(status),
    });
  }

  close() {
    this.outage.stop();
    this.connection.close();
    this.clock.stop();
    this.zoom.close();
    for (const stop of this.stops) stop();
    this.view.close();
  }

  restart() {
    this.send("restart");
  }

  /**
   * End it, for another takes its place: it is given up, and one that nobody has touched counts nowhere.
   * @returns {Promise<void>} when it has ended, or that cannot be known
   */
  async giveUp() {
    if (this.isOver || !this.connection.send("terminate")) return;
    await Promise.race([wait(LONGEST_END), new Promise((go) => {
      this.whenOver = () => go(undefined);
    })]);
  }

  /** Say something in passing. @param {string} text */
  say(text) {
    this.view.toast.show(text);
    this.view.speech.say(text);
  }

  /**
   * A move was sent that would change these cells.
   * @param {number} id of the message
   * @param {number[]} cells
   */
  expectChange(id, cells) {
    this.outage.sent(id, cells);
  }

  /** @param {number | null} id of a message that was answered; null: no answer is waited for any more */
  #answered(id) {
    this.view.grid.waited(id);
    this.outage.answered(id);
  }

  /**
   * Show a mark that was asked for; it is taken back if the server says no.
   * @param {number} id of the message
   * @param {number} cell
   * @param {string} tile
   */
  expectMark(id, cell, tile) {
    if (!this.fields) return;
    const changes = this.board.expect(id, cell, tile);
    this.view.grid.refresh(changes.cells);
    this.advice.drop();
    this.#showAround();
    this.#tellMove(changes, "moved");
  }

  /** Tell the server, once a game, that this page helps with flags. */
  markAided() {
    const { aided = false, restarts = 0 } = this.fields?.assistance ?? {};
    if (!aided && this.aided !== restarts && this.connection.send("aid")) this.aided = restarts;
  }

  /** What a move changed, for the ear. @param {Changes} changes @param {Update["what"]} what */
  #tellMove(changes, what) {
    this.view.speech.say(updateWords(this.board, changes, { what, flags: this.#flags }));
    if (!this.isOver) this.options.play?.(soundOf(changes, what));
  }

  /** The flags that are shown: a won board has one on each mine. */
  get #flags() {
    if (this.fields?.status === "won") return this.board.mine_count;
    return (this.fields?.flags ?? 0) + this.board.expectedFlags;
  }

  /** Whether nobody has done anything in it: a new one would be no other. */
  get isUntouched() {
    if (this.fields?.status !== "ready") return false;
    const { hints, undone, restarts, overlay, seen } = this.fields.assistance;
    return !(hints || undone || restarts || overlay || seen || this.board.expectedFlags);
  }

  /** @returns {import("./board.js").Board} */
  get board() {
    return this.view.grid.board;
  }

  /** @returns {Rules} */
  get rules() {
    if (!this.state) throw new Error("the server has not said yet what game this is");
    return this.state.rules;
  }

  get isOver() {
    return this.fields !== null && ENDED.has(this.fields.status);
  }

  /** Whether it is an attempt at a board of the day that goes on and still counts. */
  get isAttempt() {
    return this.fields !== null && isOfDay(this.state) && !this.isOver && !this.isHelped && stillCounts(this.fields);
  }

  get canPlay() {
    return this.fields !== null && !this.isOver && !this.fields.paused;
  }

  /**
   * Send a message; 0, and the player is told, if there is no connection.
   * @param {string} verb
   * @param {object} [more]
   */
  send(verb, more) {
    const id = this.connection.send(verb, more);
    if (!id) {
      this.say(t("not-sent"));
      this.options.play?.("error");
    }
    return id;
  }

  // --- tools and keys ----------------------------------------------------------------------------------

  #actions() {
    /** @param {boolean | undefined} may @param {string} verb @param {object} [more] */
    const sendIf = (may, verb, more) => Boolean(may && this.send(verb, more));
    /** Do what marks the game, unless the player would rather keep an attempt that counts. @param {() => boolean} help whether it was asked for */
    const mark = async (help) => {
      if ((!this.isAttempt || (await mayEndAttempt("help"))) && help()) this.isHelped = true;
    };
    return {
      end: () => this.#giveUp(),
      new: () => this.#startNew(),
      undo: () => void (this.fields?.can_undo && mark(() => sendIf(this.fields?.can_undo, "undo"))),
      redo: () => sendIf(this.fields?.can_redo, "redo"),
      pause: () => sendIf(this.fields !== null && !this.isOver && !isOfDay(this.state), this.fields?.paused ? "go_on" : "pause"),
      hint: () => mark(() => sendIf(this.canPlay, "hint", { strategy: this.settings.get("advisor") })),
      guess: () => mark(() => sendIf(this.canPlay, "may_guess")),
      overlay: () => mark(() => sendIf(this.canPlay, "overlay", { on: !this.fields?.overlay })),
      flagMode: () => {
        this.flagMode = !this.flagMode;
        this.view.header.showFlagMode(this.flagMode);
        this.view.speech.say(t(this.flagMode ? "tap-flags" : "tap-reveals"));
      },
      names: () => this.settings.set("coordinates", !this.settings.get("coordinates")),
      turn: () => this.settings.set("turned", !this.settings.get("turned")),
      more: () => this.view.header.toggleMore(),
      smaller: () => this.zoom.step(-1),
      larger: () => this.zoom.step(1),
      fit: () => this.zoom.fit(),
      status: () => this.#sayStanding(),
      closeNote: () => {
        this.advice.clear();
        this.view.grid.focus();
      },
    };
  }

  /**
   * @param {string} action of a key
   * @param {number} cell where the cursor is
   * @returns {boolean} whether the key was for this game
   */
  #act(action, cell) {
    /** @type {Record<string, () => void>} */
    const actions = this.#actions();
    if (action === "reveal") this.hands.left(cell);
    else if (action === "flag") this.hands.right(cell);
    else if (action === "chord") this.hands.chord(cell);
    else if (action === "same") this.#again();
    else if (action === "close") {
      if (!this.view.note.isOpen) return false;
      this.view.note.hide();
      actions.closeNote();
    }
    else if (actions[action]) actions[action]();
    else return false;
    return true;
  }

  /** Another game of this kind; of one that nobody has touched there is no need to make another. */
  async #startNew() {
    if (this.isUntouched && !this.isAttempt) this.say(t("untouched"));
    else if (!this.isAttempt || (await mayEndAttempt("end"))) this.options.onNew?.();
  }

  async #again() {
    if (this.isAttempt) {
      if (await mayEndAttempt("end")) this.restart();
      return;
    }
    const sure = this.fields?.status !== "playing" || await ask({
      title: t("start-over-question"),
      text: t("start-over-text"),
      yes: t("start-over"),
      no: t("keep-playing"),
    });
    if (sure) this.restart();
  }

  /** What the boxes show, for who does not see them, and for who does without looking up. */
  #sayStanding() {
    if (!this.fields) return;
    this.say(standingWords(this.board, { ...this.fields, flags: this.#flags }, this.clock.seconds));
  }

  async #giveUp() {
    if (!this.fields || this.isOver) return void this.options.onLeave?.();
    if (this.fields.status === "ready" && !this.isAttempt) {
      this.isLeaving = this.connection.isOpen && this.send("terminate") > 0; // not begun: there is nothing to see
      if (!this.isLeaving) this.options.onLeave?.();
      return;
    }
    const no = t("keep-playing");
    const sure = this.isAttempt ? mayEndAttempt("end") : ask({ title: t("end-question"), text: t("end-text"), yes: t("end-it"), no, danger: true });
    if ((await sure) && !this.isOver) this.send("terminate");
  }

  // --- what the server says --------------------------------------------------------------------------

  /** @param {"open" | "lost" | "gone" | "closing"} status */
  #connected(status) {
    const isExpected = status === "lost" && this.status === "closing";
    this.status = isExpected ? "closing" : status;
    if (status === "gone") {
      this.clock.stop();
      this.outage.stop();
      this.view.banner(t("game-gone"));
      if (this.options.onMissing) this.options.onMissing();
      else this.options.onLeave?.();
      return;
    }
    if (status === "open") {
      if (document.hidden) this.connection.send("page", { hidden: true });
      this.isSaved = true; // if it is not, the server says so again before all else
      this.view.banner("");
    } else {
      this.clock.stop();
      if (this.view.grid.isShown) this.view.grid.refresh(this.board.takeBack().cells); // nobody knows what has arrived
      if (status === "lost") {
        if (this.outage.begin((cell) => this.board.tile(cell))) this.view.speech.say(t("connection-lost"));
        this.view.grid.waited(null);
      }
      this.#sayLost();
    }
    this.#showAround();
  }

  #sayLost() {
    const soon = this.status === "closing" ? "server-restarts" : "connection-lost-trying";
    this.view.banner(t(this.outage.isLong ? "server-unreachable" : soon));
  }

  /**
   * Say that the connection is back, and whether a move never arrived. It is not sent again: the player may have thought again.
   * @param {boolean} isSame whether it is the board that there was
   */
  #returned(isSame) {
    const was = this.outage.end(isSame ? (cell) => this.board.tile(cell) : null);
    if (was?.isMoveLost) this.say(`${t("connected-again")} ${t("move-lost")}`);
    else if (was) this.view.speech.say(t("connected-again"));
  }

  /** @param {Message} message */
  #heard(message) {
    switch (message.type) {
      case "state": return this.#stated(message);
      case "update": return this.#updated(message);
      case "end": return this.#ended(message, { isNew: true, isTold: false });
      case "review": return this.#reviewed(message);
      case "hint": return void this.#hinted(message);
      case "may_guess": return this.advice.mayGuess(message.answer);
      case "chances": return this.#isShown(message) ? this.advice.chances(message) : undefined;
      case "saving": return this.#saving(message.saved);
      case "error": return this.#refused(message);
      default: return undefined;
    }
  }

  /** Show a hint, if it is about the board that is seen. @param {Hint} hint */
  async #hinted(hint) {
    const reasons = await import("./reasons.js").catch(() => null);
    if (!reasons) this.say(t("server-away"));
    else if (hint.number === this.fields?.number) this.advice.hint(hint, reasons);
  }

  /** Whether chances are about the board that is seen. @param {Chances} chances */
  #isShown({ number }) {
    return this.canPlay && this.fields !== null && this.fields.overlay && number === this.fields.number;
  }

  /** @param {State} state */
  #stated(state) {
    const { grid } = this.view;
    const first = !grid.isShown;
    const wasOver = this.end !== null;
    const isTold = this.end !== null && state.end !== undefined && isSameEnd(this.end, state.end);
    this.state = state;
    this.aided = -1;
    this.isHelped = false;
    this.options.onState?.(state);
    const same = !first && this.board.width === state.width && this.board.height === state.height;
    if (same) {
      this.board.mine_count = state.mine_count;
      const { cells } = this.board.become(state.board);
      grid.refresh(cells);
      if (cells.length) this.advice.drop();
    } else {
      this.advice.forget();
      grid.show(new Board(state));
      this.#showNames();
      afterFrame(() => this.view.showTitle(state)); // no part of the board waits for its name
    }
    this.#answered(null);
    this.#returned(same);
    this.view.working(false); // it may have ended unheard
    this.#take(state);
    const start = this.advice.start(this.board, this.canPlay ? state : null);
    if (first && start >= 0) grid.moveTo(start, { focus: false, ring: false });
    if (first) afterFrame(() => { // for the focus a browser works all places out
      if (!this.view.isElsewhere) grid.focus();
    });
    if (state.end) this.#ended({ ...state.end }, { isNew: !isTold && !first, isTold });
    else if (wasOver) this.#resumed();
    if (state.review) this.#reviewed(state.review);
    this.options.onSaving?.(this.isSaved);
    if (!same) { // when all is there that takes room
      this.zoom.reset();
      this.zoom.centre();
      if (start >= 0) grid.bring([start]);
    }
  }

  /** @param {Now} message */
  #take(message) {
    const { number, status, time, running, paused, flags, can_undo, can_redo, assistance, overlay } = message;
    const wasPaused = this.fields?.paused ?? false;
    this.fields = { number, status, time, running, paused, flags, can_undo, can_redo, assistance, overlay };
    this.clock.set(time, running);
    if (!overlay || paused || this.isOver) this.advice.hideChances();
    if (paused !== wasPaused) this.view.curtain(paused);
    this.#sayAbsence();
    this.#showAround();
  }

  /** Tell the server whether the page is in view: it pauses a game that is not. @returns {() => void} stops it */
  #watchPage() {
    const tell = () => {
      this.connection.send("page", { hidden: document.hidden });
      this.#sayAbsence();
    };
    document.addEventListener("visibilitychange", tell);
    return () => document.removeEventListener("visibilitychange", tell);
  }

  /** Say once, on return, that the server has paused the game. */
  #sayAbsence() {
    const pauses = this.fields?.assistance.auto_pauses ?? 0;
    if (document.hidden || !this.fields?.paused || pauses <= this.toldPauses) return;
    this.toldPauses = pauses;
    const words = t("paused-away");
    this.view.toast.show(words);
    this.view.speech.say(words);
  }

  #showNames() {
    const are = this.settings.get("coordinates");
    this.view.header.button("names").setAttribute("aria-pressed", String(are));
    const { grid, element } = this.view;
    const isTurned = grid.isShown && this.settings.get("turned") && this.board.width > this.board.height;
    element.classList.toggle("is-wide", grid.isShown && this.board.width > this.board.height);
    this.view.header.button("turn").setAttribute("aria-pressed", String(isTurned));
    const less = holds("lessFlags", this);
    grid.showAids({ dim: holds("dimSatisfied", this), less });
    if (less && this.canPlay && this.fields?.status === "playing") this.markAided();
    const isOther = grid.turn(isTurned);
    if (grid.showNames(are) || isOther) this.zoom.resized();
    if (isOther) this.zoom.centre();
  }

  #showAround() {
    this.#showNames();
    if (!this.fields) return;
    const isOnline = this.connection?.isOpen ?? false;
    const { canPlay, isOver, flagMode } = this;
    this.view.header.show(this.board, { ...this.fields, flags: this.#flags }, { canPlay: canPlay && isOnline, isOver, flagMode, isOnline, isDaily: isOfDay(this.state) });
    this.view.header.button("flagMode").hidden = this.settings.get("flagMode") === false;
    this.view.showState({ ...this.fields, isOver });
  }

  /** @param {Update} update */
  #updated(update) {
    const { grid } = this.view;
    if (this.end && !ENDED.has(update.status)) grid.refresh(this.board.coverAgain(this.end.runs).cells);
    const changes = this.board.apply(update.runs, update.id);
    grid.refresh(changes.cells);
    if (update.what !== "working") this.#answered(update.id ?? null);
    const wasOver = this.end !== null;
    this.#take(update);
    if (update.runs.length || changes.cells.length) this.advice.drop();
    if (this.state?.first) this.advice.start(this.board, this.canPlay ? this.state : null);
    if (wasOver && !this.isOver) this.#resumed();
    this.view.working(update.what === "working");
    this.#tellMove(changes, update.what);
  }

  /** @param {End} end @param {{isNew: boolean, isTold: boolean}} how */
  #ended(end, { isNew, isTold }) {
    this.end = end;
    if (this.whenOver) return void this.whenOver();
    if (this.isLeaving) return void this.options.onLeave?.();
    this.advice.drop();
    this.advice.hideChances();
    this.view.toast.hide();
    const { grid, speech } = this.view;
    const runs = end.status === "won" ? flagged(end.runs) : end.runs;
    const { cells } = this.board.apply(runs);
    if (isNew) grid.refreshLater(cells); // the banner is in the next frame
    else grid.refresh(cells);
    grid.press([]);
    grid.hover(-1); // the board is elsewhere now
    if (isNew) {
      const late = this.isSaved ? "" : ` ${savingWords(false)}`;
      speech.say(endWords(this.board, end.status, this.clock.seconds) + late);
      this.options.play?.(end.status === "won" ? "win" : "loss");
    }
    if (!isTold && this.state && this.fields) this.options.onEnd?.(end, { ...this.state, ...this.fields }, this.connection.delay);
    this.options.onSaving?.(this.isSaved);
    // The button that did it makes room for the banner. The browser has taken the focus from it already if it painted since the last move.
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body || activeElement.checkVisibility?.({ visibilityProperty: true }) === false) grid.focus();
  }

  /** What was told last is not kept yet, or is now. Said before an end it is about that. @param {boolean} isSaved */
  #saving(isSaved) {
    this.isSaved = isSaved;
    if (!isSaved || !this.end) return;
    this.options.onSaving?.(true);
    this.view.speech.say(savingWords(true));
  }

  /** @param {Review} review */
  #reviewed(review) {
    if (this.fields) this.advice.review(review, this.fields.status);
    this.options.onReview?.(review); // the banner has the sentence
  }

  #resumed() {
    this.end = null;
    this.advice.drop();
    this.options.onRestart?.();
    const { activeElement } = document; // the button that did it may be gone with the banner it was on
    if (!activeElement || activeElement === document.body) this.view.grid.focus();
  }

  /** @param {Refusal} refusal */
  #refused({ code, id }) {
    this.isLeaving = this.isHelped = false;
    this.#answered(id ?? null);
    this.view.working(false);
    if (id !== undefined) this.view.grid.refresh(this.board.takeBack(id).cells);
    this.#showAround();
    this.say(t(hasWords(`refused-${code}`) ? `refused-${code}` : "refused"));
    this.options.play?.("error");
  }
}

/** What was won has a flag on each mine, as old programs do. @param {Run[]} runs @returns {Run[]} */
function flagged(runs) {
  return runs.map(([start, tiles]) => [start, tiles.replaceAll(MINE, FLAGGED)]);
}

/**
 * Whether two ends are one; another may have come while nothing was heard, after the same board was started over.
 * @param {End} one
 * @param {End} other
 */
function isSameEnd(one, other) {
  const text = (/** @type {End & {type?: string}} */ { type: _, ...fields }) => JSON.stringify(fields);
  return text(one) === text(other);
}

/**
 * Show a game and play it.
 * @param {HTMLElement} section
 * @param {string} id of the game
 * @param {GameOptions} options
 * @returns {OpenedGame}
 */
export function openGame(section, id, options) {
  return new Game(section, id, options);
}
