"""A file is changed in one place, and stays as it is elsewhere."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from sapper.config.configuration import read_file
from sapper.config.editing import set_value, unset
from sapper.config.setting import Setting
from sapper.config.settings import SETTINGS
from sapper.errors import ConfigError

COMMENTED = """\
# my server
[server]   # in the cellar
port = 9999  # as ever

# who may come
host = ["0.0.0.0"]

[client.keys]
mark = ["m"]
"""


def test_comments_and_order_stay(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(COMMENTED)
    set_value(path, "server.port", 1)
    assert path.read_text() == COMMENTED.replace("9999", "1")
    assert unset(path, "server.port")
    assert path.read_text() == COMMENTED.replace("port = 9999  # as ever\n", "")


def test_a_file_and_its_tables_are_made(tmp_path: Path) -> None:
    path = tmp_path / "deep/below/c.toml"
    set_value(path, "client.keys", {"mark": ("m",)})
    set_value(path, "client.keys", {"mark": ("m", "space")})
    set_value(path, "client.port", 1)
    set_value(path, "server.idle_timeout", 2)
    assert read_file(path) == {"client.keys": {"mark": ("m", "space")}, "client.port": 1, "server.idle_timeout": 2.0}
    assert [file.name for file in path.parent.iterdir()] == ["c.toml"]


@given(st.permutations(list(SETTINGS.values())))
def test_all_settings_in_any_order_and_out_again(order: list[Setting]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.toml"
        for setting in order[:6]:
            set_value(path, setting.key, setting.default)
        assert read_file(path) == {one.key: one.default for one in order[:6]}
        for setting in order[:6]:
            assert unset(path, setting.key)
            assert not unset(path, setting.key)
        assert read_file(path) == {}


def test_what_cannot_be_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    with pytest.raises(ConfigError, match="whole number"):
        set_value(path, "server.port", "many")
    with pytest.raises(ConfigError, match="no setting"):
        set_value(path, "server.prot", 1)
    assert not path.exists()


@pytest.mark.parametrize(
    ("text", "message"), [("[server\n", "c.toml: not valid TOML"), ("server = 1\n", "a value there")]
)
def test_a_broken_file_is_left_alone(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        set_value(path, "server.port", 1)
    assert path.read_text() == text
    path.write_bytes(b"\xff")
    with pytest.raises(ConfigError, match="UTF-8"):
        unset(path, "server.port")


def test_a_place_that_cannot_be_written_is_named_as_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / ".sapper-x"))

    monkeypatch.setattr("tempfile.mkstemp", full)  # root may write everywhere
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PermissionError) as told:
        set_value(Path("sapper.toml"), "server.port", 1)
    assert told.value.filename == "sapper.toml"


def test_a_wrong_key_can_be_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text("[server]\nprot = 1\n")
    assert unset(path, "server.prot")
    assert not unset(path, "no.such.table")
    assert read_file(path) == {}


def test_a_link_stays_a_link_and_the_mode_stays(tmp_path: Path) -> None:
    real, link = tmp_path / "real.toml", tmp_path / "link.toml"
    real.write_text("")
    real.chmod(0o600)
    link.symlink_to(real)
    set_value(link, "server.port", 1)
    assert link.is_symlink()
    assert read_file(real)["server.port"] == 1
    assert real.stat().st_mode & 0o777 == 0o600


def test_when_it_cannot_be_written_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device", str(target))

    path = tmp_path / "c.toml"
    path.write_text("# mine\n")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        set_value(path, "server.port", 1)
    assert path.read_text() == "# mine\n"
    assert [file.name for file in tmp_path.iterdir()] == ["c.toml"]


def test_a_byte_order_mark_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "sapper.toml"
    path.write_bytes(b"\xef\xbb\xbf[server]\nport = 1\n")
    set_value(path, "server.port", 2)
    assert path.read_text() == "[server]\nport = 2\n"
