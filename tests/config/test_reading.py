"""A file's mistakes are named with file, line, key, and what would be right."""

import os
import socket
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from sapper.config.configuration import load
from sapper.config.reading import MOST_BYTES, Said, line_of, read_file, read_text
from sapper.errors import ConfigError

GOOD = """\
# a comment
[server]
port = 9998
host = [
    "0.0.0.0",
    "::1",
]

[client.keys]
mark = ["m"]
"""


def test_what_it_says_and_where() -> None:
    assert read_text(GOOD, source="f") == {
        "server.port": Said(9998, 3),
        "server.host": Said(("0.0.0.0", "::1"), 4),
        "client.keys": Said({"mark": ("m",)}, 10),
    }


@pytest.mark.parametrize(
    "text",
    ["server.port = 1", "server = {port = 1}", "[server]\nport = 1", '"server"."port" = 1', "[ server ]\n'port'=1"],
)
def test_all_the_ways_to_say_it(text: str) -> None:
    (said,) = read_text(text, source="f").values()
    assert said == Said(1, text.count("\n") + 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[play]\n[server]\nport = 'x'", 'f:3: server.port is a whole number from 0 to 65535, not "x"'),
        ("[server]\nport = 65536", "f:2: server.port is a whole number from 0 to 65535, not 65536"),
        ("[server]\nhost = '::'", 'f:2: server.host is a list of texts, not "::"'),
        ("[play]\npreset = 'exprt'", "f:2: play.preset is one of kata, beginner, "),
        ("[play.keys]\nundo = 'u'", 'f:2: play.keys.undo is a list of texts, not "u"'),
        ("play.keys = ['u']", "f:1: play.keys is a table of keys by action, as left = "),
        ("[server.port]\nx = 1", 'f:1: server.port is a whole number from 0 to 65535, not {"x": 1}'),
        ("[server]\nport = \n", "f:2: not valid TOML: Invalid value"),
        ("[server]\nport = 1\nport = 2\n", "f:3: not valid TOML: Cannot overwrite a value"),
        ("[server]\nhost = [", "f:2: not valid TOML"),
    ],
)
def test_a_mistake_is_named(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_text(text, source="f")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[server]\n\nprot = 1", "f:3: no setting 'server.prot'; did you mean 'server.port'?"),
        ("[play.keys]\nundo = ['u']\nzzz = ['j']", "f:3: play.keys has no action 'zzz'; there are left, down, "),
        ("[play.keys]\nundoo = ['u']", "f:2: play.keys has no action 'undoo'; did you mean 'undo'?"),
        ("\nserver = 1", "f:2: 'server' is a table, [server], not a value"),
        ("[sever]\nport = 1", "f:1: no table [sever]; there are [advice], [client]"),
        ("port = 1", "f:1: no setting 'port'"),
        ("[[server]]\nport = 1", "f:1: 'server' is a table, [server], not a value"),
    ],
)
def test_a_key_that_is_no_setting_is_warned_of_and_the_rest_counts(text: str, message: str) -> None:
    warnings: list[str] = []
    said = read_text(f"{text}\n[web]\nport = 7\n", source="f", warn=warnings.append)
    assert said["web.port"].value == 7
    (warning,) = warnings
    assert warning.startswith(message)


def test_a_file_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    assert read_file(tmp_path / "none.toml") == {}
    (tmp_path / "file").touch()
    assert read_file(tmp_path / "file" / "below") == {}


def test_a_file_names_itself(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text("[play]\npreset = 'katta'\n")
    with pytest.raises(ConfigError, match=r"c\.toml:2: play.preset is one of "):
        read_file(path)


def test_bytes_that_are_no_text_are_found(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_bytes(b"[bot]\nview = '\xff'\n")
    with pytest.raises(ConfigError, match=r"c\.toml:2: this is not UTF-8 text: byte 0xff"):
        read_file(path)


def test_what_has_no_end_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(ConfigError, match="longer than"):
        read_file(path)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (_pipe, "a named pipe"),
        (_socket, "a socket"),
        (Path.mkdir, "a folder"),
        (lambda path: path.symlink_to("/dev/zero"), "a device"),
    ],
)
def test_only_regular_files_are_opened(make: Callable[[Path], None], what: str, tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    make(path)
    with pytest.raises(ConfigError) as caught:
        read_file(path)
    assert (
        str(caught.value)
        == f"{path}: settings are read from a regular file, and this is {what}: move it away or correct it"
    )


def test_a_link_to_the_null_device_is_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.symlink_to(os.devnull)
    assert read_file(path) == {}


def test_a_pipe_that_was_asked_for_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("[play]\npreset = 'expert'\n",))
    writer.start()
    said = load({"SAPPER_CONFIG": str(path)})
    writer.join()
    assert said.text("play.preset") == "expert"


@given(st.text(alphabet="[]=.\"'\n #abcserverpot{},19", max_size=60))
def test_any_text_is_read_or_refused_with_its_name(text: str) -> None:
    try:
        read_text(text, source="f")
    except ConfigError as error:
        assert str(error).startswith("f:")


def test_the_innermost_table_stands_for_a_key_that_is_not_found() -> None:
    assert line_of("[a]\n[a.b]\n", ("a", "b", "c")) == 2
    assert line_of("", ("a",)) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[server]\nport = " + "9" * 5_000, "f:2: a number here has at most 300 digits"),
        ("[server]\nport = 0x" + "f" * 5_000, "f:2: a number here has at most 300 digits"),
        ("[server]\nport = " + "9" * 200, "f:2: server.port is a whole number from 0 to 65535, not 9"),
        ("[server]\nmax_connections = -" + "9" * 299, "f:2: server.max_connections is a whole number from 1 on, not -9"),
        ("[server]\nidle_timeout = 1e999", "f:2: server.idle_timeout is a number from 1 on, not Infinity"),
        ('[store]\ndatabase = "a\\u0000b"', "f:2: store.database is text; a text cannot contain NUL"),
        ('[server]\nhost = ["a\\u0000b"]', "f:2: server.host is a list of texts; a text cannot contain NUL"),
        (f"{'.'.join('a' * 20_000)} = 1", "f:1: this key has too many parts: settings have three at most"),
        ("[" + ".".join(['"a"'] * 20_000) + "]\nx = 1", "f:1: this key has too many parts"),
        (f"[server]\nx = {{ {'.'.join('a' * 20_000)} = 1 }}", "f:2: this key has too many parts"),
        ("[server]\nport = 2026-02-30", "f:2: not valid TOML: "),
    ],
)  # fmt: skip
def test_what_no_reader_is_given(text: str, message: str) -> None:
    tracemalloc.start()
    with pytest.raises(ConfigError) as caught:
        read_text(text, source="f")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert str(caught.value).startswith(message)
    assert most < 5_000_000


def test_nesting_has_an_end() -> None:
    with pytest.raises(ConfigError):
        read_text("a = " + "[" * 5000, source="f")


def test_dots_in_texts_and_comments_are_no_key() -> None:
    dots = "." * 100
    text = f"# {dots}\n[server] # a{dots}\nhost = ['a{dots}', \"b{dots}\"]\n"
    assert read_text(text, source="f")["server.host"].value == (f"a{dots}", f"b{dots}")


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "sapper.toml"
    path.write_bytes(b"\xef\xbb\xbf[server]\r\nport = 1\r\n")
    assert read_file(path) == {"server.port": Said(1, 2)}
