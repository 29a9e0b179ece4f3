/**
 * Why a cell is safe, a mine or the best guess: sentences made from techniques, cells and numbers.
 *
 * In a sentence each cell's name stands between two marks, so that it can be shown as one (`piecesOf`); `plain` takes them away.
 *
 * Knows: which sentence goes with each technique. Does not know: boards on the screen.
 */

import { placeName, placeOf } from "./board.js";
import { shareText, winText, winsApart } from "./format.js";
import { hasWords, listOf, numberOf, t } from "./words.js";

/** @import { GuessReason, Piece, Place, Step } from "./types.js" */

const BEGIN = "\uE000";
const END = "\uE001";
const MOST_NAMED = 12;
const MOST_EVEN = 3;
const MOST_DIGITS = 15;

/** @param {Place} place */
function named(place) {
  return BEGIN + placeName(place) + END;
}

/** Cells in a list; of very many the first few, and how many more there are. @param {Place[]} places */
function listed(places) {
  const names = places.map(named);
  const shown = names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED - 1), t("cells-more", { count: names.length - MOST_NAMED + 1 })] : names;
  return listOf(shown);
}

/** @param {Place[]} places @returns {string} the same without marks */
export function cellsText(places) {
  return plain(listed(places));
}

/** @param {string} text @returns {string} */
export function plain(text) {
  return text.replaceAll(BEGIN, "").replaceAll(END, "");
}

/** @param {string} text @returns {Piece[]} cells are pieces of their own */
export function piecesOf(text) {
  const [first, ...rest] = text.split(BEGIN);
  const others = rest.flatMap((part) => {
    const [cell, after] = part.split(END);
    return [{ cell }, after];
  });
  return [first, ...others].filter(Boolean);
}

/** @param {Place} one @param {Place} other */
function areNeighbours([x, y], [column, row]) {
  return Math.max(Math.abs(x - column), Math.abs(y - row)) === 1;
}

/** @param {Step} step */
function conclusionOf({ safe, mined, wrong_flags: wrong, unflag_first: unflagFirst }) {
  const mines = mined.length ? t("conclude-mined", { cells: listed(mined), count: mined.length }) : "";
  const free = safe.length ? t("conclude-safe", { cells: listed(safe), count: safe.length }) : "";
  const conclusion = mines && free ? t("conclude-both", { mined: mines, safe: free }) : mines || free;
  if (!wrong.length) return conclusion;
  return t(unflagFirst ? "wrong-flags-first" : "wrong-flags", { conclusion, cells: listed(wrong), count: wrong.length });
}

/** What a clue says, or what is left of it. @param {Step} step @param {number} at */
function needText(step, at) {
  const clue = step.clues[at];
  const mines = step.known.filter((mine) => areNeighbours(mine, clue));
  if (!mines.length) return t("clue-says", { clue: named(clue), value: step.values[at] });
  return t("clue-needs", { clue: named(clue), value: step.values[at] - mines.length, mines: listed(mines) });
}

/** The sentence of each technique. @type {Record<string, (step: Step, conclusion: string) => string>} */
const SENTENCES = {
  start: ({ best, anywhere }) => t(anywhere ? "step-start-anywhere" : "step-start-at", { cell: best ? named(best) : "" }),
  "one clue": ({ clues, values, safe, mined, known }, conclusion) => {
    const told = { clue: named(clues[0]), value: values[0], mines: listed(known), need: mined.length, conclusion };
    if (safe.length) return t(values[0] ? "step-one-clue-safe" : "step-one-clue-zero", told);
    return t(known.length ? "step-one-clue-mined-beside" : "step-one-clue-mined", told);
  },
  overlap: (step, conclusion) => {
    const [smaller, larger] = step.clues;
    const told = { first: needText(step, 1), second: needText(step, 0), smaller: named(smaller), larger: named(larger), conclusion };
    if (!step.mined.length) return t("step-overlap-safe", told);
    return t("step-overlap-mined", { ...told, cells: listed(step.mined), count: step.mined.length });
  },
  pattern: ({ clues, pattern, known }, conclusion) =>
    t(known.length ? "step-pattern-less" : "step-pattern", { clues: listed(clues), pattern: pattern ?? "", mines: listed(known), count: known.length, conclusion }),
  "mine count": (step, conclusion) => t(...mineCountWords(step, conclusion)),
  cases: ({ clues, mine_count: mines, layouts, layouts_log10: log10 }, conclusion) => {
    const many = layouts === 1 ? "-one" : layouts === 2 ? "-two" : "";
    return t(`step-cases${mines === null ? "" : "-board"}${many}`, { clues: listed(clues), mines: mines ?? 0, layouts: layoutsText(layouts, log10), conclusion });
  },
  guess: ({ guess }) => (guess ? guessText(guess) : ""),
};

