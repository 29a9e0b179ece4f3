"""Every setting of sapper, declared once. `docs/configuration.md` is made from this table.

The defaults of a face are those of its own code; tests compare them. Options of commands that nobody sets for good have no setting.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from sapper.config.setting import Setting
from sapper.core.preset import PRESETS
from sapper.errors import ConfigError
from sapper.solver.advisor import ADVISORS, Advisor

_ADVISOR: Final = Advisor()

WEB_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "up": ("ArrowUp", "w"),
    "down": ("ArrowDown", "s"),
    "left": ("ArrowLeft", "a"),
    "right": ("ArrowRight", "d"),
    "reveal": ("Space", "Enter"),
    "flag": ("f",),
    "chord": ("c",),
    "undo": ("u",),
    "hint": ("h",),
    "status": ("i",),
    "pause": ("p",),
    "new": ("F2",),
    "same": ("F3",),
    "end": ("Escape",),
}
PLAY_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "left": ("h", "H", "left"),
    "down": ("j", "J", "down"),
    "up": ("k", "K", "up"),
    "right": ("l", "L", "right"),
    "row_start": ("0", "home"),
    "row_end": ("$", "end"),
    "top": ("g",),
    "bottom": ("G",),
    "next_clue": ("n", "tab"),
    "previous_clue": ("N", "shift+tab"),
    "search": ("/",),
    "reveal": ("space", "enter"),
    "flag": ("f", "F"),
    "chord": ("c",),
    "undo": ("u",),
    "redo": ("ctrl+r",),
    "hint": ("i",),
    "guess": ("e",),
    "chances": ("o",),
    "less_flags": ("m",),
    "pause": ("p",),
    "restart": ("r",),
    "new": ("a",),
    "end": ("E",),
    "review": ("v",),
    "menu": ("escape",),
    "help": ("?",),
    "quit": ("q",),
}
CLIENT_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "left": ("a",),
    "right": ("d",),
    "up": ("w",),
    "down": ("s",),
    "reveal": ("enter",),
    "mark": ("space",),
    "new_game": ("tab",),
    "quit": ("x",),
    "debug": ("#",),
}
_ALL: Final = (
    Setting(
        key="store.database", default="", environment="SAPPER_DATABASE", is_url=True,
        help="URL of the database of games: sqlite:///FILE or postgresql://…; empty is a file in the platform's data folder.",
    ),
    Setting(
        key="store.permissions", default="0600", choices=("0600", "0640", "0644", "0660"),
        help="Permissions of the store's files. Saved games contain the mines of running games: by default only you may read them.",
    ),
    Setting(
        key="screen.colour", default="auto", choices=("auto", "always", "never"),
        help="Colours of the terminal: auto is where there is a terminal that has them and NO_COLOR is not set.",
    ),
    Setting(
        key="screen.palette", default="classic", choices=("classic", "clear"),
        help="Colours of boards: in pictures, in the terminal game, and on the page where a player has chosen none; clear is for every colour vision.",
    ),
    Setting(
        key="screen.theme", default="auto", choices=("auto", "light", "dark"),
        help="Background of the terminal game and of the page; auto is that of the terminal, or of the player's system.",
    ),
    Setting(key="simulate.workers", default=1, least=1, most=256, help="Games simulated at a time; changes no result."),
    Setting(key="advice.strategy", default=_ADVISOR.strategy, choices=ADVISORS, help="Whose guesses hints and analyses name, where no cell is safe."),
    Setting(key="advice.time", default=_ADVISOR.seconds, least=0.01, most=5, help="Seconds that playouts may think about a guess, if they advise."),
    Setting(key="server.host", default=("127.0.0.1",), help="Addresses to serve on; 0.0.0.0 is every address of this machine."),
    Setting(key="server.port", default=9999, least=0, most=65535, help="Port to serve on; 0 is any free one."),
    Setting(key="server.max_connections", default=10_000, least=1, help="Players at once."),
    Setting(key="server.max_per_address", default=256, least=0, help="Players at once from one address; 0 is no limit."),
    Setting(key="server.proxies", default=("none",), help="Addresses or networks of proxies that say with the PROXY protocol who comes; `none`."),
    Setting(key="server.idle_timeout", default=600.0, least=1, help="Seconds without a packet after which a connection ends."),
    Setting(key="server.metrics", default="", help="HOST:PORT to serve metrics for Prometheus on; empty is none."),
    Setting(key="log.format", default="logfmt", choices=("logfmt", "json"), help="Form of a server's log."),
    Setting(key="log.level", default="info", choices=("debug", "info", "warning", "error"), help="Lowest level that a server logs."),
    Setting(key="web.host", default=("127.0.0.1",), help="Addresses to serve the web game on; 0.0.0.0 is every address of this machine."),
    Setting(key="web.port", default=8080, least=0, most=65535, help="Port to serve the web game on; 0 is any free one."),
    Setting(
        key="web.secret", default="", is_secret=True,
        help="What players' cookies are signed with, 16 characters or more; of several, with commas between them, the first signs and all are "
        "known. Empty is a file beside the store, made when it is needed.",
    ),
    Setting(
        key="web.allowed_hosts", default=("auto",),
        help="Names that the server answers to; auto is localhost where only this machine is served, else any, as * is.",
    ),
    Setting(
        key="web.allowed_origins", default=("auto",),
        help="Other servers whose pages may play here, as https://example.org; auto is none.",
    ),
    Setting(
        key="web.proxies", default=("none",),
        help="Addresses of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.",
    ),
    Setting(key="web.max_cells", default=10_000, least=1, most=1_000_000, help="Cells of the largest board."),
    Setting(key="web.max_connections", default=6000, least=1, help="Connections at once."),
    Setting(key="web.max_per_address", default=500, least=0, help="Connections at once from one address; 0 is no limit."),
    Setting(key="web.max_open_games", default=20, least=1, help="Unfinished games that a player may have."),
    Setting(key="web.max_address_rate", default=50.0, least=1, help="Requests a second and address; ten times as many messages of games."),
    Setting(key="web.keep_days", default=365, least=0, most=36_500, help="Days that an unfinished game is kept after its last move; 0 is forever."),
    Setting(key="web.metrics", default="", help="HOST:PORT to serve metrics of the web game on; empty is none."),
    Setting(key="web.auto_pause", default=True, help="Whether a game is paused five seconds after nobody has had it in view."),
    Setting(key="web.keys", default=WEB_KEYS, help="Keys of the web game by action, as browsers name them."),
    Setting(key="player.name", default="local", help="Whose games those at this machine are."),
    Setting(key="play.preset", default="beginner", choices=tuple(PRESETS), help="The game that `sapper play` begins with."),
    Setting(key="play.less_flags", default=False, help="Whether clues are shown less the flags beside them."),
    Setting(key="play.question_marks", default=False, help="Whether a second flag is a question mark."),
    Setting(key="play.keys", default=PLAY_KEYS, help="Keys of `sapper play` by action, as Textual names them."),
    Setting(key="client.host", default="127.0.0.1", help="The server that `sapper connect` plays on."),
    Setting(key="client.port", default=9999, least=1, most=65535, help="The port of that server."),
    Setting(key="client.keys", default=CLIENT_KEYS, help="Keys of `sapper connect` by action, besides the arrows: characters, enter, space, tab."),
)  # fmt: skip

SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType({setting.key: setting for setting in _ALL})
"""The settings by key, in the order of `sapper config`."""

SECTIONS: Final = frozenset(key.rpartition(".")[0] for key in SETTINGS)
"""The tables that a file may have."""


def find_setting(key: str) -> Setting:
    """The setting of that key; `ConfigError` that names the likeliest otherwise."""
    setting = SETTINGS.get(key)
    if setting is None:
        raise ConfigError(f"no setting {key!r}; {hint(key)}")
    return setting


def hint(key: str) -> str:
    return nearest(key, SETTINGS, otherwise="sapper config lists all settings")


def nearest(word: str, known: Iterable[str], *, otherwise: str = "") -> str:
    """The known word that is most like another, as a question."""
    import difflib  # noqa: PLC0415  # reading settings must cost next to nothing

    near = difflib.get_close_matches(word, known := list(known), n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else otherwise or f"there are {', '.join(known)}"
