/**
 * Sets the theme and the palette before anything is painted, so that a dark page never flashes white; and says so where
 * the scripts of the page do not come, which would leave it empty.
 * It also has what the screen needs fetched at once, where the fragment of the address says which that is.
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

  // What the screen needs that the fragment asks for: fetched now, not when main.js has come and asks for it.
  const { dataset, src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const screen = location.hash.replace(/^#code=.*/, "#game").replace(/^#|=.*$/g, "");
  for (const name of JSON.parse(dataset.parts ?? "{}")[screen] ?? []) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = src.replace(/[^/]*$/, name);
    document.head.append(link);
  }

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
