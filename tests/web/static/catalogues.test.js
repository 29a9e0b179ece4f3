/** The catalogues: each message is used, each that is used is there, and every language has the same ones. */

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";

import { t } from "../../../src/sapper/web/static/words.js";

const STATIC = new URL("../../../src/sapper/web/static/", import.meta.url);
const { FluentResource } = globalThis.FluentBundle;

/** @param {string} file @returns {Promise<Map<string, {values: Set<string>, shown: Set<string>}>>} its messages */
async function messagesOf(file) {
  const text = await readFile(new URL(`words/${file}`, STATIC), "utf8");
  const starts = [...text.matchAll(/^([a-z][\w-]*) =/gm)];
  const known = /** @type {{body: unknown[]}} */ (new FluentResource(text)).body;
  assert.equal(known.length, starts.length, `${file}: a message is not understood`);
  return new Map(starts.map((start, place) => {
    const body = text.slice(start.index, starts[place + 1]?.index).replace(/^#.*$/gm, "");
    const names = (/** @type {RegExp} */ pattern) => new Set([...body.matchAll(pattern)].map(([, name]) => name));
    return [start[1], { values: names(/\$(\w+)/g), shown: names(/\{ \$(\w+) \}/g) }];
  }));
}

const files = (await readdir(new URL("words/", STATIC))).sort();
const english = await messagesOf("en.ftl");

test("every language has the messages of English with their variables, and plural forms where they count", async () => {
  assert.deepEqual(files, ["de.ftl", "en.ftl"]);
  for (const file of files) {
    const messages = await messagesOf(file);
    assert.deepEqual([...messages.keys()], [...english.keys()], file);
    for (const [id, { values }] of messages) {
      for (const name of english.get(id)?.shown ?? []) assert.ok(values.has(name), `${file}: ${id} leaves out $${name}`);
      for (const name of values) assert.ok(english.get(id)?.values.has(name), `${file}: ${id} has a $${name} that nobody gives`);
    }
  }
});

test("every message is used, and every one that is asked for is there", async () => {
  const modules = (await readdir(STATIC)).filter((name) => name.endsWith(".js") || name === "index.html");
  const source = (await Promise.all(modules.map((name) => readFile(new URL(name, STATIC), "utf8")))).join("\n");
  const asked = [...source.matchAll(/\bt\("([^"]+)"|data-(?:words|label)="([^"]+)"/g)].map((found) => found[1] ?? found[2]);
  for (const id of asked) assert.ok(english.has(id), `no message ${id}`);
  const literals = new Set([...source.matchAll(/"([a-z][\w-]*)"/g)].map(([, id]) => id));
  const patterns = [...source.matchAll(/`([a-z][\w-]*-)\$\{|`((?:\$\{[^}]*\}|[\w-])+)`/g)]
    .map(([whole, prefix]) => (prefix ? new RegExp(`^${prefix}`) : new RegExp(`^${whole.slice(1, -1).replace(/\$\{[^}]*\}/g, ".*")}$`)))
    .filter((pattern) => pattern.source.replace(/\.\*|\^|\$/g, "").length > 2);
  const unused = [...english.keys()].filter((id) => !literals.has(id) && !patterns.some((pattern) => pattern.test(id)));
  assert.deepEqual(unused, ["missing-page"]); // the server takes it from here for pages that do not come
});

test("words that are sent later are asked for by modules that wait for them", async () => {
  const [, later] = (await readFile(new URL("words/en.ftl", STATIC), "utf8")).split(/^### .*later_words\.js.*$/m);
  const ids = [...later.matchAll(/^([a-z][\w-]*) =/gm)].map(([, id]) => id);
  assert.ok(ids.length > 100);
  for (const name of (await readdir(STATIC)).filter((one) => one.endsWith(".js"))) {
    const source = await readFile(new URL(name, STATIC), "utf8");
    const asked = new Set([...source.matchAll(/\bt\("([^"]+)"/g)].map(([, id]) => id));
    if (!source.includes('"./later_words.js"')) assert.deepEqual(ids.filter((id) => asked.has(id)), [], name);
  }
});

test("German has one word for a thing", async () => {
  const german = await readFile(new URL("words/de.ftl", STATIC), "utf8");
  const others = /.*(?:Fahne|\bTipps?\b|\bFeld(?:er|ern)?\b|\bBomben?\b).*/gu; // for Flagge, Hinweis, Zelle, Mine
  assert.deepEqual(german.match(others) ?? [], []);
});

test("numbers choose plural forms", () => {
  assert.deepEqual([t("mines-left", { count: 1 }), t("mines-left", { count: 1000 })], ["1 mine left", "1,000 mines left"]);
  assert.equal(t("no such message"), "no such message");
});
