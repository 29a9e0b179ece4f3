"""`sapper analyse`: how many layouts fit a board, how likely each covered cell is to be a mine, the chance to win."""

from typing import TYPE_CHECKING, NoReturn

import click

from sapper.cli.board_input import BOARD_HELP, board_from, board_options
from sapper.cli.pictures import Picture
from sapper.config.configuration import load
from sapper.errors import ContradictionError, TooHardError
from sapper.solver.analysis import DEFAULT_CAP, PartialAnalysis, analyse

if TYPE_CHECKING:
    from sapper.solver.win import WinChance


@click.command(
    "analyse",
    epilog="""\b
    Examples:
      printf '3x2/2\\n121\\n###\\n' | sapper analyse --json
      sapper analyse board.txt --picture board.svg""",
    help=f"""Say how many layouts fit a board, how likely each covered cell is to be a mine, and the chance to win.

    The first two are exact. So is the chance to win where few layouts are left; else it is an estimate, between bounds
    that hold. The best cell is the one that wins most, which need not be the one that risks least.

    {BOARD_HELP}

    Exit codes: 1 no layout fits the board, 3 the board is too hard for the cap.""",
)
@board_options
@click.option(
    "--cap", type=click.IntRange(min=1), metavar="N", default=DEFAULT_CAP, show_default=True,
    help="Limit of states; more take more time and memory.",
)  # fmt: skip
def command(file: str, mines: int | None, trust_flags: bool, cap: int, as_json: bool, picture: Picture) -> None:
    """Read a board, analyse it and print the result."""
    board = board_from(file, mines)
    picture.check(board.grid)
    try:
        analysis = analyse(board, trust_flags=trust_flags, cap=cap)
    except ContradictionError as error:
        picture.draw_contradiction(board, error)
        if as_json:
            from sapper.cli.analysis_json import contradiction_document, dumped

            click.echo(dumped(contradiction_document(board, error)))
        raise
    except TooHardError as error:
        if isinstance(error.partial, PartialAnalysis):
            picture.draw(board, safe=error.partial.safe, mined=error.partial.mined)
        _tell_part(error, as_json)
    from sapper.solver.win import win_chance_of

    chance = load().advisor.advised(win_chance_of(analysis))
    _draw(chance, picture)
    _tell(chance, as_json)


def _draw(chance: "WinChance", picture: Picture) -> None:
    if picture.file is None:
        return
    from sapper.render.svg import Overlay
    from sapper.solver.advice import best_reveal

    analysis = chance.analysis
    best = best_reveal(chance)
    overlays = {} if best is None else {best[0]: Overlay.BEST}
    picture.draw(analysis.board, heat=analysis.risks(), safe=analysis.safe, mined=analysis.mined, overlays=overlays)


def _tell(chance: "WinChance", as_json: bool) -> None:
    from sapper.dataset.exact_value import exact_value_of

    whole = exact_value_of(chance.board)
    if as_json:
        from sapper.cli.analysis_json import document, dumped, whole_game

        more = {} if whole is None else {"whole_game": whole_game(chance.board, whole)}
        click.echo(dumped(document(chance) | more))
    else:
        from sapper.cli.analysis_text import report, whole_game_line

        click.echo(report(chance), nl=False)
        if whole is not None:
            click.echo(whole_game_line(chance.board, whole))


def _tell_part(error: TooHardError, as_json: bool) -> NoReturn:
    partial = error.partial
    assert isinstance(partial, PartialAnalysis)
    if as_json:
        from sapper.cli.analysis_json import dumped, partial_document

        click.echo(dumped(partial_document(partial, error)))
    else:
        from sapper.cli.analysis_text import partial_report

        click.echo(partial_report(partial), nl=False)
    raise TooHardError(
        f"the board takes more than {error.cap:,} states to analyse exactly, which is the cap; raise it with --cap {10 * error.cap}",
        cap=error.cap,
        partial=partial,
    ) from None
