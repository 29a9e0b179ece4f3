"""One transcript for each registered rule set, played again and compared (scripts/playthroughs.py writes them)."""

from pathlib import Path

import pytest

from sapper.core.rules import RULES, Rules
from scripts.playthroughs import FOLDER, main, playthrough


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_playthrough_is_played_as_it_is_written(rules: Rules) -> None:
    path = FOLDER / f"{rules.name}.txt"
    assert path.is_file(), f"rules {rules.name!r} have no playthrough: run scripts/playthroughs.py --write"
    assert playthrough(rules) == path.read_text(encoding="utf-8")


def test_every_playthrough_is_of_registered_rules() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(RULES)


@pytest.mark.parametrize("word", ["reveal", "flag", "unflag", "question", "won", "lost"])
def test_each_playthrough_shows_the_usual_moves_and_ends(word: str) -> None:
    for path in FOLDER.iterdir():
        text = path.read_text(encoding="utf-8")
        assert f"\n{word} (" in text or f", {word}\n" in text, path.name


def test_the_rest_is_in_some() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert any("\nunquestion (" in text for text in texts.values())
    assert any("\nterminate: " in text for text in texts.values())
    assert {name for name, text in texts.items() if "\nchord (" in text} == {
        name for name, rules in RULES.items() if rules.chording
    }


def test_the_script_says_what_differs_and_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("scripts.playthroughs.FOLDER", tmp_path)
    assert main([]) == 1
    assert capsys.readouterr().err.splitlines() == [f"differs: {name}.txt" for name in RULES]
    assert main(["--write"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"written: {name}.txt" for name in RULES]
    assert main([]) == 0
    assert capsys.readouterr().out == ""
