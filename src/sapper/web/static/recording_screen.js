/**
 * Recordings of other programs, and records of ours, dropped on the page: looked through, and not kept.
 *
 * Knows: how a file comes to the page. Does not know: formats, how a game is looked through.
 */

import { ApiError, api, faultText } from "./api.js";
import { complain, h } from "./dom.js";
import { t } from "./later_words.js";

const LARGEST = 1024 * 1024;

/** @param {HTMLElement} section @returns {{close: () => void}} */
export function showRecording(section) {
  /** @type {import("./review_view.js").ReviewView | null} */
  let view = null;
  let asked = 0;
  const said = h("p", { class: "notice", role: "alert" });
  const answer = h("div", {});
  const input = h("input", { type: "file", id: "recording-file", accept: ".avf,.rmv,.evf,.mvf,.rawvf,.sapr,.json,.jsonl" });
  input.addEventListener("change", () => {
    take(input.files?.[0]);
    input.value = ""; // the same file may be chosen again
  });
  const drop = makeDrop(input);
  /** @param {File | undefined} file */
  const take = async (file) => {
    if (!file) return;
    asked += 1;
    const number = asked;
    said.textContent = "";
    if (file.size > LARGEST) {
      complain(said, t("recording-too-large"));
      return;
    }
    answer.replaceChildren(h("p", { class: "muted", role: "status" }, t("recording-reading")));
    try {
      const [{ game, review }, { headOf }, { ReviewView }] = await Promise.all([api.recording(file), ...loadView()]);
      if (number !== asked) return;
      view?.close();
      view = new ReviewView(game);
      answer.replaceChildren(h("div", { class: "stack" }, ...headOf(game, null).map(asSecond), view.element));
      view.shown();
      view.judge(review);
    } catch (error) {
      if (number !== asked) return;
      answer.replaceChildren();
      complain(said, faultText(error));
    }
  };
  const stop = new AbortController();
  addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  }, { signal: stop.signal });
  addEventListener("dragleave", () => drop.classList.remove("over"), { signal: stop.signal });
  addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    take(event.dataTransfer?.files[0]);
  }, { signal: stop.signal });
  section.replaceChildren(h("div", { class: "sheet review" }, h("h1", { tabindex: -1 }, t("recording-title")), drop, said, answer));
  return {
    close() {
      asked += 1;
      stop.abort();
      view?.close();
    },
  };
}

/** What shows it. */
function loadView() {
  const missing = () => {
    throw new ApiError("missing", t("server-away"));
  };
  return /** @type {const} */ ([import("./review_screen.js").catch(missing), import("./review_view.js").catch(missing)]);
}

/** @param {HTMLInputElement} input */
function makeDrop(input) {
  return h(
    "div",
    { class: "card drop" },
    h("label", { for: input.id }, t("recording-drop")),
    input,
    h("p", { class: "muted small" }, t("recording-formats")),
  );
}

/** The title of a game is below that of the page here. @param {Node} node */
function asSecond(node) {
  return node instanceof HTMLElement && node.tagName === "H1" ? h("h2", {}, node.textContent) : node;
}
