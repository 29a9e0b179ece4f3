/** The English words, as the page has them when its modules run; loaded before each file of tests. */

import { readFile } from "node:fs/promises";

const text = readFile(new URL("../../../src/sapper/web/static/words/en.ftl", import.meta.url), "utf8");
globalThis.sapperWords = text.then((words) => ({ language: "en", text: words }));
globalThis.sapperLaterWords = async () => "";
globalThis.sapperLanguages = ["de", "en"];
