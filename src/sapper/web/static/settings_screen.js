/** A screen, to be filled. Knows: its title. Does not know: more. */
import { make } from "./elements.js";

export function showSettings(section) {
  section.replaceChildren(make("h1", { tabindex: -1 }, "settings_screen"));
}
