"""The page: its files, as they are in the package but for comments, under an address that is theirs alone.

The address has a hash of all of them, so that a browser keeps each file for as long as it likes, and asks for the page only.
What a screen needs is named in the page, all of it at once: no part waits until another has named it.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape as html_text
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from sapper.web.http.page_look import palettes_css
from sapper.web.http.previews import Previews
from sapper.web.http.responses import refusal

TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".ftl": "text/plain; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
    ".png": "image/png",
    ".ico": "image/x-icon",
}
"""The files that there are; not the system's live, which may say anything."""

PALETTES: Final = "palettes.css"
INDEX: Final = "index.html"
FIRST: Final = "main.js"
SHEETS: Final = (PALETTES, "theme.css", "screens.css", "board.css", "review.css", "social.css")
"""The style sheets, in their order; sent as one, `SHEET`."""
SHEET: Final = "page.css"
PARTS: Final = {
    "new": ("new_game.js",),
    "game": ("game.js",),
    "statistics": ("statistics.js",),
    "settings": ("settings_screen.js",),
    "review": ("review_screen.js",),
    "games": ("games_screen.js",),
    "analyse": ("analyse_screen.js",),
    "recording": ("recording_screen.js",),
    "practice": ("practice_screen.js",),
    "daily": ("daily_screen.js",),
    "rankings": ("rankings_screen.js",),
    "name": ("name_screen.js",),
    "honesty": ("honesty_screen.js",),
}
"""Where each screen begins, as main.js has it; the menu begins there."""
AT_ADDRESSES: Final = {
    "review": ("Review", "A game of Minesweeper, move by move: what each was worth, and where luck decided."),
    "games": ("Games", "The games that were played here, by board, result and time."),
    "analyse": (
        "Analyse",
        "Which cells of a Minesweeper position are safe and why, and the chance of a mine in the others.",
    ),
    "recording": ("Recording", "Recordings of Minesweeper programs, reviewed move by move."),
    "practice": ("Practice", "Positions of your own games in which another move was better."),
    "daily": (
        "Today’s boards",
        "The same Minesweeper boards for everybody, without guesses; layout and proof the day after.",
    ),
    "rankings": ("Rankings", "Best times of games that this server has seen move by move."),
    "name": ("Name and phrase", "A name for the rankings, and a phrase for other devices."),
    "honesty": ("How fair are the rankings?", "What this server sees of a game, and what it cannot see."),
}
"""The screens that have addresses of their own, each with its title and what a link to it is shown with; of the others the fragment
speaks, which no server sees."""
WORKER: Final = "service_worker.js"
MOST_ORIGINS: Final = 50
"""Pages that are kept packed; each name that the server is asked by has some."""
ICONS: Final = ("favicon.ico", "apple-touch-icon.png")
"""Asked for at these very addresses, whatever the page says."""

FOR_EVER: Final = "public, max-age=31536000, immutable"
_IMPORT: Final = re.compile(r'^(?:import|export) [^;]*?"\./([^"]+)";|^\} from "\./([^"]+)";', re.MULTILINE)
_COMMENT: Final = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*$|//[^\n]*$)", re.MULTILINE | re.DOTALL)
_TYPE: Final = re.compile(r"/\*\* @[^\n]*?\*/ ?")
"""What a script says of types within a line."""
_INDENTATION: Final = re.compile(r"^[ \t]+", re.MULTILINE)
_HERE: Final = "/static/"
_WORDS: Final = "words/"
"""Where the catalogues are, a file a language."""
_LATER: Final = re.compile(rb"^### .* later_words.js.*\n", re.MULTILINE)
"""Where a catalogue is cut: what follows is sent by itself."""
_MISSING: Final = ("missing-page", "try-again")
"""What is said where the page does not come, and its catalogue may not either."""
_TITLE: Final = "TITLE"
_ORIGIN: Final = "ORIGIN"
_ABOUT: Final = "ABOUT"
ABOUT: Final = "Minesweeper with hints that say why, boards without guesses and honest statistics."


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticFile:
    """A file as it is sent."""

    content: bytes
    packed: bytes
    """By gzip."""
    kind: str
    tag: str


