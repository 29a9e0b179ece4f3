"""The page: its files, as they are in the package.

Knows: which files there are, their types and tags.
Does not know: what is in them.
"""

import gzip
import hashlib
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from sapper.web.http.page_look import palettes_css
from sapper.web.http.responses import refusal

TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
}
"""The files that there are; not the system's live, which may say anything."""

PALETTES: Final = "palettes.css"
INDEX: Final = "index.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticFile:
    """A file as it is sent."""

    content: bytes
    packed: bytes
    """By gzip."""
    kind: str
    tag: str


def _file(name: str, content: bytes) -> StaticFile:
    kind = TYPES.get("." + name.rpartition(".")[2], "application/octet-stream")
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return StaticFile(content=content, packed=gzip.compress(content, 9, mtime=0), kind=kind, tag=tag)


def _walk(folder: Traversable, prefix: str = "") -> dict[str, StaticFile]:
    files = {}
    for entry in folder.iterdir():
        name = prefix + entry.name
        if entry.is_dir():
            files.update(_walk(entry, f"{name}/"))
        elif not entry.name.startswith(".") and not entry.name.endswith(".d.ts"):  # types are for who writes the page
            files[name] = _file(name, entry.read_bytes())
    return files


class StaticFiles:
    """All files, read once: what is not among them is not there, whatever a path says."""

    def __init__(self) -> None:
        self.files = _walk(resources.files("sapper.web") / "static")
        self.files[PALETTES] = _file(PALETTES, palettes_css().encode())

    def index(self, request: Request) -> Response:
        """The page."""
        return self._answer(request, INDEX)

    def static(self, request: Request) -> Response:
        """Any other file."""
        return self._answer(request, request.path_params["name"])

    def _answer(self, request: Request, name: str) -> Response:
        file = self.files.get(name)
        if file is None:
            return refusal("not-found", "no such file")
        # A new version is seen at once: asking whether a file is still the same costs one small answer.
        headers = {"etag": file.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if name == INDEX:
            headers["cache-control"] = "no-store"  # it comes with a cookie
        elif file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        content = file.content
        if _takes_gzip(request.headers.get("accept-encoding", "")):
            content, headers["content-encoding"] = file.packed, "gzip"
        return Response(content, headers=headers, media_type=file.kind)


def _takes_gzip(accepted: str) -> bool:
    """Whether an `Accept-Encoding` header has gzip in it, and not with a weight of nothing."""
    for part in accepted.lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";")
        if name == "gzip":
            return not (weight.startswith("q=0") and weight.strip("q=0.") == "")
    return False
