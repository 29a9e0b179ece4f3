/**
 * Sets the theme and the palette before anything is painted, so that a dark page never flashes white.
 * A plain script, since modules wait until the page was read; settings.js does the same with care afterwards.
 *
 * Knows: where settings.js keeps what was chosen.
 * Does not know: what else can be chosen.
 */
(() => {
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("sapper.settings")) ?? {};
  } catch {
    // No storage, or nothing readable in it: settings.js sees to that.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = chosen.theme === "light" || chosen.theme === "dark" ? chosen.theme : dark ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.palette = chosen.palette === "clear" ? "clear" : "classic";
})();
