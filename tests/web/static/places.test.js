import assert from "node:assert/strict";
import { test } from "node:test";

import { SCREENS, fragmentOf, isFragment, linkPart, readPlace } from "../../../src/sapper/web/static/places.js";

test("a location leads to a screen, and to the menu whatever else it says", () => {
  for (const screen of SCREENS) {
    if (screen !== "game") assert.deepEqual(readPlace(`#${screen}`), { screen, value: "" });
  }
  assert.deepEqual(readPlace("#game=a%2Fb"), { screen: "game", value: "a/b" });
  assert.deepEqual(readPlace("#code=modern%239x9x10.7=="), { screen: "code", value: "modern#9x9x10.7==" });
  assert.deepEqual(readPlace("#code=%E0%A4%A"), { screen: "code", value: "%E0%A4%A" });
  for (const hash of ["", "#", "#game", "#game=", "#code", "#other", "#constructor", "#toString=1"]) {
    assert.deepEqual(readPlace(hash), { screen: "menu", value: "" }, hash);
  }
});

test("a fragment that leads nowhere is told from the menu", () => {
  for (const hash of ["", "#", "#menu", "#new", "#game=abc", "#code=modern%239x9x10.7=="]) assert.ok(isFragment(hash), hash);
  for (const hash of ["#bogus", "#game", "#game=", "#code", "#constructor", "#toString=1"]) assert.ok(!isFragment(hash), hash);
});

test("a link for others has its board where servers see it, unless that is too long", () => {
  assert.equal(linkPart("code", "modern#9x9"), "?code=modern%239x9");
  assert.equal(linkPart("p", "o".repeat(2001)).slice(0, 4), "#p=o");
  for (const text of ["modern#9x9x10.7==", "o".repeat(3000)]) {
    const { hash, search } = new URL(linkPart("code", text), "https://x.example/");
    assert.deepEqual(readPlace(fragmentOf({ hash, search })), { screen: "code", value: text });
  }
  assert.equal(fragmentOf({ hash: "#new", search: "?code=a" }), "#new");
  assert.equal(fragmentOf({ hash: "", search: "?source=mail" }), "");
});
