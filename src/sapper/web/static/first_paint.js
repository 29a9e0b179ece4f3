/**
 * Sets the theme, the palette and the language before anything is painted, so that a dark page never flashes white; and says so where
 * the scripts of the page do not come, which would leave it empty.
 * It also has the words of the language fetched, and what the screen needs, where the fragment of the address says which that is.
 * A plain script, since modules wait until the page was read; settings.js does the same with care afterwards.
 *
 * Knows: where settings.js keeps what was chosen.
 * Does not know: what else can be chosen; parts that are fetched later (parts.js).
 */
(() => {
  /** @type {{theme?: unknown, palette?: unknown, language?: unknown}} */
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

  const { dataset, src } = /** @type {HTMLScriptElement} */ (document.currentScript);

  // The language that was chosen here, else the first of the browser's that there is.
  /** @type {Record<string, [missing: string, again: string]>} the words for a page that does not come, a language each */
  const languages = JSON.parse(dataset.languages ?? "{}");
  const wanted = [chosen.language, ...navigator.languages.map((one) => one.split("-")[0])];
  const language = wanted.find((one) => typeof one === "string" && Object.hasOwn(languages, one)) ?? "en";
  document.documentElement.lang = String(language);
  if (language !== "en") document.documentElement.dataset.unworded = "";
  globalThis.sapperLanguages = Object.keys(languages);
  /** @param {string} half of the catalogue */
  const fetchWords = async (half) => {
    const answer = await fetch(src.replace(/[^/]*$/, `words/${language}${half}.ftl`));
    if (!answer.ok) throw new Error(`no words: ${answer.status}`);
    return answer.text();
  };
  globalThis.sapperWords = fetchWords("").then((text) => ({ language: String(language), text }));
  globalThis.sapperWords.catch(() => tellMissing());
  /** @type {Promise<string> | undefined} */
  let later;
  globalThis.sapperLaterWords = () => (later ??= fetchWords(".later").catch((error) => {
    later = undefined;
    throw error;
  }));

  // What the screen needs that the fragment asks for: fetched now, not when main.js has come and asks for it.
  const screen = (location.hash || location.search).replace(/^[#?]code=.*/, "#game").replace(/^#|=.*$/g, "");
  /** @type {string[]} */
  const names = JSON.parse(dataset.parts ?? "{}")[screen] ?? [];
  if (location.pathname === "/" ? names.includes("later_words.js") : !location.pathname.startsWith("/game/")) globalThis.sapperLaterWords().catch(() => {});
  for (const name of names) {
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
    const [missing, again] = languages[String(language)] ?? languages.en;
    text.textContent = missing;
    const retry = document.createElement("button");
    retry.type = "button";
    retry.className = "button primary";
    retry.textContent = again;
    retry.addEventListener("click", () => location.reload());
    sheet.append(text, retry);
    document.querySelector("#app")?.replaceChildren(sheet);
  }
})();
