"""A game and its kind have one title."""

from sapper.core.grid import Grid
from sapper.core.rules import RULES, find_rules
from sapper.generator.game_code import CodedGame
from sapper.session.kinds import kind_of, title_of, title_of_kind
from sapper.store.models import GameKind


def test_kinds_have_titles() -> None:
    modern = RULES["modern"]
    kind = GameKind(rules=modern, width=5, height=4, mine_count=1)
    assert title_of_kind(kind) == "5×4, 1 mine"
    assert (
        title_of_kind(GameKind(rules=modern, width=30, height=16, mine_count=99, no_guess=True)) == "Expert, no guess"
    )
    for rules, grid, mines in ((modern, Grid(30, 16), 99), (find_rules("classic"), Grid(12, 7), 20)):
        game = CodedGame(rules=rules, grid=grid, mine_count=mines)
        assert title_of(game) == title_of_kind(kind_of(game))
