/** What rankings are worth, and what cannot be seen. */

import { h } from "./dom.js";
import { t } from "./later_words.js";

/** @import { Show } from "./types.js" */

const SEEN = ["seen-dealt", "seen-replayed", "seen-help", "seen-hands", "seen-delay"];
const UNSEEN = ["unseen-solver", "unseen-second-look", "unseen-skill", "unseen-account"];

/** @type {Show} */
export const showHonesty = (section) => {
  const list = (/** @type {string[]} */ ids) => h("ul", { class: "stack" }, ...ids.map((id) => h("li", {}, t(id))));
  section.replaceChildren(
    h(
      "div",
      { class: "sheet" },
      h("h1", { tabindex: -1 }, t("title-honesty")),
      h("h2", {}, t("unseen-title")),
      list(UNSEEN),
      h("h2", {}, t("seen-title")),
      list(SEEN),
      h("p", { class: "links" }, h("a", { href: "/daily" }, t("title-daily")), h("a", { href: "/rankings" }, t("title-rankings"))),
    ),
  );
};
