/**
 * The clock of a game, as the server told it last and counted on from there.
 *
 * Knows: the last time told, whether it runs.
 * Does not know: where it is shown; the true time, which is the server's.
 */

/** Counts on from what the server says. */
export class Clock {
  /** @param {(seconds: number) => void} show is called with whole seconds, when they change */
  constructor(show) {
    this.#show = show;
  }

  #show;
  #told = 0;
  #since = 0;
  #running = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #shown = -1;

  /**
   * Take over what the server says.
   * @param {number} milliseconds
   * @param {boolean} running
   */
  set(milliseconds, running) {
    this.#told = milliseconds;
    this.#since = performance.now();
    this.#running = running;
    this.#tick();
  }

  /** @returns {number} milliseconds now */
  get elapsed() {
    return this.#told + (this.#running ? performance.now() - this.#since : 0);
  }

  /** @returns {number} whole seconds now */
  get seconds() {
    return Math.floor(this.elapsed / 1000);
  }

  /** Count no further: the connection is lost, or the game is left. */
  stop() {
    this.#told = this.elapsed;
    this.#running = false;
    clearTimeout(this.#timer);
  }

  #tick() {
    clearTimeout(this.#timer);
    const { elapsed, seconds } = this;
    if (seconds !== this.#shown) {
      this.#shown = seconds;
      this.#show(seconds);
    }
    if (this.#running) this.#timer = setTimeout(() => this.#tick(), 1000 - (elapsed % 1000) + 1);
  }
}
