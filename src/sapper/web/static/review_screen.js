/**
 * The page of a game that has ended, `/game/ID`: for its player, and for whoever has its link if it is shared.
 *
 * Knows: what is asked of the server, sharing.
 * Does not know: how a game is looked through (`review_view.js`).
 */

import { api, faultText } from "./api.js";
import { h } from "./dom.js";
import { exactTimeText, numberText } from "./format.js";
import { switchField } from "./fields.js";
import { ReviewView } from "./review_view.js";
import { counted, kindText, shareLink } from "./game_request.js";

/** @import { PlayedGame, Show } from "./types.js" */

/** @type {Record<string, string>} */
export const RESULTS = { won: "Won", lost: "Lost", terminated: "Given up" };
const HIDDEN =
  "This board is being played again, so its mines are not told: what the game itself showed is all there is, until that game has ended.";

/** @type {Show} */
export const showReviewedGame = (section, id) => {
  const place = h("div", { class: "sheet review" }, h("h1", { tabindex: -1 }, "Review"), h("p", { class: "muted", role: "status" }, "The game is being fetched…"));
  section.replaceChildren(place);
  let isOpen = true;
  /** @type {ReviewView | null} */
  let view = null;
  const fetchAll = async () => {
    const game = await api.played(id);
    if (!isOpen) return;
    const judging = api.review(id); // the server works while the board is drawn
    view = new ReviewView(game);
    place.replaceChildren(...headOf(game, id), view.element);
    view.shown();
    try {
      const review = await judging;
      if (isOpen) view.judge(review);
    } catch (error) {
      view.fail(faultText(error));
    }
  };
  fetchAll().catch((error) => {
    if (isOpen) place.replaceChildren(h("h1", { tabindex: -1 }, "Review"), h("p", { class: "notice", role: "alert" }, faultText(error)), backLink());
  });
  return {
    close() {
      isOpen = false;
      view?.close();
    },
  };
};

function backLink() {
  return h("p", {}, h("a", { href: "/games" }, "Your games"));
}

/**
 * What stands above a game.
 * @param {PlayedGame} game
 * @param {string | null} id null where it is not kept
 * @returns {Node[]}
 */
export function headOf(game, id) {
  const when = game.ended === null ? "" : new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(game.ended);
  const clicks = game.clicks ? `${game.solved_bbbv ?? "?"} 3BV in ${counted(game.clicks, "click")}` : "";
  const speed = game.time && game.time >= 1000 && game.solved_bbbv ? `${numberText((1000 * game.solved_bbbv) / game.time, 2)} 3BV/s` : "";
  const facts = [
    RESULTS[game.status] ?? game.status, game.time === null ? "" : exactTimeText(game.time), clicks, speed, game.player ?? "", when,
    game.assisted ? "assisted" : "",
  ];
  const board = game.code === null ? null : h("a", { href: shareLink(game.code) }, "Play this board");
  return [
    h("h1", { tabindex: -1 }, `Review: ${kindText(game)}`),
    h("p", { class: "muted facts" }, facts.filter(Boolean).join(" · "), board ? " · " : "", board ?? ""),
    ...(game.hidden ? [h("p", { class: "notice calm" }, HIDDEN)] : []),
    ...(id !== null && game.own ? [makeSharing(game, id)] : []),
  ];
}

/** @param {PlayedGame} game @param {string} id */
function makeSharing(game, id) {
  const link = h("input", { type: "text", readonly: true, value: `${location.origin}/game/${encodeURIComponent(id)}`, "aria-label": "Link of this game", onfocus: () => link.select() });
  const said = h("p", { class: "fault", role: "status" });
  const change = async (/** @type {boolean} */ on) => {
    said.textContent = "";
    try {
      await api.share(id, on);
      link.hidden = !on;
    } catch (error) {
      said.textContent = faultText(error);
    }
  };
  link.hidden = !game.shared;
  const field = switchField("Show it to anyone who has its link", "Its moves, times and verdicts; nothing else about you.", { checked: game.shared, change });
  return h("div", { class: "card sharing" }, field, link, said);
}
