"""Games as moving pictures."""

import json
from pathlib import Path

import pytest
from PIL import Image

from sapper.cli.animation import moments
from sapper.cli.main import main
from sapper.replay.frames import LONGEST_WAIT, Frames
from sapper.replay.rawvf import write_rawvf
from sapper.replay.replaying import replay
from tests.recordings import click, flag, recording, some_game, write_avf


def test_moves_that_follow_too_quickly_share_a_picture() -> None:
    events = [*click(0, 2, 2), *click(500, 0, 0), *click(505, 6, 0), *click(2_000, 7, 7)]
    frames = Frames(replay(recording(events)).record)
    longest = round(1000 * LONGEST_WAIT)
    assert moments(frames, 1.0) == [(1, 500), (3, 1500), (4, longest)]
    assert moments(frames, 2.0) == [(1, 250), (3, 750), (4, longest)]
    record = frames.record
    untimed = Frames(type(record).from_json(json.dumps(json.loads(record.to_json()) | {"played": [
        [0, *rest] for _, *rest in json.loads(record.to_json())["played"]
    ]})))  # fmt: skip
    assert moments(untimed, 2.0) == [(number, 100) for number in range(4)] + [(4, longest)]


@pytest.mark.parametrize("ending", ["apng", "gif"])
def test_a_game_becomes_a_moving_picture(tmp_path: Path, ending: str) -> None:
    game, path = tmp_path / "game.avf", tmp_path / f"game.{ending}"
    game.write_bytes(write_avf(some_game()))
    assert main(["replay", str(game), "--save", str(path)]) == 0
    shown = moments(Frames(replay(some_game()).record), 1.0)
    seen = []
    with Image.open(path) as image:
        assert getattr(image, "n_frames", 1) == len(shown) > 2
        for number, (_, milliseconds) in enumerate(shown):
            image.seek(number)
            # GIF counts in hundredths.
            assert abs(image.info["duration"] - milliseconds) < (10 if ending == "gif" else 1)
            seen.append(image.convert("RGB").tobytes())
    assert len(set(seen)) == len(shown)


def test_cells_are_as_large_as_the_length_allows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, path = tmp_path / "game.rawvf", tmp_path / "game.gif"
    flags = [event for number in range(30) for event in flag(100 * number, 0, 0)]
    game.write_text(write_rawvf(recording([*click(0, 2, 2), *flags])))
    shown = len(moments(Frames(replay(recording([*click(0, 2, 2), *flags])).record), 1.0))
    monkeypatch.setattr("sapper.plots.animation.MOST_PIXELS", shown * 12 * 12 * 5**2)
    assert main(["replay", str(game), "--save", str(path)]) == 0
    with Image.open(path) as image:
        assert max(image.size) <= 12 * 5
    monkeypatch.setattr("sapper.plots.animation.MOST_PIXELS", shown * 12 * 12 * 3**2)
    assert main(["replay", str(game), "--save", str(path)]) == 2
    assert "pictures of this game are too many: raise --speed" in capsys.readouterr().err
