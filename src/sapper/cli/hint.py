"""`sapper hint`: the next step on a board and its reason, in words."""

from typing import Any

import click

from sapper.cli.analyse import BOARD_HELP, board_from, board_options, contradiction, dumped, win_data
from sapper.cli.exits import ExitCode
from sapper.cli.pictures import Picture
from sapper.cli.progress import say_without_native
from sapper.config.configuration import load
from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.errors import ContradictionError
from sapper.solver.deduce.explain import all_steps, next_step
from sapper.solver.deduce.step import Step, Technique


@click.command(
    "hint",
    epilog="""\b
    Examples:
      printf '3x2/2\\n121\\n###\\n' | sapper hint
      sapper hint board.txt --all --picture steps.svg""",
    help=f"""Print the next step on a board and its reason.

    The last line is the step that shows a safe cell; lines before it are the steps it builds on. If no cell is safe, a
    guess is all that is left, and the hint says so.

    {BOARD_HELP}

    Exit codes: 1 no layout fits the board, 3 it takes too much work to find out whether a cell is safe.""",
)
@board_options
@click.option("--all", "everything", is_flag=True, help="Print every possible step, easiest first.")
def command(
    file: str, mines: int | None, trust_flags: bool, everything: bool, as_json: bool, picture: Picture
) -> ExitCode:
    board = board_from(file, mines)
    picture.check(board.grid)
    find = all_steps if everything else next_step
    try:
        steps = find(board, trust_flags=trust_flags, advisor=load().advisor)
    except ContradictionError as error:
        picture.draw_contradiction(board, error)
        if as_json:
            click.echo(dumped(document(board, ()) | {"may_guess": None, "error": contradiction(board, error)}))
        raise
    if any(step.chance is not None and step.chance.win is None for step in steps):
        say_without_native()
    if picture.file is not None:
        from sapper.render.svg import ShownStep

        shown = [ShownStep(clues=step.clues, safe=step.safe, mined=step.mined, best=step.best) for step in steps]
        picture.draw(board, steps=shown)
    if as_json:
        click.echo(dumped(document(board, steps)))
    else:
        for step in steps:
            click.echo(f"{step.technique.words}: {step.sentence}." if everything else f"{step.sentence}.")
        click.echo(_verdict(board, steps))
    return ExitCode.LIMIT if _may_guess(steps) is None else ExitCode.DONE


def document(board: Board, steps: tuple[Step, ...]) -> dict[str, Any]:
    """The steps, and whether a guess is all that is left (null if that is not known)."""
    return {
        "width": board.grid.width,
        "height": board.grid.height,
        "mine_count": board.mine_count,
        "may_guess": _may_guess(steps),
        "steps": [_step(board, step) for step in steps],
    }


def _step(board: Board, step: Step) -> dict[str, Any]:
    def places(cells: CellSet) -> list[tuple[int, int]]:
        return [board.grid.xy(cell) for cell in cells]

    return {
        "technique": step.technique.words,
        "pattern": step.pattern,
        "why": step.sentence,
        "clues": [board.grid.xy(clue) for clue in step.clues],
        "safe": places(step.safe),
        "mined": places(step.mined),
        "wrong_flags": places(step.wrong_flags),
        "known_safe": places(step.known_safe),
        "known_mines": places(step.known_mines),
        "mine_count": step.mine_count,
        "best": None if step.best is None else board.grid.xy(step.best),
        "risk": step.risk,
        **_win(step),
    }


def _win(step: Step) -> dict[str, Any]:
    """The chance to win after a guess; null for other steps, and where it is not known."""
    best = None if step.chance is None else step.chance.best
    return dict.fromkeys(("win", "win_low", "win_high", "exact")) if best is None else win_data(best)


def _may_guess(steps: tuple[Step, ...]) -> bool | None:
    """Whether no cell is safe; None if that took too much work to find out."""
    last = steps[-1] if steps else None
    if last is None or last.technique is not Technique.GUESS:
        return False
    return None if last.risk is None else True


def _verdict(board: Board, steps: tuple[Step, ...]) -> str:
    if board.status.ended:
        return f"The game is {board.status.value}: there is nothing to do."
    if not steps or not any(step.safe or step.best is not None for step in steps):
        return "No covered cell can be safe: there is nothing to reveal."
    match _may_guess(steps):
        case True:
            return "You may guess: nothing is certain to be safe."
        case False:
            return "No need to guess."
        case None:
            return "It is unknown whether you have to guess: the board takes too much work to analyse."
