"""A new game as the web is asked for one: what it may be, read, and checked."""

from sapper.core.preset import PRESETS, find_preset
from sapper.errors import RequestError, SapperError
from sapper.generator.game_code import write_code
from sapper.session.game_request import MOST_NO_GUESS_CELLS, GameRequest, check_request, game_by_code, game_request
from sapper.web.games.bodies import (
    LARGEST_SEED,
    NEW_GAME,
    NewGameBody,
    PageDefaults,
    PageLook,
    PresetData,
    PresetsAnswer,
    SizeLimits,
)
from sapper.web.games.decoding import decode
from sapper.web.games.messages import RulesData
from sapper.web.games.play_policy import PlayPolicy

DEFAULT_PRESET = "beginner"


def read_new_game(content: str | bytes, *, most_cells: int) -> GameRequest:
    """What a body asks for. `RequestError` (`bad-request`) for what is no game, cannot be, or is too large."""
    body = decode(NEW_GAME, content, what="a new game", example='{"preset": "expert"}', code="bad-request")
    try:
        wanted = _of_fields(body) if body.code is None else _of_code(body, body.code)
        check_request(wanted, most_cells)
        # A game that can be named can be saved.
        write_code(wanted.game(0))
    except RequestError:
        raise
    except (SapperError, ValueError) as error:
        raise RequestError("bad-request", str(error)) from None
    return wanted


# --- reading ------------------------------------------------------------------------------------------


def _of_code(body: NewGameBody, code: str) -> GameRequest:
    others = [name for name in body.__struct_fields__ if name != "code" and getattr(body, name) is not None]
    if others:
        raise ValueError(f"a code says everything about its game: give it alone, without {others[0]}")
    return game_by_code(code)


def _of_fields(body: NewGameBody) -> GameRequest:
    preset = find_preset(body.preset or DEFAULT_PRESET)
    width = preset.width if body.width is None else body.width
    height = preset.height if body.height is None else body.height
    return game_request(
        preset, rules=body.rules, size=(width, height), mine_count=body.mine_count, start=body.start, chording=body.chording,
        question_marks=body.question_marks, no_guess=body.no_guess is True, seed=None if body.seed is None else _seed(body.seed),
    )  # fmt: skip


def _seed(value: int | str) -> int:
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) <= 20 else -1
    if not 0 <= value <= LARGEST_SEED:
        raise ValueError(f"seed is a number from 0 to {LARGEST_SEED}, or its digits")
    return value


def presets_data(policy: PlayPolicy, look: PageLook) -> PresetsAnswer:
    """What a new game may be, and what the page has where a player has not chosen."""
    presets = [
        PresetData(
            name=one.name, rules=RulesData.of(one.rules), width=one.width, height=one.height, mine_counts=list(one.mine_counts)
        )
        for one in PRESETS.values()
        if one.grid.size <= policy.cells
    ]  # fmt: skip
    sizes = SizeLimits(
        width=(1, policy.cells),
        height=(1, policy.cells),
        cells=policy.cells,
        no_guess_cells=min(MOST_NO_GUESS_CELLS, policy.cells),
    )
    defaults = PageDefaults(
        preset=DEFAULT_PRESET, advisor=policy.advisor.strategy, keys=look.keys, palette=look.palette, theme=look.theme
    )
    return PresetsAnswer(presets=presets, limits=sizes, defaults=defaults)
