/**
 * Choosing keys: each action with its keys; a new one is pressed, not typed.
 *
 * Knows: names of actions and keys for a player; which keys a page must leave alone; that a key has one action.
 * Does not know: what an action does.
 */

import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { ACTIONS, DEFAULT_KEYS, keyOf } from "./choices.js";
import { keyName } from "./format.js";
import { t } from "./later_words.js";

/** @import { Action, Keys, Settings } from "./types.js" */

/** @type {Record<string, string>} */
const SPOKEN = { ArrowUp: t("key-arrow-up"), ArrowDown: t("key-arrow-down"), ArrowLeft: t("key-arrow-left"), ArrowRight: t("key-arrow-right") };
const ALONE = new Set([
  "Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "NumLock", "Fn", "OS", "Dead", "Unidentified", "Process",
]);
const BROWSERS = new Set(["Tab", "F5", "F11", "F12"]);
const MOST_KEYS = 4;

/** @param {Action} action */
function actionName(action) {
  return t(`action-${action}`);
}

/** @param {string} key */
function spoken(key) {
  return SPOKEN[key] ?? keyName(key);
}

/** The list of actions and keys. */
export class KeyFields {
  #settings;
  #said = h("p", { class: "said small", role: "status" });
  #list = h("ul", { class: "keys" });
  /** @type {AbortController | null} */
  #stop = null;

  /** @param {Settings} settings */
  constructor(settings) {
    this.#settings = settings;
    const reset = h("button", { type: "button", class: "button", onclick: () => this.#resetAll() }, t("keys-reset"));
    this.element = h("div", { class: "stack" }, this.#list, this.#said, h("div", {}, reset));
    this.#draw();
  }

  /** No key is waited for any more. */
  close() {
    this.#stop?.abort();
    this.#stop = null;
  }

  /** @param {Action | null} focus whose button has it then */
  #draw(focus = null) {
    this.#list.replaceChildren(...ACTIONS.map((action) => this.#makeRow(action)));
    if (focus) this.#button(focus)?.focus();
  }

  /** @param {Action} action @returns {HTMLElement | null} its button for another key; none where it has enough */
  #button(action) {
    return this.#list.querySelector(`[data-add="${action}"]`);
  }

  /** @param {Action} action */
  #makeRow(action) {
    const keys = this.#settings.get("keys")[action];
    const name = actionName(action);
    const chip = (/** @type {string} */ key) => ({
      type: "button",
      class: "key",
      title: t("key-remove"),
      "aria-label": t("key-remove-label", { action: name, key: spoken(key) }),
      onclick: () => this.#remove(action, key),
    });
    const chips = keys.map((key) =>
      h("button", chip(key), h("kbd", {}, keyName(key))));
    const adding = {
      type: "button",
      class: "button key-add",
      "data-add": action,
      "aria-label": t("key-add-label", { action: name }),
      onclick: () => this.#listen(action),
    };
    const add = keys.length < MOST_KEYS ? h("button", adding, t("key-add")) : null;
    const none = keys.length ? null : h("span", { class: "muted small" }, t("key-none"));
    return h("li", { class: "key-row" }, h("span", {}, name), h("span", { class: "key-list" }, none, ...chips, add));
  }

  /** @param {Partial<Keys>} changes */
  #save(changes) {
    this.#settings.set("keys", { ...this.#settings.get("keys"), ...changes });
  }

  /** @param {Action} action @param {string} key */
  #remove(action, key) {
    this.close();
    this.#save({ [action]: this.#settings.get("keys")[action].filter((other) => other !== key) });
    this.#said.textContent = t("key-removed", { action: actionName(action), key: spoken(key) });
    this.#draw(action);
  }

  /** @param {Action} action */
  #listen(action) {
    const again = this.#stop !== null && this.#button(action)?.classList.contains("listening");
    this.close();
    this.#draw();
    if (again) return;
    const place = this.#button(action);
    if (!place) return;
    place.textContent = t("key-press");
    place.classList.add("listening");
    place.focus();
    this.#said.textContent = t("key-press-for", { action: actionName(action) });
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    addEventListener("keydown", (event) => this.#press(action, event), { signal, capture: true });
    place.addEventListener("blur", () => this.#giveUp(), { signal });
  }

  #giveUp() {
    if (!this.#stop) return;
    this.close();
    this.#said.textContent = "";
    // The button that took the focus shall still be there when the click on it ends.
    setTimeout(() => {
      const place = this.#list.querySelector(".listening");
      if (!place || this.#stop) return;
      place.textContent = t("key-add");
      place.classList.remove("listening");
    }, 300);
  }

  /** @param {Action} action @param {KeyboardEvent} event */
  #press(action, event) {
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    const key = keyOf(event);
    if (event.repeat || (key !== null && ALONE.has(key))) return;
    if (key === null || BROWSERS.has(key)) {
      this.#said.textContent = t("key-of-browser");
      return;
    }
    this.close();
    this.#take(action, key);
  }

  /** @param {Action} action @param {string} key */
  #take(action, key) {
    const keys = this.#settings.get("keys");
    const owner = ACTIONS.find((other) => keys[other].includes(key));
    if (owner === action) this.#said.textContent = t("key-already", { key: spoken(key), action: actionName(action) });
    else if (owner) return void this.#moveKey(owner, action, key);
    else {
      this.#save({ [action]: [...keys[action], key] });
      this.#said.textContent = t("key-added", { action: actionName(action), key: spoken(key) });
    }
    this.#draw(action);
  }

  /** @param {Action} owner @param {Action} action @param {string} key */
  async #moveKey(owner, action, key) {
    this.#draw(action);
    const isMoved = await ask({
      title: t("key-taken", { key: spoken(key) }),
      text: t("key-taken-text", { action: actionName(owner) }),
      yes: t("key-use", { action: actionName(action) }),
      no: t("key-leave"),
    });
    if (!isMoved) return;
    const keys = this.#settings.get("keys");
    this.#save({ [owner]: keys[owner].filter((other) => other !== key), [action]: [...keys[action], key] });
    this.#said.textContent = t("key-moved", { key: spoken(key), action: actionName(action), before: actionName(owner) });
    this.#draw(action);
  }

  #resetAll() {
    this.close();
    this.#save(DEFAULT_KEYS);
    this.#said.textContent = t("keys-are-reset");
    this.#draw();
  }
}
