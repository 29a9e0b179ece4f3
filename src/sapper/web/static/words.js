/**
 * The words of the page: a catalogue a language, `words/LANGUAGE.ftl`, in Fluent's syntax.
 *
 * first_paint.js chooses the language and has its catalogue fetched. A module that imports this one waits for that, so words can be asked
 * for at any time.
 *
 * Knows: the language, its plural forms, its numbers and dates. Does not know: what is said where.
 */

import "./vendor/fluent-bundle.js";

const { FluentBundle, FluentNumber, FluentResource } = globalThis.FluentBundle;
const { language, text } = await globalThis.sapperWords;

/** The language and region whose numbers and dates are shown: the browser's, where it has one of this language. */
const locale = navigator.languages.find((one) => one.split("-")[0] === language) ?? language;

const bundle = new FluentBundle(locale, { useIsolating: false });
/** The messages that nobody has asked for: to read all of them at once would hold a slow phone up for a moment. @type {Map<string, string>} */
const unread = new Map();
addWords(text);

/** Have more messages. @param {string} more of a catalogue */
export function addWords(more) {
  for (const message of more.replaceAll("~", "\u00a0").split(/\n(?=[a-z])/)) unread.set(message.slice(0, message.indexOf(" ")), message);
}

/** @param {string} id */
function messageOf(id) {
  const message = unread.get(id);
  if (message !== undefined) {
    unread.delete(id);
    bundle.addResource(new FluentResource(message));
  }
  return bundle.getMessage(id);
}

/** Languages whose digits are not 0 to 9 where nothing else is asked for. */
const OWN_DIGITS = /^(?:ar|as|bn|ckb|dz|fa|ks|mr|my|ne|ps|sat|sd)\b|-u-/;
const hasOwnDigits = OWN_DIGITS.test(locale);

/**
 * Whether a number is written alike in every other language. The first `Intl.NumberFormat` of a page takes a slow phone 50 ms, which most
 * screens need not wait for.
 * @param {unknown} value
 */
const isPlain = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 1000 && !hasOwnDigits;

class PageNumber extends FluentNumber {
  /** @param {object} scope @returns {string} */
  toString(scope) {
    return isPlain(this.value) ? String(this.value) : super.toString(scope);
  }
}

/**
 * A message of the catalogue.
 * @param {string} id
 * @param {Record<string, string | number>} [values] of its variables; numbers choose plural forms
 * @returns {string} the id, if there is no such message
 */
export function t(id, values) {
  const pattern = messageOf(id)?.value;
  if (!pattern) return id;
  const given = Object.entries(values ?? {}).map(([name, value]) => [name, typeof value === "number" ? new PageNumber(value) : value]);
  return bundle.formatPattern(pattern, Object.fromEntries(given), []);
}

/** @param {string} id @returns {boolean} whether there is such a message */
export function hasWords(id) {
  return unread.has(id) || bundle.hasMessage(id);
}

/** Put the words of the language where the page names them: `data-words` a text, `data-label` a label. */
export function wordPage() {
  const { documentElement: root } = document;
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-words]"))) one.textContent = t(one.dataset.words ?? "");
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-label]"))) one.setAttribute("aria-label", t(one.dataset.label ?? ""));
  delete root.dataset.unworded;
}

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * A number as the language writes it.
 * @param {number | bigint} value
 * @param {{digits?: number, places?: number}} [how] `digits` after the point, `places` at least before it
 * @returns {string}
 */
export function numberOf(value, { digits = 0, places = 1 } = {}) {
  const whole = Math.round(Number(value));
  if (!digits && places === 1 && isPlain(whole)) return String(whole);
  const key = `${digits} ${places}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits, minimumIntegerDigits: places });
    formats.set(key, format);
  }
  return format.format(value);
}

/** @param {number} number @returns {string} `1st`, `2nd` */
export function ordinal(number) {
  return t(`ordinal-${new Intl.PluralRules(locale, { type: "ordinal" }).select(number)}`, { number });
}

/** @param {number} ms since 1970 @param {Intl.DateTimeFormatOptions} how @returns {string} */
export function dateOf(ms, how) {
  return new Intl.DateTimeFormat(locale, how).format(ms);
}

/** @param {string[]} parts @returns {string} `a, b and c`, as the terminal says it: Intl's list has another comma in America */
export function listOf(parts) {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : t("list", { first: parts.slice(0, -1).join(", "), last });
}

/** @param {string} code of a language @returns {string} its name, in itself */
export function languageName(code) {
  const name = new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** The languages that there are. @type {readonly string[]} */
export const languages = globalThis.sapperLanguages;
