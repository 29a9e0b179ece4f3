"""One transcript for each registered rule set, played again and compared (scripts/playthroughs.py writes them)."""

import pytest

from sapper.core.rules import RULES, Rules
from scripts.playthroughs import FOLDER, playthrough


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_playthrough_is_played_as_it_is_written(rules: Rules) -> None:
    path = FOLDER / f"{rules.name}.txt"
    assert path.is_file(), f"rules {rules.name!r} have no playthrough: run scripts/playthroughs.py --write"
    assert playthrough(rules) == path.read_text(encoding="utf-8")


def test_every_playthrough_is_of_registered_rules() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(RULES)
