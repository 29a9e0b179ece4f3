/**
 * Which screen a location asks for.
 *
 * A screen is a section of index.html, a name here, a title in the catalogues, and what shows it in main.js.
 *
 * Knows: the names of screens, how a location is read. Does not know: what is on a screen.
 */

/** The screens that a fragment leads to. */
export const SCREENS = new Set(["menu", "new", "game", "statistics", "settings"]);

/** The screens that have an address of their own: links to them are given to others. */
export const ADDRESSES = new Set(["review", "games", "analyse", "recording", "practice", "daily", "rankings", "name", "honesty"]);

/** Whether there is a page at a path. @param {string} path */
export function isPlace(path) {
  return path === "/" || /^\/game\/[^/]+$/.test(path) || (path !== "/review" && ADDRESSES.has(path.slice(1)));
}

/** What leads to a screen with a value, as `#game=ID`; without one there is nothing to show. */
const WITH_VALUE = new Set(["game", "code"]);

/**
 * What an address asks for: `/game/ID` a game that has ended, `/games`, `/analyse`, `/recording`, `/practice`, `/daily`, `/rankings`, `/name`, `/honesty`; at any other
 * place its fragment says it.
 * @param {string} path
 * @param {string} hash
 * @returns {{screen: string, value: string}}
 */
export function readAddress(path, hash) {
  const game = /^\/game\/([^/]+)$/.exec(path);
  if (game) return { screen: "review", value: decode(game[1]) };
  const name = path.slice(1);
  if (name !== "review" && ADDRESSES.has(name)) return { screen: name, value: hash.replace(/^#/, "") };
  return readPlace(hash);
}

/**
 * What a location's fragment asks for: `#` the menu, `#new`, `#game=ID`, `#statistics`, `#settings`; `#code=CODE` is no
 * screen, but starts that board. Whatever else it says, it is the menu.
 * @param {string} hash
 * @returns {{screen: string, value: string}}
 */
export function readPlace(hash) {
  const [, name, value] = /^#?([^=]*)=?(.*)$/s.exec(hash) ?? ["", "", ""];
  if (WITH_VALUE.has(name)) return value ? { screen: name, value: decode(value) } : { screen: "menu", value: "" };
  return { screen: SCREENS.has(name) ? name : "menu", value: "" };
}

/**
 * The fragment of an address. A link for others has its board in the query, which servers see, so that they can show a picture of it.
 * @param {{hash: string, search: string}} address
 */
export function fragmentOf({ hash, search }) {
  if (hash) return hash;
  const [name, value] = [...new URLSearchParams(search)].find(([one]) => one === "code" || one === "p") ?? [];
  return name ? `#${name}=${encodeURIComponent(value ?? "")}` : "";
}

/** The longest text of a board in a query; a longer one is in the fragment, which no server has to take. */
const LONGEST_QUERY = 2000;

/** What stands behind the path in a link for others. @param {"code" | "p"} name @param {string} text */
export function linkPart(name, text) {
  return `${text.length <= LONGEST_QUERY ? "?" : "#"}${name}=${encodeURIComponent(text)}`;
}

/** Whether a fragment names a screen that there is; none at all is the menu. @param {string} hash */
export function isFragment(hash) {
  const [name, value] = hash.replace(/^#/, "").split("=", 2);
  return !name || SCREENS.has(name) && !WITH_VALUE.has(name) || WITH_VALUE.has(name) && Boolean(value);
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
