"""Every setting of sapper, declared once. `docs/configuration.md` is made from this table.

The defaults of a face are those of its own code; tests compare them.

Knows: names, defaults, ranges and words of all settings.
Does not know: who reads them, where values come from.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sapper.config.setting import Setting
from sapper.core.preset import PRESETS
from sapper.errors import ConfigError

_ALL: Final = (
    Setting(
        key="store.database", default="", environment="SAPPER_DATABASE", is_url=True,
        help="URL of the database of games: sqlite:///FILE or postgresql://…; empty is a file in the platform's data folder.",
    ),
    Setting(
        key="store.permissions", default="0600", choices=("0600", "0640", "0644", "0660"),
        help="Of the store's files; saved games hold the mines of running games, so nobody else may read them.",
    ),
    Setting(
        key="screen.colour", default="auto", choices=("auto", "always", "never"),
        help="Colours: auto is where there is a terminal that has them and NO_COLOR is not set.",
    ),
    Setting(key="screen.palette", default="classic", choices=("classic", "clear"), help="Colours of pictures; clear is for every colour vision."),
    Setting(key="bot.preset", default="kata", choices=tuple(PRESETS), help="The game that `sapper bot` plays."),
    Setting(key="bot.strategy", default="best-reply", is_strategy=True, help="How the bot chooses its moves."),
    Setting(key="bot.view", default="kata", choices=("kata", "text"), help="How the bot's boards are drawn."),
    Setting(key="bot.delay", default=0.0, least=0, most=60, help="Seconds that the bot waits after each move."),
    Setting(key="simulate.strategy", default="least-risk", is_strategy=True, help="The strategy that is simulated."),
    Setting(key="simulate.workers", default=1, least=1, most=256, help="Games simulated at a time; changes no result."),
    Setting(key="simulate.backend", default="auto", choices=("auto", "reference"), help="What plays simulated games; reference: Python, as where there is no native library."),
    Setting(key="server.host", default=("127.0.0.1",), help="Addresses to serve on; 0.0.0.0 is everyone's."),
    Setting(key="server.port", default=9999, least=0, most=65535, help="Port to serve on; 0 is any free one."),
    Setting(key="server.max_connections", default=10_000, least=1, help="Players at once."),
    Setting(key="server.max_per_address", default=256, least=0, help="Players at once from one address; 0 is no limit."),
    Setting(key="server.proxies", default=("none",), help="Addresses or networks of proxies that say with the PROXY protocol who comes; `none`."),
    Setting(key="server.idle_timeout", default=600.0, least=1, help="Seconds without a packet after which a connection ends."),
    Setting(key="server.max_packet", default=1024, least=3, help="Bytes of the longest payload of a packet."),
    Setting(key="server.max_queued", default=64 * 1024, least=1, help="Bytes of unread answers above which a client's packets wait."),
    Setting(key="server.stall_timeout", default=10.0, least=1, help="Seconds that a client may leave its answers unread."),
    Setting(key="server.metrics_host", default="127.0.0.1", help="Address to serve metrics on."),
    Setting(key="server.metrics_port", default=-1, least=-1, most=65535, nothing=-1, help="Port to serve metrics on; -1 is none."),
    Setting(key="server.log_format", default="logfmt", choices=("logfmt", "json"), help="Form of the server's log."),
    Setting(key="server.log_level", default="info", choices=("debug", "info", "warning", "error"), help="What the server logs."),
    Setting(key="web.host", default=("127.0.0.1",), help="Addresses to serve the web game on; 0.0.0.0 is everyone's."),
    Setting(key="web.port", default=8080, least=0, most=65535, help="Port to serve it on; 0 is any free one."),
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
    Setting(key="web.max_connections", default=4000, least=1, help="Connections at once."),
    Setting(key="web.max_per_address", default=500, least=0, help="Connections at once from one address; 0 is no limit."),
    Setting(key="web.max_open_games", default=20, least=1, help="Unfinished games that a player may have."),
    Setting(key="web.max_games", default=5000, least=1, help="Games in memory at once."),
    Setting(key="web.max_new_games", default=300.0, least=1, help="New games a minute and player, for as long as it goes on."),
    Setting(key="web.max_address_rate", default=50.0, least=1, help="Requests a second and address; ten times as many messages of games."),
    Setting(key="web.keep_ready", default=7, least=0, most=36_500, help="Days that a game is kept which nobody has begun; 0 is forever."),
    Setting(key="web.keep_playing", default=365, least=0, most=36_500, help="The same of one that was begun, from its last move on."),
    Setting(key="web.metrics_host", default="127.0.0.1", help="Address to serve its metrics on."),
    Setting(key="web.metrics_port", default=-1, least=-1, most=65535, nothing=-1, help="Port to serve its metrics on; -1 is none."),
    Setting(key="web.auto_pause", default=True, help="Whether a game is paused five seconds after nobody has had it in view."),
    Setting(key="web.log_format", default="logfmt", choices=("logfmt", "json"), help="Form of the web server's log."),
    Setting(key="web.log_level", default="info", choices=("debug", "info", "warning", "error"), help="What it logs."),
    Setting(key="web.palette", default="classic", choices=("classic", "clear"), help="Colours of its boards where a player has chosen none."),
    Setting(key="web.theme", default="auto", choices=("auto", "light", "dark"), help="Its page's; auto is the player's system's."),
    Setting(key="web.keys.up", default=("ArrowUp", "w"), help="Keys of the web game, as browsers name them: up."),
    Setting(key="web.keys.down", default=("ArrowDown", "s"), help="Down."),
    Setting(key="web.keys.left", default=("ArrowLeft", "a"), help="Left."),
    Setting(key="web.keys.right", default=("ArrowRight", "d"), help="Right."),
    Setting(key="web.keys.reveal", default=("Space", "Enter"), help="Reveal the cell."),
    Setting(key="web.keys.flag", default=("f",), help="Flag it."),
    Setting(key="web.keys.chord", default=("c",), help="Chord."),
    Setting(key="web.keys.undo", default=("u",), help="Undo."),
    Setting(key="web.keys.hint", default=("h",), help="Hint."),
    Setting(key="web.keys.status", default=("i",), help="Say how many mines are left, the flags and the time."),
    Setting(key="web.keys.pause", default=("p",), help="Pause."),
    Setting(key="web.keys.new", default=("F2",), help="New game."),
    Setting(key="web.keys.same", default=("F3",), help="The same board again."),
    Setting(key="web.keys.end", default=("Escape",), help="End, or back."),
    Setting(key="player.name", default="local", help="Whose games those at this machine are."),
    Setting(key="play.preset", default="beginner", choices=tuple(PRESETS), help="The game that `sapper play` begins with."),
    Setting(key="play.theme", default="auto", choices=("auto", "dark", "light"), help="Background of the terminal game; auto is that of the terminal, which is asked for it."),
    Setting(key="play.palette", default="classic", choices=("classic", "clear"), help="Its colours; clear is for every colour vision."),
    Setting(key="play.less_flags", default=False, help="Whether clues are shown less the flags beside them."),
    Setting(key="play.question_marks", default=False, help="Whether a second flag is a question mark."),
    Setting(key="play.keys.left", default=("h", "H", "left"), help="Keys of `sapper play`, as Textual names them: left; the capitals are for Caps Lock."),
    Setting(key="play.keys.down", default=("j", "J", "down"), help="Down."),
    Setting(key="play.keys.up", default=("k", "K", "up"), help="Up."),
    Setting(key="play.keys.right", default=("l", "L", "right"), help="Right."),
    Setting(key="play.keys.row_start", default=("0", "home"), help="To the first column; after other digits 0 is one of them."),
    Setting(key="play.keys.row_end", default=("$", "end"), help="To the last column."),
    Setting(key="play.keys.top", default=("g",), help="To the first row, when it is pressed twice; after a number to that row."),
    Setting(key="play.keys.bottom", default=("G",), help="To the last row; after a number to that row."),
    Setting(key="play.keys.next_clue", default=("n", "tab"), help="To the next clue that is not finished."),
    Setting(key="play.keys.previous_clue", default=("N", "shift+tab"), help="To the one before."),
    Setting(key="play.keys.search", default=("/",), help="Search: the next key is the tile to go to, 1 to 8, f, ? or #."),
    Setting(key="play.keys.reveal", default=("space", "enter"), help="Reveal the cell, or chord on a clue."),
    Setting(key="play.keys.flag", default=("f", "F"), help="Flag it."),
    Setting(key="play.keys.chord", default=("c",), help="Chord."),
    Setting(key="play.keys.undo", default=("u",), help="Undo."),
    Setting(key="play.keys.redo", default=("ctrl+r",), help="Redo."),
    Setting(key="play.keys.hint", default=("i",), help="Hint."),
    Setting(key="play.keys.guess", default=("e",), help="Whether a guess is all that is left."),
    Setting(key="play.keys.chances", default=("o",), help="Chances over the board, or none."),
    Setting(key="play.keys.less_flags", default=("m",), help="Clues less the flags beside them, or as they are."),
    Setting(key="play.keys.pause", default=("p",), help="Pause."),
    Setting(key="play.keys.restart", default=("r",), help="The same board again."),
    Setting(key="play.keys.new", default=("a",), help="Another game."),
    Setting(key="play.keys.end", default=("E",), help="Give the game up."),
    Setting(key="play.keys.review", default=("v",), help="The review of a game that has ended, move by move."),
    Setting(key="play.keys.menu", default=("escape",), help="To the menu."),
    Setting(key="play.keys.help", default=("?",), help="Help."),
    Setting(key="play.keys.quit", default=("q",), help="Quit: a game that is not over is kept."),
    Setting(key="client.host", default="127.0.0.1", help="The server that `sapper connect` plays on."),
    Setting(key="client.port", default=9999, least=1, most=65535, help="Its port."),
    Setting(key="client.rows", default=0, least=0, most=255, nothing=0, help="Height of the board; 0 is to ask."),
    Setting(key="client.columns", default=0, least=0, most=255, nothing=0, help="Width of the board; 0 is to ask."),
    Setting(key="client.level", default=0, least=0, most=3, nothing=0, help="Difficulty: 1 easy, 2 medium, 3 hard; 0 is to ask."),
    Setting(key="client.keys.left", default=("a",), help="Keys that move the cursor left, besides the arrow."),
    Setting(key="client.keys.right", default=("d",), help="Keys that move it right, besides the arrow."),
    Setting(key="client.keys.up", default=("w",), help="Keys that move it up, besides the arrow."),
    Setting(key="client.keys.down", default=("s",), help="Keys that move it down, besides the arrow."),
    Setting(key="client.keys.reveal", default=("enter",), help="Keys that reveal the cell: characters, enter, space, tab."),
    Setting(key="client.keys.mark", default=("space",), help="Keys that mark a mine, or unmark."),
    Setting(key="client.keys.new_game", default=("tab",), help="Keys that start a new game."),
    Setting(key="client.keys.quit", default=("x",), help="Keys that quit."),
    Setting(key="client.keys.debug", default=("#",), help="Keys that switch debug mode."),
)  # fmt: skip

SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType({setting.key: setting for setting in _ALL})
"""The settings by key, in the order of `sapper config`."""

SECTIONS: Final = frozenset(key.rpartition(".")[0] for key in SETTINGS) | {"client", "play"}
"""The tables that a file may have."""


def find_setting(key: str) -> Setting:
    """The setting of that key; `ConfigError` that names the likeliest otherwise."""
    setting = SETTINGS.get(key)
    if setting is None:
        raise ConfigError(f"no setting {key!r}; {hint(key)}")
    return setting


def hint(key: str) -> str:
    """What would be right in place of a key that is none."""
    import difflib  # noqa: PLC0415  # reading settings must cost next to nothing

    near = difflib.get_close_matches(key, SETTINGS, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else "sapper config lists all settings"
