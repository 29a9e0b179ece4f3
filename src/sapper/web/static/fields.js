/**
 * The parts that forms are made of.
 *
 * Knows: labels, choices of one, switches. Does not know: what they are for.
 */

import { h } from "./dom.js";

/**
 * One of a few choices, side by side.
 * @param {string} legend said above it
 * @param {string} name of the radio buttons
 * @param {[string, string][]} choices value and words
 * @param {string} chosen
 * @param {(value: string) => void} [change]
 * @param {string} [hint] a line below the legend
 * @returns {HTMLFieldSetElement}
 */
export function choiceField(legend, name, choices, chosen, change, hint = "") {
  const labels = choices.map(([value, words]) => {
    const input = h("input", { type: "radio", name, value, checked: value === chosen });
    if (change) input.addEventListener("change", () => change(value));
    return h("label", {}, input, h("span", {}, words));
  });
  return h(
    "fieldset",
    { class: "field" },
    h("legend", { class: "label" }, legend),
    hint ? h("p", { class: "muted small" }, hint) : null,
    h("div", { class: "segments" }, ...labels),
  );
}

/**
 * Words for who has a mouse, and others for who has fingers: the style sheet shows those that fit.
 * @param {string} mouse
 * @param {string} touch
 * @returns {[mouse: HTMLElement, touch: HTMLElement]}
 */
export function byHand(mouse, touch) {
  return [h("span", { class: "by-mouse" }, mouse), h("span", { class: "by-touch" }, touch)];
}

/**
 * Something that is on or off.
 * @param {string | HTMLElement[]} words
 * @param {string | HTMLElement[]} hint a line that says what it does
 * @param {{name?: string, checked: boolean, change?: (on: boolean) => void}} state
 * @returns {HTMLLabelElement}
 */
export function switchField(words, hint, { name, checked, change }) {
  const input = h("input", { type: "checkbox", role: "switch", name, checked });
  if (change) input.addEventListener("change", () => change(input.checked));
  return h(
    "label",
    { class: "switch" },
    h("span", { class: "words" }, h("span", {}, words), h("span", { class: "hint" }, hint)),
    input,
    h("span", { class: "track", "aria-hidden": "true" }),
  );
}

/**
 * A field with its label above and a line for what is wrong with it below.
 * @param {string} words
 * @param {HTMLInputElement} input with an id
 * @returns {{element: HTMLElement, complain: (fault: string) => void}}
 */
export function textField(words, input) {
  const fault = h("p", { class: "fault", id: `${input.id}-fault` });
  input.setAttribute("aria-describedby", fault.id);
  const complain = (/** @type {string} */ message) => {
    fault.textContent = message;
    if (message) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  return { element: h("div", { class: "field" }, h("label", { for: input.id }, words), input, fault), complain };
}
