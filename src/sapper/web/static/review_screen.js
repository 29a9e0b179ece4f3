/**
 * The page of a game that has ended, `/game/ID`: for its player, and for whoever has its link if it is shared.
 *
 * Knows: what is asked of the server, sharing.
 * Does not know: how a game is looked through (`review_view.js`).
 */

import { api, faultText } from "./api.js";
import { h } from "./dom.js";
import { exactTimeText, momentText, numberText } from "./format.js";
import { switchField } from "./fields.js";
import { ReviewView } from "./review_view.js";
import { kindText, shareLink } from "./game_request.js";
import { hasWords, t } from "./words.js";

/** @import { PlayedGame, Show } from "./types.js" */

/** @type {Show} */
export const showReviewedGame = (section, id) => {
  const place = h("div", { class: "sheet review" }, h("h1", { tabindex: -1 }, t("title-review")), h("p", { class: "muted", role: "status" }, t("review-fetching")));
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
    if (isOpen) place.replaceChildren(h("h1", { tabindex: -1 }, t("title-review")), h("p", { class: "notice", role: "alert" }, faultText(error)), backLink());
  });
  return {
    close() {
      isOpen = false;
      view?.close();
    },
  };
};

function backLink() {
  return h("p", {}, h("a", { href: "/games" }, t("your-games")));
}

/**
 * What stands above a game.
 * @param {PlayedGame} game
 * @param {string | null} id null where it is not kept
 * @returns {Node[]}
 */
export function headOf(game, id) {
  const when = game.ended === null ? "" : momentText(game.ended);
  const clicks = game.clicks ? t("fact-3bv", { solved: game.solved_bbbv ?? "?", clicks: game.clicks }) : "";
  const speed = game.time && game.solved_bbbv ? t("fact-speed", { speed: numberText((1000 * game.solved_bbbv) / game.time, 2) }) : "";
  const facts = [
    hasWords(`result-${game.status}`) ? t(`result-${game.status}`) : "", game.time === null ? "" : exactTimeText(game.time), clicks, speed, game.player ?? "", when,
    game.assisted ? t("fact-assisted") : "",
  ];
  const board = game.code === null ? null : h("a", { href: shareLink(game.code) }, t("play-this-board"));
  return [
    h("h1", { tabindex: -1 }, t("review-title", { game: kindText(game) })),
    h("p", { class: "muted facts" }, facts.filter(Boolean).join(" · "), board ? " · " : "", board ?? ""),
    ...(game.hidden ? [h("p", { class: "notice calm" }, t("review-hidden"))] : []),
    ...(id !== null && game.own ? [makeSharing(game, id)] : []),
  ];
}

/** @param {PlayedGame} game @param {string} id */
function makeSharing(game, id) {
  const link = h("input", { type: "text", readonly: true, value: `${location.origin}/game/${encodeURIComponent(id)}`, "aria-label": t("share-game-link"), onfocus: () => link.select() });
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
  const field = switchField(t("share-game"), t("share-game-hint"), { checked: game.shared, change });
  return h("div", { class: "card sharing" }, field, link, said);
}
