/** A screen, to be filled. Knows: its title. Does not know: more. */
import { make } from "./elements.js";

export function showMenu(section, { settings, start }) {
  const play = make("button", { class: "button primary", click: () => start(settings.get("lastGame")) }, "Play");
  section.replaceChildren(make("h1", { tabindex: -1 }, "sapper"), play);
}
