"""The page in other languages: in German, and in a pseudo-language that shows which texts are not from the catalogue."""

import re
from collections.abc import Callable
from importlib import resources

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import Visitor
from tests.game_page import GARDEN, GamePage

Visit = Callable[..., Visitor]

ENGLISH = (resources.files("sapper.web") / "static/words/en.ftl").read_text()
LONGER = str.maketrans({vowel: accented * 2 for vowel, accented in zip("aeiouAEIOU", "áéíóúÁÉÍÓÚ", strict=True)})


def pseudo(catalogue: str) -> str:
    """The same messages with accents on their vowels, and longer; what is between braces stays."""

    def accented(text: str) -> str:
        return "".join(
            part if part.startswith("{") else part.translate(LONGER) for part in re.split(r"(\{[^{}]*\})", text)
        )

    lines = []
    for line in catalogue.split("\n"):
        named = re.match(r"(?:[a-z][\w-]* =|\s+\*?\[\w+\])", line)
        is_selector = line.endswith("->")
        head = named.end() if named else 0
        if line.startswith("#"):
            lines.append(line)
        elif is_selector:
            start = line.rindex("{")
            lines.append(line[:head] + accented(line[head:start]) + line[start:])
        else:
            lines.append(line[:head] + accented(line[head:]))
    return "\n".join(lines)


def answer_pseudo(route: Route) -> None:
    route.fulfill(body=pseudo(ENGLISH), content_type="text/plain; charset=utf-8")


RAW = r"""() => {
    const own = /sapper|English|Deutsch|3BV|AVF|JMinesweeper/;
    const dates = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|(?:[A-Z][a-z]{2,8} \d{1,2}, \d{4}(?:, \d+:\d\d\s[AP]M)?(?: UTC)?))(?![a-z])/g; // by Intl
    const without = (text) => text.replace(dates, "").replace(/\b(?:[a-z]{1,2}\d+|Enter|F\d+)\b/g, ""); // names of cells and keys
    const dated = /^(?:[A-Z][a-z]{2} \d|\d+\/\d+\/\d+)/;
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = without(node.textContent.trim());
        const box = node.parentElement;
        if (!box.checkVisibility() || box.closest("script, noscript, kbd, textarea, .edge")) continue;
        if (/[A-Za-z]*[aeiou][a-z]+/i.test(text) && !own.test(text) && !dated.test(text)) found.push(text);
    }
    for (const one of document.querySelectorAll("[aria-label], [title]")) {
        const text = without(one.getAttribute("aria-label") ?? one.getAttribute("title"));
        if (one.checkVisibility() && !one.matches("[role=gridcell]") && /[aeiou][a-z]{2,}/i.test(text) && !own.test(text)) found.push(text);
    }
    return found;
}"""

TOO_LONG = """() => {
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const one of document.querySelectorAll("button, a, label, legend, h1, h2, h3, dt, dd, p, .box, th, td, summary")) {
        if (!one.checkVisibility() || one.closest(".visually-hidden, .table-wrap, .skip")) continue;
        if (getComputedStyle(one).display === "inline") continue;
        const { left, right } = one.getBoundingClientRect();
        if (one.scrollWidth > one.clientWidth + 1 || left < -1 || right > innerWidth + 1) found.push(`${one.tagName}.${one.className} ${one.textContent.slice(0, 60)}`);
    }
    return found;
}"""


def look(page: Page, where: str, wrong: list[str]) -> None:
    """Write down what is raw there, and what is not in its box."""
    wrong += [f"{where}: raw: {text}" for text in page.evaluate(RAW)]
    wrong += [f"{where}: too long: {text}" for text in page.evaluate(TOO_LONG)]


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.full)])
def test_no_text_is_raw_and_none_is_too_long(visit: Visit, width: int) -> None:
    visitor = visit(viewport={"width": width, "height": 844}, has_touch=width < 500)
    visitor.context.route("**/words/en*.ftl", answer_pseudo)
    wrong: list[str] = []
    page = visitor.context.new_page()
    # After a place with a path, one with a fragment is another document: each is loaded.
    places = " games #new analyse #settings recording #statistics practice daily rankings name honesty"
    for place in places.split(" "):
        page.goto(f"{visitor.url}{place}")
        expect(page.locator("h1:visible")).to_have_count(1)
        page.wait_for_load_state("networkidle")
        look(page, place, wrong)
    page.goto(f"{visitor.url}{GARDEN.place}")
    game = GamePage(page)
    game.wait_until_quiet()
    look(game.page, "a game", wrong)
    game.click(0, 0)
    game.page.keyboard.press("h")
    expect(game.page.locator(".note")).to_be_visible()
    look(game.page, "a hint", wrong)
    game.page.keyboard.press("Escape")
    game.click(*GARDEN.mines[0])
    expect(game.page.locator(".end")).to_be_visible()
    look(game.page, "an end", wrong)
    assert not wrong, "\n".join(wrong)


def test_a_page_in_german_and_another_language_by_setting(visit: Visit) -> None:
    visitor = visit(locale="de-DE")
    page = visitor.tab()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("button", name="Spielen")).to_be_visible()
    expect(page.locator("nav").get_by_text("Einstellungen")).to_be_visible()
    page.goto(f"{visitor.url}#settings")
    page.get_by_label("Sprache").select_option("en")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
