/**
 * What a new game shall be: said in words, made from a game that was played, read from what was pasted.
 *
 * Knows: the fields of a new game in the protocol; the form of codes and share links.
 * Does not know: screens, the server.
 */

/** The presets that are offered first, in the order in which they get harder. */
export const CHOICES = Object.freeze(["beginner8", "beginner", "intermediate", "expert"]);

const NAMES = {
  beginner: "Beginner",
  beginner8: "Beginner 8 × 8",
  intermediate: "Intermediate",
  expert: "Expert",
  kata: "Kata",
  engine: "Engine",
  formal: "Formal",
};

/** @param {string | null} preset @returns {string} its name for a player */
export function presetName(preset) {
  if (!preset) return "Custom";
  return NAMES[preset] ?? preset.replace(/^./, (letter) => letter.toUpperCase()).replaceAll("-", " ");
}

/** @param {number} count @param {string} one @param {string} [many] @returns {string} `1 mine`, `2 mines` */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/** @param {{width: number, height: number, mines: number}} board @returns {string} `9 × 9, 10 mines` */
export function sizeText({ width, height, mines }) {
  return `${width} × ${height}, ${counted(mines, "mine")}`;
}

/**
 * The wish for another game of the kind that was just played.
 * @param {object} state a game's, as in the protocol
 * @returns {object}
 */
export function again(state) {
  const { preset, rules, width, height, mines } = state;
  const board = preset ? { preset } : { rules: rules.name.split("+")[0], width, height, mines };
  const wish = { ...board, start: rules.start, chording: rules.chording, question_marks: rules.question_marks };
  return state.no_guess ? { ...wish, no_guess: true } : wish;
}

/** @param {string} code @returns {string} where its board is opened, to be sent to others */
export function shareLink(code) {
  return `${location.origin}/#code=${encodeURIComponent(code)}`;
}

/**
 * The code in what a player pasted: a code, or a link with one.
 * @param {string} text
 * @returns {string}
 */
export function normalCode(text) {
  const trimmed = text.trim();
  const link = /#code=(.*)$/s.exec(trimmed);
  if (!link) return trimmed;
  try {
    return decodeURIComponent(link[1]).trim();
  } catch {
    return link[1].trim();
  }
}
