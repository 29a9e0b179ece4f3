"""`sapper play --url` against a real server: line by line, on a real terminal, and what is said where there is none."""

import contextlib
import json
import os
import queue
import re
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Self

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from sapper.core.coordinates import cell_name
from sapper.core.notation import read_board
from sapper.errors import RequestError, UnavailableError
from sapper.play.events import GameEvent, Refused
from sapper.play.played_game import Question
from sapper.session.inputs import Verb
from sapper.solver.advisor import Advisor
from sapper.solver.analysis import analyse
from sapper.tui import remote_play, web_server
from sapper.tui.lines import LinePlayer
from sapper.tui.local_play import game_request
from sapper.tui.remote_play import RemotePlay
from sapper.tui.web_server import WebServer
from tests.documents import blocks
from tests.network import PATIENCE, PATIENT_SAPPER, TerminalProcess, in_terminal
from tests.web_players import Player, say
from tests.web_process import WebProcess

PLAY = [*PATIENT_SAPPER, "play"]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    # On a busy machine five seconds may pass between two runs, in which nobody has the game in view.
    started = WebProcess(tmp_path_factory.mktemp("web"), "web.auto_pause=false")
    yield started
    started.close()


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `PATIENT_SAPPER`, in this process."""
    for module in (remote_play, web_server):
        monkeypatch.setattr(module, "ANSWER_TIME", 2 * PATIENCE)


def _lines(url: str, commands: str, *options: str, phrase: str = "") -> list[str]:
    """The answers to some lines; the first is the greeting."""
    done = subprocess.run(
        [*PLAY, "--lines", "--url", url, *options], input=commands, capture_output=True, text=True, timeout=PATIENCE, check=False,
        env={**os.environ, "SAPPER_PHRASE": phrase},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.removesuffix("\n\n").split("\n\n")


def _sees(terminal: TerminalProcess, *words: str) -> None:
    terminal.wait_until(lambda: all(any(word in line for line in terminal.lines) for word in words))


def test_a_game_line_by_line(server: WebProcess) -> None:
    script = "reveal e5\nhint\nguess\nchances a6\nflag c2\nundo\nrow 1\nreveal c1 c2\nboard\nundo\nstatus\nend\nsave\n"
    said = _lines(server.url, script, "--preset", "beginner", "--seed", "1")
    assert said[0].splitlines() == [
        "Beginner: 9 columns, a to i, 9 rows, 10 mines.",
        "Type help for the commands, quit to leave: a game that is not over is kept.",
    ]
    assert said[1].startswith("43 cells changed.\nrow 2: a 1, b 2.")
    assert "c3 says 1 and its mine is c2: d2 is safe." in said[2]
    assert said[3:7] == ["No need to guess: a cell is safe.", "a6: 0.0 %.", "c2 has a flag.", "c2 is covered."]
    assert said[7] == "row 1: a to i covered."
    lost = said[8].splitlines()
    assert lost[0] == "c1 is 2."
    assert any(line.startswith("You have lost, after ") for line in lost)
    assert "The last move, c2, was certain to meet a mine, and it was needless" in said[8]
    assert "Its code: modern#9x9x10.1." in said[8]
    assert "c exploded" in said[9]
    assert "covered" in said[10]
    assert said[11].startswith("playing; 10 mines, 0 flags")
    assert said[12].startswith("The game is given up, after ")
    assert said[13] == "there is nothing to keep: the game is over."


def test_a_game_is_gone_on_with_by_its_address_and_by_resume(server: WebProcess) -> None:
    player = Player.new(server)
    phrase = player.ask("POST", "/api/player/phrase")
    player = Player(server.port, f"sapper_player={phrase.cookies['sapper_player']}")
    game = player.game(preset="intermediate", no_guess=True).split("/")[3]
    told = phrase.json()["phrase"]
    said = _lines(f"{server.url}game/{game}", "reveal h8\npause\nlook h8\npause\nlook h8\n", phrase=told)
    assert said[0].startswith("Intermediate, no guess: 16 columns")
    assert "cells changed." in said[1]
    hidden = "paused; the board is hidden"
    assert said[2:5] == [f"{hidden}.", f"{hidden}: pause goes on.", "going on."]
    assert said[5].startswith("h8 is blank")
    said = _lines(server.url, "games\nresume\nlook h8\n", phrase=told)
    assert "There is 1 unfinished game: games lists them, resume goes on." in said[0]
    assert said[1].startswith("1: Intermediate, no guess, ")
    assert said[-1].startswith("h8 is blank")
    # Each run has ended its own session: the browser's alone is left.
    sessions = player.ask("GET", "/api/player/sessions").json()["sessions"]
    assert [one["own"] for one in sessions] == [True]


async def test_a_move_on_a_board_that_was_changed_in_another_place_is_not_made(server: WebProcess) -> None:
    player = Player.new(server)
    phrase = player.ask("POST", "/api/player/phrase")
    player = Player(server.port, f"sapper_player={phrase.cookies['sapper_player']}")
    web = WebServer(server.url)
    web.check()
    web.sign_in(phrase.json()["phrase"])
    play = RemotePlay(web, game_request(preset="expert", seed=9), advisor=Advisor())
    unread = queue.SimpleQueue[Callable[[], object]]()
    events: list[GameEvent] = []
    play.post, play.on_later = unread.put, events.extend
    try:
        play.begin()
        unread.get(timeout=PATIENCE)()
        async with player.socket(f"/api/games/{play.game.key}/socket") as tab:
            await say(tab, "left", cell=[3, 3])
        play.do(Verb.LEFT, play.game.grid.cell(20, 10))
        while not any(isinstance(event, Refused) for event in events):
            unread.get(timeout=PATIENCE)()
    finally:
        play.close()
        web.sign_out()
    refusals = [event.error for event in events if isinstance(event, Refused)]
    assert [error.code for error in refusals if isinstance(error, RequestError)] == ["went-on"]
    assert play.game.grid.cell(20, 10) in play.game.session.board.covered


def test_an_attempt_at_the_board_of_the_day_ends_when_that_is_said_twice_by_lines(server: WebProcess) -> None:
    undo = "An undo ends your attempt: it no longer counts. Type undo again to undo."
    hint = "A hint ends your attempt: it no longer counts. Type hint again to get it."
    chances = "Chances end your attempt: it no longer counts. Type chances again to get them."
    restart = (
        "A restart ends your attempt: it counts as not won, and there is no second one. Type restart again to restart."
    )
    said = _lines(f"{server.url}daily", "u\nhint\nrestart\nstatus\nh\nchances\nchances\nhint\n")
    assert said[0].startswith("Beginner, board of the day: 9 columns")
    assert said[1:4] == [undo, hint, restart]
    assert said[4].startswith("playing;")
    assert said[5:7] == [hint, chances]
    assert said[7].startswith("chance to win ")
    assert hint not in said[8]


def test_chances_have_ended_an_attempt_before_the_server_says_so_on_the_other_connection(server: WebProcess) -> None:
    web = WebServer(f"{server.url}daily")
    web.check()
    play = RemotePlay(web, game_request(preset="beginner"), advisor=Advisor())
    unread = queue.SimpleQueue[Callable[[], object]]()
    play.post = unread.put
    try:
        play.begin()
        state = unread.get(timeout=PATIENCE)
        are_attempts = [play.is_attempt]
        play.do(Question.CHANCES)
        are_attempts.append(play.is_attempt)
        state()  # was under way when the chances were asked for
        are_attempts.append(play.is_attempt)
    finally:
        play.close()
    assert are_attempts == [True, False, False]


def test_a_move_without_a_server_is_said_not_to_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = WebProcess(tmp_path)
    play = RemotePlay(WebServer(server.url), game_request(preset="beginner", seed=1), advisor=Advisor())
    said: list[str] = []
    player = LinePlayer(play, said.append)
    try:
        play.begin()
        player.do("reveal e5")
        server.kill()
        while play.lost is None:
            player.do("status")
        said.clear()
        with monkeypatch.context() as patch:
            patch.setattr("sapper.tui.remote_play.ANSWER_TIME", 0.5)
            player.do("flag a1")
            assert said[0].endswith("trying again. Your last move was not made.")
            # One that is sent, and that nobody hears.
            patch.setattr(play._line, "send", lambda _: True)
            player.do("flag a1")
        server.start()
        said.clear()
        while "Connected again." not in said:
            player.do("look a1")
        assert said[-6:-4] == ["Connected again.", "Your last move was not made."]
        assert said[-4] == "a1 is covered."
    finally:
        play.close()
        server.close()


def test_a_program_wins_todays_board_of_programs_by_lines(server: WebProcess) -> None:
    url, before = f"{server.url}daily?audience=bots", _of_programs(server)
    with subprocess.Popen(
        [*PLAY, "--lines", "--url", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as player:
        assert player.stdin is not None
        assert player.stdout is not None

        def answer() -> list[str]:
            lines: list[str] = []
            while line := player.stdout.readline().rstrip("\n"):  # type: ignore[union-attr]
                lines.append(line)
            return lines

        def ask(line: str) -> list[str]:
            player.stdin.write(f"{line}\n")  # type: ignore[union-attr]
            player.stdin.flush()  # type: ignore[union-attr]
            return answer()

        assert answer()[0].startswith("Beginner, board of the day: 9 columns")
        for _ in range(81):
            board = read_board("\n".join(ask("text")))
            said = ask("reveal " + " ".join(cell_name(board.grid, cell) for cell in list(analyse(board).safe)[:1]))
            if any(line.startswith("You have won") for line in said):
                break
    assert _of_programs(server) == (before[0] + 1, before[1] + 1)


def _of_programs(server: WebProcess) -> tuple[int, int]:
    """Attempts at today's board, and those that were won; there is no table before the first."""
    table = Player.new(server).ask("GET", "/api/daily/board?size=beginner&audience=bots").json()
    return table.get("attempts", 0), table.get("won", 0)


