/**
 * Makes elements.
 *
 * Knows: how a tree of elements is written shortly, without HTML in texts.
 * Does not know: what is made.
 */

const PICTURES = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * @param {string} tag
 * @param {object | null} [properties] attributes; `onclick` and the like are listeners; null and false are left out
 * @param {...(Node | string | null | Array)} children
 * @returns {HTMLElement}
 */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for the elements of pictures. @returns {SVGElement} */
export function s(tag, properties, ...children) {
  return fill(document.createElementNS(PICTURES, tag), properties, children);
}
