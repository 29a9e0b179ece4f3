"""Parts of a run: joined they are the whole; killed they go on."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main

RUN = ["--preset", "beginner", "--seed", "5", "--backend", "reference", "--games"]
TIMES = ("seconds", "ready_seconds", "games_per_second", "workers")


def _said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == ExitCode.DONE, capsys.readouterr()
    return capsys.readouterr().out


def _without_times(text: str) -> Any:
    return json.loads(text, object_pairs_hook=lambda pairs: {key: value for key, value in pairs if key not in TIMES})


@pytest.mark.parametrize("strategies", [["single"], ["single", "random"]])
def test_parts_joined_are_the_whole(strategies: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = ["simulate", *RUN, "50", "--json", *[word for name in strategies for word in ("--strategy", name)]]
    whole = _said(capsys, *run)
    names = []
    for number in (3, 1, 2):
        names.append(str(tmp_path / f"{number}.json"))
        Path(names[-1]).write_text(_said(capsys, *run, "--shard", f"{number}/3"))
    assert _without_times(_said(capsys, "simulate", "merge", "--json", *names)) == _without_times(whole)
    assert f"{json.loads(whole).get('games', 50)}" in _said(capsys, "simulate", "merge", *names)


def test_parts_that_do_not_fit_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def write(name: str, *words: str) -> str:
        path = tmp_path / name
        path.write_text(_said(capsys, "simulate", "--strategy", "random", "--json", *words))
        return str(path)

    first, second = (write(str(number), *RUN, "9", "--shard", f"{number}/3") for number in (1, 2))
    other = write("other", *RUN, "9", "--rules", "classic", "--shard", "3/3")
    quarter = write("quarter", *RUN, "9", "--shard", "3/4")
    whole = write("whole", *RUN, "9")
    broken = tmp_path / "broken"
    document = json.loads(Path(second).read_text())
    broken.write_text(json.dumps(document | {"games": 2, "interrupted": True}))
    (tmp_path / "list").write_text("[]")
    for files, why in (
        ([first, second], "missing: part 3/3"),
        ([first, first], "part 1/3 is given twice"),
        ([first, other], 'parts of two runs: rules "modern"'),
        ([first, quarter], "of how many?"),
        ([whole], "is a whole run"),
        ([first, str(broken)], "stopped after 2 of 3 games of random"),
        ([str(tmp_path / "list")], "is not what sapper simulate"),
    ):
        assert main(["simulate", "merge", *files]) == ExitCode.USAGE
        out, err = capsys.readouterr()
        assert out == ""
        assert why in err
    assert main(["simulate", "--preset", "kata", "--shard", "1/2"]) == ExitCode.USAGE
    assert "--shard needs --seed" in capsys.readouterr().err
    for text in ("0/2", "3/2", "1", "x/2"):
        assert main(["simulate", "--preset", "kata", "--seed", "1", "--shard", text]) == ExitCode.USAGE
        assert "a part is K/N" in capsys.readouterr().err
    assert main(["simulate", *RUN, "2", "--shard", "1/3"]) == ExitCode.USAGE
    assert "2 games cannot make 3 parts" in capsys.readouterr().err


def test_a_killed_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, games = tmp_path / "run", tmp_path / "games.csv"
    more = f"800 --strategy least-risk --json --resume {kept} --per-game {games}"
    run = ["simulate", *RUN, *more.split()]
    process = subprocess.Popen([sys.executable, "-m", "sapper", *run], stdout=subprocess.DEVNULL)
    while process.poll() is None and (not kept.exists() or kept.read_bytes().count(b"\n") < 3):
        time.sleep(0.02)
    process.kill()
    process.wait()
    before = kept.read_bytes()
    assert before.count(b"\n") >= 3
    found = _said(capsys, *[word for word in run if word not in ("--seed", "5")])  # the seed is the file's
    assert kept.read_bytes().startswith(before[: before.rindex(b"\n") + 1])
    table = games.read_text()
    whole = _said(capsys, *[word for word in run if word not in ("--resume", str(kept))])
    assert _without_times(found) == _without_times(whole)
    assert games.read_text() == table
    size = kept.stat().st_size
    assert _without_times(_said(capsys, *run)) == _without_times(whole)  # nothing is left to play
    assert kept.stat().st_size == size
    assert main(["simulate", *RUN, "700", "--strategy", "least-risk", "--resume", str(kept)]) == ExitCode.USAGE
    assert "its games is 800, this one's 700" in capsys.readouterr().err
