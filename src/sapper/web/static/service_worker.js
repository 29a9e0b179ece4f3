/**
 * Keeps the page: a second visit is painted without the network, and goes on when the server is back.
 *
 * The server puts the version and the names of all files in, so that a new version is another script. A browser that has found one fetches
 * its files; a page that is still open has the files of the version before.
 *
 * Knows: which answers are kept. Does not know: games, which are the server's; it never answers for the server.
 */

const VERSION = "VERSION";
/** @type {string[]} */
const FILES = ["FILES"];
const PREFIX = "sapper-";
const KEPT = 2;
const CACHE = `${PREFIX}${Date.now()}-${VERSION}`;
/** Places of the page whose answer is the same for everybody; a single game's page is that of any. */
const PAGES = ["/", "/games", "/analyse", "/recording", "/practice", "/daily", "/rankings", "/name", "/honesty"];
const ANY_GAME = "/game/any";

const worker = /** @type {any} */ (self);

/** The caches of the last versions, the newest last. @returns {Promise<string[]>} */
async function versions() {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX)).sort();
}

async function install() {
  const last = (await versions()).at(-1);
  if (last?.endsWith(VERSION)) return worker.skipWaiting();
  const cache = await caches.open(CACHE);
  try {
    await cache.addAll([...PAGES, ANY_GAME, ...FILES]);
  } catch (error) {
    await caches.delete(CACHE); // half a page is worse than none
    throw error;
  }
  return worker.skipWaiting();
}

async function activate() {
  const old = (await versions()).slice(0, -KEPT);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const { pathname } = new URL(request.url);
  const newest = (await versions()).reverse();
  const wanted = pathname.startsWith("/game/") ? ANY_GAME : pathname;
  for (const name of newest) {
    const found = await (await caches.open(name)).match(wanted);
    if (found) return found;
  }
  return fetch(request);
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const isPage = request.mode === "navigate" && (PAGES.includes(pathname) || /^\/game\/[^/]+$/.test(pathname));
  if (isPage || pathname.startsWith("/static/")) event.respondWith(answer(request));
});
