/**
 * The page as a program of the system: kept for when the network is away, and installed where a browser offers that.
 *
 * Knows: the service worker, the browser's offer. Does not know: where a player is asked.
 */

/** @typedef {Event & {prompt: () => Promise<unknown>}} Offer */

/** @type {Offer | null} */
let offer = null;

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // it is offered in Settings, not over a game
  offer = /** @type {Offer} */ (event);
});
addEventListener("appinstalled", () => {
  offer = null;
});

/** Have the page kept for the next visit. */
export function keepPage() {
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {}); // private windows have none
}

/** @returns {(() => Promise<unknown>) | null} asks the system to install the page; null where it does not offer that */
export function installer() {
  const now = offer;
  return now && (() => now.prompt());
}
