/**
 * The player's name, the phrase that is the player on other devices, and these devices.
 *
 * Knows: what the server says of them. Does not know: cookies.
 */

import { ApiError, api, faultText } from "./api.js";
import { ask } from "./dialog.js";
import { complain, h, tell } from "./dom.js";
import { dateOf, t } from "./later_words.js";

/** @import { NameAnswer, SessionList, Show } from "./types.js" */

/** @type {Show} */
export const showName = (section) => {
  const page = new NamePage();
  section.replaceChildren(page.element);
  page.look();
};

/** @typedef {SessionList["sessions"][number]} SessionData */

class NamePage {
  #notice = h("p", { class: "notice", role: "status" });
  #state = h("p", {});
  #input = h("input", { id: "player-name", type: "text", maxlength: 40, autocomplete: "nickname", required: true });
  #save = h("button", { class: "button primary" }, t("name-save"));
  #drop = h("button", { type: "button", class: "button", hidden: true, onclick: () => this.#do(() => api.dropName()) }, t("name-drop"));
  #devices = h("section", { class: "stack", hidden: true });
  #phrase = h("output", { class: "phrase", "aria-live": "polite" });
  #recovered = h("input", { id: "phrase", type: "text", autocomplete: "off", spellcheck: "false", required: true });
  #join = h("input", { id: "join", type: "checkbox" });

  element = h(
    "div",
    { class: "sheet" },
    h("h1", { tabindex: -1 }, t("title-name")),
    this.#notice,
  );

  /** What comes when it is known who this is: it would jump. */
  #parts = [
    h("p", {}, t("name-about")),
    this.#state,
    h(
      "form",
      { class: "card stack", onsubmit: (/** @type {Event} */ event) => this.#submit(event, () => api.setName(this.#input.value), t("name-refused")) },
      h("div", { class: "field" }, h("label", { for: "player-name" }, t("name")), this.#input, h("p", { class: "muted small" }, t("name-rules"))),
      h("p", { class: "links" }, this.#save, this.#drop),
    ),
    h("h2", {}, t("phrase-title")),
    h("p", {}, t("phrase-about")),
    h("p", {}, h("button", { type: "button", class: "button", onclick: () => this.#newPhrase() }, t("phrase-new"))),
    this.#phrase,
    this.#devices,
    h("h2", {}, t("recover-title")),
    h(
      "form",
      { class: "card stack", onsubmit: (/** @type {Event} */ event) => this.#submit(event, () => this.#recover(), t("recover-failed"), recoveredText) },
      h("div", { class: "field" }, h("label", { for: "phrase" }, t("phrase-title")), this.#recovered),
      h("p", { class: "muted" }, this.#join, " ", h("label", { for: "join" }, t("recover-join"))),
      h("p", {}, h("button", { class: "button" }, t("recover"))),
    ),
    h("p", { class: "links" }, h("a", { href: "/rankings" }, t("title-rankings")), h("a", { href: "/honesty" }, t("title-honesty"))),
  ];

  async look() {
    await this.#do(() => api.name(), () => "");
    await this.#lookAtDevices();
    this.element.append(...this.#parts);
  }

  async #lookAtDevices() {
    const { sessions } = await api.sessions().catch(() => ({ sessions: [] }));
    this.#devices.hidden = !sessions.length;
    const rows = sessions.map((one) => {
      const name = one.label || t("device-unknown");
      const out = h("button", { type: "button", class: "button", onclick: () => this.#signOut(one) }, t("device-sign-out"));
      out.setAttribute("aria-label", t("device-sign-out-of", { name }));
      const seen = t("device-seen", { day: dateOf(one.seen, { dateStyle: "medium", timeZone: "UTC" }) });
      return h("li", {}, h("span", {}, name, one.own ? ` ${t("device-own")}` : "", h("small", { class: "muted" }, seen)), out);
    });
    this.#devices.replaceChildren(h("h2", {}, t("devices-title")), h("p", {}, t("devices-about")), h("ul", { class: "devices" }, ...rows));
  }

  /** @param {SessionData} device */
  async #signOut({ session, own }) {
    if (own && !(await ask({ title: t("device-sign-out"), text: t("device-own-warning"), yes: t("device-sign-out"), no: t("cancel") }))) return;
    try {
      await api.endSession(session);
      if (own) location.assign("/");
      else await this.#lookAtDevices();
    } catch (error) {
      complain(this.#notice, faultText(error));
    }
  }

  async #recover() {
    const found = await api.recover(this.#recovered.value, this.#join.checked);
    this.#recovered.value = "";
    return found;
  }

  /** @param {Event} event @param {() => Promise<NameAnswer>} change @param {string} refused @param {(found: NameAnswer) => string} [done] */
  #submit(event, change, refused, done) {
    event.preventDefault();
    this.#do(change, done, refused);
  }

  /** @param {() => Promise<NameAnswer>} change @param {(found: NameAnswer) => string} [done] what is said then @param {string} [refused] and where it cannot be */
  async #do(change, done = () => t("name-done"), refused = "") {
    try {
      const found = await change();
      this.#state.textContent = found.name ? t("name-is", { name: found.name }) : t("name-none", { games: found.games, needed: found.needed });
      this.#input.value = found.name ?? "";
      this.#input.disabled = this.#save.disabled = !found.name && found.games < found.needed;
      this.#drop.hidden = !found.name;
      const words = done(found);
      tell(this.#notice, words);
      if (words) await this.#lookAtDevices();
    } catch (error) {
      const isRefused = error instanceof ApiError && ["bad-request", "conflict", "not-found"].includes(error.code);
      complain(this.#notice, isRefused && refused ? refused : faultText(error));
    }
  }

  async #newPhrase() {
    if (!(await ask({ title: t("phrase-new"), text: t("phrase-warning"), yes: t("phrase-new"), no: t("cancel") }))) return;
    try {
      const { phrase } = await api.newPhrase();
      this.#phrase.textContent = phrase;
      await this.#lookAtDevices();
    } catch (error) {
      complain(this.#notice, faultText(error));
    }
  }
}

/** @param {NameAnswer} found */
function recoveredText({ name }) {
  return t("recover-done", { name: name ?? t("recover-unnamed") });
}