/** @param {Step} step @param {string} conclusion @returns {[id: string, values: Record<string, string | number>]} */
function mineCountWords({ clues, safe, mined, known, mine_count: all, bound }, conclusion) {
  const left = (all ?? 0) - known.length;
  const told = { left, clues: listed(clues), count: clues.length, conclusion };
  if (!clues.length) return [safe.length ? "step-mine-count-none" : "step-mine-count-all", told];
  if (bound === "fewest" && !mined.length) return ["step-mine-count-need", told];
  const isElsewhere = !mined.some((mine) => clues.some((clue) => areNeighbours(mine, clue)));
  if (bound === "most" && isElsewhere && !safe.length) return ["step-mine-count-elsewhere", { ...told, taken: left - mined.length, count: mined.length }];
  return [`step-mine-count-${bound ?? "most"}`, told];
}

/**
 * A number of layouts: in digits, or the first of them and the power of ten.
 * @param {number | string | null} count
 * @param {number | null} log10 of it
 * @returns {string}
 */
export function layoutsText(count, log10) {
  if (count !== null && String(count).length <= MOST_DIGITS) return numberOf(BigInt(count));
  const exponent = log10 ?? String(count).length - 1;
  const [digits, more] = (10 ** (exponent % 1)).toExponential(2).split("e");
  return t("layouts-power", { digits: numberOf(Number(digits), { digits: 2 }), power: Math.floor(exponent) + Number(more) });
}

/** @param {GuessReason} guess @returns {string} how often that wins */
function winsText(guess) {
  const { win = null, win_fraction: fraction, is_exact: isExact = false } = guess;
  const { other_win: other = null, other_fraction: otherFraction, other_is_exact: otherIsExact = false } = guess;
  if (win === null) return t("wins-unknown");
  if (isExact && win === 1) return t("wins-certain");
  if (other === null) return t("wins", { chance: winText(win, { fraction, isExact }) });
  const [chance, instead] = winsApart({ win, fraction, isExact }, { win: other, fraction: otherFraction, isExact: otherIsExact });
  return t("wins-instead", { chance, other: instead });
}

/** @param {GuessReason} guess @returns {string} in sentences */
export function guessText(guess) {
  const { kind, cell, risk = null, other, other_risk: otherRisk = null, decides = [], even = [], win = null } = guess;
  const told = {
    cell: cell ? named(cell) : "",
    risk: risk === null ? "" : shareText(risk),
    other: other ? named(other) : "",
    otherRisk: otherRisk === null ? "" : shareText(otherRisk),
    tells: decides.length ? t("tells-decides", { cells: decides.length > MOST_EVEN ? t("cells-more", { count: decides.length }) : listed(decides) }) : t("tells-more"),
    wins: winsText(guess),
  };
  let id = `guess-${kind}`;
  if (kind === "least" && win === null) id = "guess-least-only";
  else if (kind === "least" && guess.is_blank) id = "guess-least-blank";
  else if (kind === "better" && told.risk === told.otherRisk) id = "guess-better-as-risky";
  const more = even.slice(0, MOST_EVEN).map((cells) => t("forced-even", { cells: listed(cells) }));
  if (guess.unflag_first) more.push(t("unflag-first"));
  return [t(id, told), ...more].join(" ");
}

/** @param {Step} step @returns {string} with its cells marked */
export function stepText(step) {
  return SENTENCES[step.technique]?.(step, conclusionOf(step)) ?? "";
}

/** @param {Step} step @returns {string} what the step is called */
export function techniqueName({ pattern, technique }) {
  if (pattern) return hasWords(`pattern-${pattern}`) ? t(`pattern-${pattern}`) : pattern;
  return t(`technique-${technique.replaceAll(" ", "-")}`);
}

/**
 * The sentence of a step in pieces, for the eye: cells that it names are pieces of their own.
 * @param {import("./board.js").Board} board
 * @param {Step} step
 * @returns {{pieces: Piece[], named: Set<number>}}
 */
export function namedStep(board, step) {
  const pieces = piecesOf(stepText(step));
  const cells = pieces.flatMap((piece) => (typeof piece === "string" ? [] : [board.at(...placeOf(piece.cell))]));
  return { pieces, named: new Set(cells.filter((cell) => cell >= 0)) };
}
