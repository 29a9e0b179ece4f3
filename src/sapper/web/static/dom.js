/**
 * Makes elements.
 *
 * Knows: how a tree of elements is written shortly, without HTML in texts.
 * Does not know: what is made.
 */

const PICTURES = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Attributes by name; `onclick` and the like are listeners; null, undefined and false are left out.
 * @typedef {Record<string, any>} Properties
 */

/**
 * @template {Element} E
 * @param {E} element
 * @param {Properties | null | undefined} properties
 * @param {(Child | Child[])[]} children
 * @returns {E}
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Properties | null} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/**
 * The same for the elements of pictures.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Properties | null} [properties]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, properties, ...children) {
  return fill(/** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(PICTURES, tag)), properties, children);
}

/**
 * The element that a page must have.
 * @template {Element} [E=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [place]
 * @returns {E}
 */
export function get(selector, place = document) {
  const found = /** @type {E | null} */ (place.querySelector(selector));
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

/** @param {EventTarget | null} target of an event @returns {Element | null} if it is an element */
export function elementOf(target) {
  return target instanceof Element ? target : null;
}

/** Say what went wrong, in sight. @param {HTMLElement} notice @param {string} text */
export function complain(notice, text) {
  tell(notice, text, false);
}

/** Say something, in sight. @param {HTMLElement} notice @param {string} text @param {boolean} [isCalm] false of what went wrong */
export function tell(notice, text, isCalm = true) {
  notice.classList.toggle("calm", isCalm);
  notice.textContent = text;
  if (text) notice.scrollIntoView({ block: "nearest" });
}

/** Give the focus back to what had it, if it is still there. @param {Element | null} element */
export function focusAgain(element) {
  if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true });
}

/** Does something in a task of its own, after the next frame where there are frames: none of a tab that is not looked at. @param {() => void} act */
export function afterFrame(act) {
  if (document.hidden) setTimeout(act);
  else requestAnimationFrame(() => setTimeout(act));
}

/** @param {number} ms @returns {Promise<void>} when they have passed */
export function wait(ms) {
  return new Promise((go) => {
    setTimeout(go, ms);
  });
}