_SPACE = re.compile(rb"""\"[^\"]*\"|'[^']*'|\x20?(\{)\x20?|([};,:])\x20""")
"""A space that says nothing in a style sheet, outside of texts."""


def _file(name: str, content: bytes) -> StaticFile:
    if name.endswith((".js", ".css")):
        content = _without_comments(content)
        if name.endswith(".css"):
            content = _SPACE.sub(lambda found: found[1] or found[2] or found[0], re.sub(rb"\n+", b"\n", content))
    elif name.endswith(".ftl"):
        content = re.sub(rb"(?m)^(?:#.*)?\n", b"", content)
        content = re.sub(rb"(?m)^ +", b" ", content)  # a message goes on where a line is indented, however far
    kind = TYPES.get("." + name.rpartition(".")[2], "application/octet-stream")
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return StaticFile(content=content, packed=gzip.compress(content, 9, mtime=0), kind=kind, tag=tag)


def _without_comments(content: bytes) -> bytes:
    """A script or a style sheet without types, and without comments and indentation at the beginnings of lines, which keep their numbers."""
    bare = _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), content.decode())
    return _INDENTATION.sub("", _TYPE.sub("", bare)).encode()


def later_name(name: str) -> str:
    """The name of the second half of a catalogue."""
    return name.replace(".ftl", ".later.ftl")


def _walk(folder: Traversable, prefix: str = "") -> dict[str, StaticFile]:
    files = {}
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            files.update(_walk(entry, f"{name}/"))
        elif not entry.name.startswith(".") and not entry.name.endswith(".d.ts"):  # types are for who writes the page
            content, *later = _LATER.split(entry.read_bytes()) if name.startswith(_WORDS) else [entry.read_bytes()]
            files[name] = _file(name, content)
            if later:
                files[later_name(name)] = _file(name, later[0])
    return files


