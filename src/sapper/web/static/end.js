/** The end of a game: placeholder of the first commit. Knows: nothing yet. Does not know: the game. */
export function showEnd(top, end) {
  top.textContent = end.status;
}
export function showReview() {}
export function hideEnd(top) {
  top.replaceChildren();
}
