/**
 * A worker that writes one number and ends. The first that a browser's process writes takes a slow phone 70 ms, wherever it is written; the page's
 * own thread would be held up by it, at the end of a game.
 */

new Intl.NumberFormat().format(0.5);
close();