class StaticFiles:
    """All files, read once: what is not among them is not there, whatever a path says."""

    def __init__(self) -> None:
        self.files = _walk(resources.files("sapper.web") / "static")
        html = self.files.pop(INDEX).content.decode()
        self.files[PALETTES] = _file(PALETTES, palettes_css().encode())
        sheets = b"\n".join(self.files.pop(name).content for name in SHEETS)
        self.files[SHEET] = _file(SHEET, re.sub(rb"(?<=[{};])\n+", b"", sheets))
        worker = self.files.pop(WORKER).content.decode()
        every = worker + "".join(f"{name} {file.tag}\n" for name, file in sorted(self.files.items()))
        self.hash = hashlib.sha256(every.encode()).hexdigest()[:16]
        self._languages = {
            name.removeprefix(_WORDS).removesuffix(".ftl"): [_message(file.content.decode(), one) for one in _MISSING]
            for name, file in sorted(self.files.items())
            if name.startswith(_WORDS) and ".later." not in name
        }
        self._html = {screen: self._page(html, screen) for screen in ("menu", *sorted(AT_ADDRESSES))}
        self._at_origins: dict[tuple[str, str], StaticFile] = {}
        names = json.dumps(
            [f"{_HERE}{self.hash}/{name}" for name in sorted(self.files) if not name.endswith((".png", ".ico"))]
        )
        self._worker = _file(WORKER, worker.replace('"VERSION"', f'"{self.hash}"').replace('["FILES"]', names).encode())

    def needed(self, *begin: str) -> list[str]:
        """These modules and all that they import, and what that imports; in the order in which they are found."""
        found = dict.fromkeys(begin)
        for name in (waiting := list(found)):
            for imported in _imports(self.files[name].content.decode()):
                if imported not in found:
                    found[imported] = None
                    waiting.append(imported)
        return list(found)

    def _page(self, html: str, screen: str) -> str:
        """The page as it begins with a screen; at `/` it is the fragment that says which."""
        first = self.needed(FIRST)
        preloaded = self.needed(FIRST, *PARTS.get(screen, ()))
        links = "\n".join(f'<link rel="modulepreload" href="{_HERE}{name}">' for name in preloaded)
        later = {} if screen != "menu" else {
            name: [one for one in self.needed(*begin) if one not in first]
            for name, begin in PARTS.items() if name not in AT_ADDRESSES
        }  # fmt: skip
        made = html.replace("<!-- modules -->", links)
        if screen in AT_ADDRESSES:
            title, about = AT_ADDRESSES[screen]
            made = made.replace(_TITLE, f"{title} – sapper").replace(_ABOUT, about)
        made = made.replace(_TITLE, "sapper").replace(_ABOUT, ABOUT)
        languages = json.dumps(self._languages, ensure_ascii=False, separators=(",", ":"))
        made = made.replace('data-languages=""', f'data-languages="{html_text(languages)}"')
        made = made.replace('data-parts=""', f"data-parts='{json.dumps(later, separators=(',', ':'))}'")
        return made.replace(_HERE, f"{_HERE}{self.hash}/")

    def icon(self, request: Request) -> Response:
        file = self.files[request.url.path.strip("/")]
        return _answer(request, file, {"cache-control": "public, max-age=86400", "vary": "accept-encoding"})

    def index(self, request: Request, status: int = 200, *, previews: Previews | None = None) -> Response:
        """The page: never kept, for it comes with a cookie and names the files there are now."""
        path = request.url.path
        screen = "review" if path.startswith("/game/") else path.strip("/")
        headers = {"cache-control": "no-store", "vary": "accept-encoding"}
        file = self._page_at(screen if screen in self._html else "menu", request)
        if previews is not None and request.url.query:
            made = previews.shown_in(request, file.content.decode(), _origin(request))
            file = file if made is None else _file(INDEX, made.encode())
        return _answer(request, file, headers, status)

    def _page_at(self, screen: str, request: Request) -> StaticFile:
        """The page as it is packed for the name that this server is asked by: pictures of links have whole addresses."""
        origin = _origin(request)
        found = self._at_origins.get((screen, origin))
        if found is None:
            if len(self._at_origins) >= MOST_ORIGINS:
                self._at_origins.clear()
            content = self._html[screen].replace(_ORIGIN, html_text(origin))
            found = self._at_origins[screen, origin] = _file(INDEX, content.encode())
        return found

    def worker(self, request: Request) -> Response:
        """The service worker, at the root, so that it is asked for all of the page."""
        return _answer(
            request, self._worker, {"cache-control": "no-cache", "vary": "accept-encoding", "etag": self._worker.tag}
        )

    def static(self, request: Request) -> Response:
        """Any other file."""
        file = self.files.get(request.path_params["name"])
        if file is None:
            return refusal("not-found", "no such file")
        # A page that was opened before an upgrade asks by the old hash for a part that it has not had yet.
        kept = FOR_EVER if request.path_params["hash"] == self.hash else "no-store"
        headers = {"etag": file.tag, "cache-control": kept, "vary": "accept-encoding"}
        if file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return _answer(request, file, headers)


def _origin(request: Request) -> str:
    """The name that this server is asked by."""
    return f"{request.url.scheme}://{request.url.netloc}"


def _message(catalogue: str, name: str) -> str:
    """A message of one line without variables."""
    return next(line.removeprefix(f"{name} = ") for line in catalogue.split("\n") if line.startswith(f"{name} = "))


def _answer(request: Request, file: StaticFile, headers: dict[str, str], status: int = 200) -> Response:
    if _takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(file.packed, status, headers | {"content-encoding": "gzip"}, file.kind)
    return Response(file.content, status, headers, file.kind)


def _imports(text: str) -> Iterable[str]:
    """The modules that a module names at its head, which are fetched before it runs."""
    return (one or other for one, other in _IMPORT.findall(text))


def _takes_gzip(accepted: str) -> bool:
    """True if an `Accept-Encoding` header has gzip in it, and its weight is not 0."""
    for part in accepted.lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";")
        if name == "gzip":
            return not (weight.startswith("q=0") and weight.strip("q=0.") == "")
    return False
