/**
 * Sets the theme and the palette before anything is painted, so that a dark page never flashes white; and says so where
 * the scripts of the page do not come, which would leave it empty.
 * A plain script, since modules wait until the page was read; settings.js does the same with care afterwards.
 *
 * Knows: where settings.js keeps what was chosen.
 * Does not know: what else can be chosen; parts that are fetched later (parts.js).
 */
(() => {
  /** @type {{theme?: unknown, palette?: unknown}} */
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("sapper.settings") ?? "{}") ?? {};
  } catch {
    // No storage, or nothing readable in it: settings.js sees to that.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = chosen.theme === "light" || chosen.theme === "dark" ? chosen.theme : dark ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.palette = chosen.palette === "clear" ? "clear" : "classic";

  // It does not rise from the script that failed, but on its way down it comes by here.
  addEventListener("error", ({ target }) => target instanceof HTMLScriptElement && tellMissing(), true);

  function tellMissing() {
    const sheet = document.createElement("div");
    sheet.className = "sheet";
    const text = document.createElement("p");
    text.className = "notice";
    text.setAttribute("role", "alert");
    text.textContent = "This page did not arrive whole, so nothing can be played yet. Nothing is lost.";
    const retry = document.createElement("button");
    retry.type = "button";
    retry.className = "button primary";
    retry.textContent = "Try again";
    retry.addEventListener("click", () => location.reload());
    sheet.append(text, retry);
    document.querySelector("#app")?.replaceChildren(sheet);
  }
})();
