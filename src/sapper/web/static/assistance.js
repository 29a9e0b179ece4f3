/**
 * What sets a game apart from one that was played without help, in words.
 *
 * Knows: which help is named. Does not know: where it is said.
 */

import { t } from "./words.js";

/** @import { Assistance } from "./types.js" */

/** @param {Assistance} assistance @returns {string} empty if there was none */
export function assistanceText(assistance) {
  const parts = [];
  if (assistance.hints) parts.push(t("assisted-hints", { count: assistance.hints }));
  if (assistance.undone) parts.push(t("assisted-undone", { count: assistance.undone }));
  if (assistance.overlay) parts.push(t("assisted-overlay"));
  if (assistance.aided) parts.push(t("assisted-aided"));
  if (assistance.practice) parts.push(t("assisted-practice"));
  else if (assistance.restarts || assistance.seen) parts.push(t("assisted-seen"));
  return parts.join(", ");
}