def test_the_documents_program_wins_todays_board(server: WebProcess, tmp_path: Path) -> None:
    document = (ROOT / "docs/web-protocol.md").read_text(encoding="utf-8")
    (program,) = (block.text for block in blocks(document) if block.language == "py")
    (tmp_path / "bot.py").write_text(program, encoding="utf-8")

    def run(url: str, size: str, phrase: str = "") -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "bot.py", url, size], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False,
            env={**os.environ, "SAPPER_PHRASE": phrase},
        )  # fmt: skip
        return done.returncode, done.stdout[:4], done.stderr

    assert run(server.url, "expert") == (0, "won ", "")
    made = Player.new(server).ask("POST", "/api/player/phrase")
    player, phrase = Player(server.port, f"sapper_player={made.cookies['sapper_player']}"), made.json()["phrase"]
    for _ in range(2):  # the second finds the game that was won
        assert run(server.url, "beginner", phrase) == (0, "won ", "")
    assert [one["own"] for one in player.ask("GET", "/api/player/sessions").json()["sessions"]] == [True]
    assert run("http://games.example.org", "beginner", phrase) == (1, "", "a recovery phrase is sent over https only\n")


class _Told:
    """A connection on which a server says these messages, or an answer with this body."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        self.headers = {"set-cookie": "sapper_player=x; Path=/"}
        self._messages = [json.dumps(one) for one in messages]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def recv(self) -> str:
        return self._messages.pop(0)

    read = recv


def test_the_documents_program_waits_for_the_state(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    document = (ROOT / "docs/web-protocol.md").read_text(encoding="utf-8")
    (program,) = (block.text for block in blocks(document) if block.language == "py")
    state = {
        "type": "state", "width": 2, "height": 1, "mine_count": 1, "board": ["1#"], "status": "won", "time": 7,
    }  # fmt: skip
    monkeypatch.setattr("urllib.request.urlopen", lambda _: _Told({"socket": "/socket"}))
    socket = _Told({"type": "saving", "saved": False}, {"type": "saving", "saved": True}, state)
    monkeypatch.setattr("websockets.sync.client.connect", lambda *_, **__: socket)
    monkeypatch.setattr("sys.argv", ["bot.py", "http://127.0.0.1", "beginner"])
    monkeypatch.delenv("SAPPER_PHRASE", raising=False)
    exec(program, {})  # our own document's
    assert capsys.readouterr().out == "won 7 ms\n"


def test_the_screen_with_a_phrase_and_a_server_that_goes_and_comes_back(tmp_path: Path) -> None:
    server = WebProcess(tmp_path)
    try:
        found = Player.new(server).ask("POST", "/api/player/phrase")
        player = Player(server.port, f"sapper_player={found.cookies['sapper_player']}")
        phrase = found.json()["phrase"]
        with in_terminal(*PLAY, "--url", f"{server.url}daily", "--preset", "beginner") as terminal:
            _sees(terminal, "Recovery phrase (RETURN: a new player):")
            terminal.type(f"{phrase}\r")
            _sees(terminal, "mines: 10", "Beginner", "left: 10")
            assert phrase.encode() not in terminal.written
            (own,) = (
                one["own"] for one in player.ask("GET", "/api/daily").json()["sizes"] if one["size"] == "beginner"
            )
            assert own["state"] == "open"
            devices = player.ask("GET", "/api/player/sessions").json()["sessions"]
            assert sorted(one["label"] for one in devices) == ["python-httpx", "sapper play"]
            terminal.type("/#f")
            _sees(terminal, "flags: 1")
            server.stop()
            _sees(terminal, "trying again")
            server.start()
            _sees(terminal, "Connected again.")
            terminal.type("f")
            _sees(terminal, "flags: 0")
            terminal.type("i")
            _sees(
                terminal,
                "Beginner, board of the day",
                "A hint ends your attempt: it no longer counts. Press i again to get it.",
                "Esc quit",
            )
            terminal.type("v")
            _sees(terminal, "a review is for a game that has ended")
            assert not any("*" in line for line in terminal.lines)
            terminal.type("EE")
            _sees(terminal, "given up", " *")
            terminal.type("v")
            _sees(terminal, f"its review: {server.url}game/")
            (said,) = (line for line in terminal.lines if "its review: " in line)
            ended = [one["game"] for one in player.ask("GET", "/api/played").json()["games"]]
            assert said.split("/game/")[1].strip() in ended
            (own,) = (
                one["own"] for one in player.ask("GET", "/api/daily").json()["sizes"] if one["size"] == "beginner"
            )
            assert own["state"] == "counted"
            terminal.type("q")
            assert terminal.end() == 0
        assert [one["label"] for one in player.ask("GET", "/api/player/sessions").json()["sessions"]] == [
            "python-httpx"
        ]
        assert phrase not in server.log
    finally:
        server.close()


_STATE = {
    "type": "state", "number": 0, "status": "ready", "time": 0, "running": False, "paused": False, "overlay": False, "game": "g",
    "assistance": {}, "title": "Be\x1b[2Jginner", "rules": {"name": "modern", "win": "revealed", "start": "open"}, "width": 2, "height": 2,
    "mine_count": 1, "first": None, "board": ["##", "##"],
}  # fmt: skip


@contextlib.contextmanager
def _foreign(game: object, *messages: object, status: int = 200, close: str = "") -> Iterator[str]:
    """A server that looks like ours, with one game, and what it says on the game's socket; the game's address."""
    answers: dict[str, object] = {"/api/presets": {"presets": []}, "/api/player": {}, "/api/games": {"games": []}}

    def answer(connection: ServerConnection, request: Request) -> Response | None:
        if request.path.endswith("/socket"):
            return None
        if request.path in answers:
            return connection.respond(200, json.dumps(answers[request.path]))
        return connection.respond(status, json.dumps(game))

    def play(line: ServerConnection) -> None:
        for message in messages:
            line.send(json.dumps(message))
        if close:
            line.close(4404, close)
        with contextlib.suppress(ConnectionClosed):
            line.recv()

    with serve(play, "127.0.0.1", 0, process_request=answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.socket.getsockname()[1]}/game/g"


def test_what_a_server_says_is_no_command_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from sapper.cli.main import main

    with _foreign(_STATE, _STATE, close="\x1b]0;x\x07gone") as url:
        said = _lines(url, "reveal a1\n")
    assert said[0].startswith("Be?[2Jginner: 2 columns")
    assert "ended the connection: ?]0;x?gone" in said[1]
    error = {"error": {"code": "x", "message": "\x1b]0;x\x07\u009b2J\u202ework"}}
    with _foreign(error, status=400) as url:
        assert main(["play", "--lines", "--url", url]) == 2
    assert capsys.readouterr().err == "sapper: ?]0;x??2J?work\n"


_NOT_KNOWN = "answers, and is no server of the web game (sapper web) that this program knows"


@pytest.mark.parametrize(
    "changes",
    [{"rules": None}, {"rules": {}}, {"width": "2"}, {"width": 3}, {"board": ["#", "x"]}, {"status": "dead"}, {"mine_count": 9},
     {"assistance": {"luck": 1}}, {"first": [7, 7]}, {"end": {}}, {"review": []}],
)  # fmt: skip
def test_a_game_that_cannot_be_read_is_one_line(changes: dict[str, object], capsys: pytest.CaptureFixture[str]) -> None:
    from sapper.cli.main import main

    with _foreign(_STATE | changes) as url:
        assert main(["play", "--lines", "--url", url]) == 1
        assert capsys.readouterr().err == f"sapper: {url.removesuffix('/game/g')} {_NOT_KNOWN}\n"


@pytest.mark.parametrize(
    "message",
    [[1], "x", {}, {"type": "update"}, {"type": "update", "number": "1"}, {"type": "state"}, {"type": "end", "runs": [[0, "*"]]},
     {"type": "review"}, {"type": "error"}, {"type": "saving"}, {"type": "chances", "chances": [[9, 9, 0]]}],
)  # fmt: skip
@pytest.mark.parametrize("has_screen", [False, True])
def test_a_message_that_cannot_be_read_is_said_and_ends_the_line(message: object, *, has_screen: bool) -> None:
    with _foreign(_STATE, _STATE, message) as url:
        play = RemotePlay(WebServer(url), game_request(preset="beginner"), advisor=Advisor())
        unread = queue.SimpleQueue[Callable[[], object]]()
        if has_screen:
            play.post = unread.put
        play.begin()
        if has_screen:
            while play.lost is None:
                unread.get(timeout=PATIENCE)()
        else:
            with pytest.raises((UnavailableError, RequestError), match=re.escape(_NOT_KNOWN)):
                play.do(Verb.REVEAL, 0)
        assert play.lost is not None
        assert _NOT_KNOWN in play.lost
        play.close()


class _Stranger(BaseHTTPRequestHandler):
    """A web server that is none of ours."""

    def do_POST(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.send_response(302 if self.path.startswith("/moved") else 200)
        self.send_header("location", "https://elsewhere.example/x")
        self.end_headers()
        self.wfile.write(b"<html>")

    def log_message(self, *_: object) -> None:
        pass


def test_what_is_no_server_is_said_in_one_line(server: WebProcess, capsys: pytest.CaptureFixture[str]) -> None:
    from sapper.cli.main import main

    stranger = HTTPServer(("127.0.0.1", 0), _Stranger)
    threading.Thread(target=stranger.serve_forever, daemon=True).start()
    other = f"http://127.0.0.1:{stranger.server_port}"
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{unused.getsockname()[1]}"
        told = {
            nobody: f"cannot connect to {nobody}: Connection refused",
            server.url.replace("http:", "https:"): f"no TLS at {server.url[:-1].replace('http:', 'https:')}: ",
            other: f"{other} answers, and is no server of the web game (sapper web)",
            f"{server.url}game/nobody": "there is no such game, or it is somebody else's",
        }
        for url, line in told.items():
            assert main(["play", "--lines", "--url", url]) in (1, 2)
            assert capsys.readouterr().err.startswith(f"sapper: {line}")
    stranger.shutdown()
    stranger.server_close()


def test_a_server_that_has_moved_a_wrong_certificate_and_a_phrase_in_the_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stranger = HTTPServer(("127.0.0.1", 0), _Stranger)
    threading.Thread(target=stranger.serve_forever, daemon=True).start()
    with pytest.raises(UnavailableError, match=r"sends players to https://elsewhere\.example: give that address"):
        WebServer(f"http://127.0.0.1:{stranger.server_port}").ask("GET", "/moved")
    stranger.shutdown()
    stranger.server_close()
    with pytest.raises(UnavailableError, match=r"sent over https only, and http://games\.example\.org is not"):
        WebServer("http://games.example.org").sign_in("x")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost".split()
    subprocess.run(["openssl", *words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with contextlib.suppress(OSError), context.wrap_socket(listener.accept()[0], server_side=True) as one:
                one.recv(1)

        threading.Thread(target=serve, daemon=True).start()
        place = f"https://localhost:{listener.getsockname()[1]}"
        with pytest.raises(UnavailableError, match=f"the certificate of {place} is not valid: self-signed certificate"):
            WebServer(place).check()


_PLACES = "nothing is played there; an address ends with the host, /daily, /game/ID or /#game=ID"


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("games.example.org", "'games.example.org' is no address: it is https://HOST or http://HOST:PORT"),
        ("http://[x", "'http://[x' is no address: it is https://HOST or http://HOST:PORT"),
        ("http://x/daily/x", f"'http://x/daily/x': {_PLACES}"),
        ("http://x/#statistics", f"'http://x/#statistics': {_PLACES}"),
        ("http://x/#game=", f"'http://x/#game=': {_PLACES}"),
        ("http://x/game/a b", f"'http://x/game/a b': {_PLACES}"),
        ("http://x/daily?foo=1", "'http://x/daily?foo=1': ?foo=1 is not known; /daily?audience=bots is the board of programs"),
        ("http://x/daily?audience=", "'http://x/daily?audience=': ?audience= is not known;"),
        ("http://x/?audience=bots", "'http://x/?audience=bots': ?audience=bots is not known;"),
        ("http://ann:secret@x", "an address has no USER:PASSWORD@ in it: the recovery phrase says who you are\n"),
        ("http://x:99999", "'http://x:99999': a port is a number from 1 to 65535, not '99999'"),
        ("http://x:0", "'http://x:0': a port is a number from 1 to 65535, not '0'"),
    ],
)  # fmt: skip
def test_a_wrong_address_is_wrong_usage(url: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    from sapper.cli.main import main

    assert main(["play", "--lines", "--url", url]) == 2
    assert capsys.readouterr().err.startswith(f"sapper: {line}")


@pytest.mark.parametrize("place", ["game/g-1_", "#game=g-1_"])
def test_a_game_is_named_by_its_path_or_as_a_browser_shows_it(place: str) -> None:
    assert WebServer(f"http://x:80/{place}").game == "g-1_"


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--player", "ann"], "--player is about games at this machine: leave it out with --url"),
        (["--no-store"], "--no-store is about games at this machine"),
        (["--preset", "expert", "--url", "http://x/game/a"], "the address names a game: leave out --preset"),
        (["--seed", "1", "--url", "http://x/daily"], "a board of the day is named by --preset alone"),
        (
            ["--preset", "7x7/5", "--url", "http://x/daily"],
            "--preset is the size of the board of the day: beginner, intermediate or expert",
        ),
    ],
)
def test_options_that_do_not_go_together(options: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    from sapper.cli.main import main

    assert main(["play", "--lines", "--url", "http://x", *options]) == 2
    assert line in capsys.readouterr().err
