"""`sapper generate`: boards from a seed, uniform or with wanted properties."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import click

from sapper._kernels import child_seed
from sapper.cli.exits import ExitCode
from sapper.cli.options import cell_of, chosen_game, game_options, is_given, json_option, seed_or_random
from sapper.cli.pictures import Picture, picture_option
from sapper.cli.progress import Progress, searching
from sapper.core.board import Board, first_cell
from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.notation import write_board
from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.words import counted
from sapper.errors import LayoutNotFoundError, NoSuchLayoutError, SapperError
from sapper.game.layout import Layout
from sapper.generator.board_file import write_game, write_mbf
from sapper.generator.game_code import CodedGame
from sapper.generator.generate import generate_layout, uniform_layouts
from sapper.generator.layout_spec import ANYTHING, LayoutSpec, Method, Range, chosen_method
from sapper.generator.new_game import LAYOUT_KEY, choose_mine_count
from sapper.generator.no_guess.certificate import Difficulty
from sapper.generator.search_values import Budget, GeneratedLayout, SearchStats
from sapper.generator.uniform import kept_free
from sapper.solver.deduce.step import Technique

_SHOWN = bytes(Tile.MINE if code == 9 else code for code in range(256))


class Generated(NamedTuple):
    """A layout of the command, and the game it was made for."""

    found: GeneratedLayout
    game: CodedGame

    @property
    def layout(self) -> Layout:
        return self.found.layout

    @property
    def layout_game(self) -> CodedGame:
        return replace(self.game, layout=self.layout, seed=None, spec=None)


class Format(NamedTuple):
    """One way to print a layout; `gap` goes between two of them, where there can be two."""

    write: Callable[[Generated], str | bytes]
    gap: str = ""
    holds_many: bool = True


def shown(made: Generated) -> Board:
    layout = made.layout
    return Board(
        grid=layout.grid,
        rules=made.game.rules,
        mine_count=layout.mine_count,
        tiles=layout.clues.translate(_SHOWN),
        status=Status.TERMINATED,
    )


FORMATS: Mapping[str, Format] = {
    "text": Format(lambda made: write_board(shown(made)), "\n"),
    "list": Format(lambda made: write_game(made.layout, made.found.first) + "\n"),
    "mbf": Format(lambda made: write_mbf(made.layout), holds_many=False),
    "code": Format(lambda made: made.game.code + "\n"),
    "layout-code": Format(lambda made: made.layout_game.code + "\n"),
}
"""The formats by their names."""


def board_data(made: Generated, *, with_proof: bool) -> dict[str, Any]:
    from sapper._kernels import values_of
    from sapper.generator.no_guess.certificate import certificate_data

    layout, certificate = made.layout, made.found.certificate
    values = values_of(*layout.grid.table, layout.clues)
    data: dict[str, Any] = {
        "seed": made.game.seed,
        "first": layout.grid.xy(made.found.first),
        "mines": list(layout.mines),
        "3bv": values.bbbv,
        "openings": values.openings,
        "tries": made.found.tries,
        "code": made.game.code,
        "layout_code": made.layout_game.code,
    }
    if certificate is not None:
        data["no_guess"] = {
            "difficulty": certificate.difficulty.word,
            "hardest": None if certificate.hardest is None else certificate.hardest.words,
            "mine_count": certificate.mine_count,
            "steps": {technique.words: count for technique, count in certificate.counts.items()},
        }
        if with_proof:
            data["proof"] = certificate_data(certificate)
    return data


_BATCH = 500

_GRADES = {grade.word: grade for grade in Difficulty}

_EXAMPLES = """\b
Examples:
  sapper generate --preset expert --no-guess --count 100 --seed 7 --format list
  sapper generate --size 30x20 --mines 130 --no-guess --method repair
  sapper generate --preset beginner --bbbv 5-10 --format code
  sapper generate --preset beginner --count 5 --picture 'board-{number}.svg'
"""


def _range_from(names: Mapping[str, int] | None = None) -> Callable[[object], Range]:
    """Reads `A-B`, `A-`, `-B` or `A`; ends are numbers, or names that stand for them."""

    def read(text: object) -> Range:
        least, dash, most = str(text).partition("-")
        ends = [end(part.strip(), text) for part in (least, most if dash else least)]
        if ends == [None, None]:
            raise refused(text)
        if names and ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
            raise click.BadParameter(f"{least.strip()} is harder than {most.strip()}: the easiest comes first")
        return Range(*ends)

    def end(part: str, text: object) -> int | None:
        if not part:
            return None
        if names:
            if part not in names:
                raise refused(text)
            return names[part]
        if not (part.isascii() and part.isdecimal() and len(part) < 10):
            raise refused(text)
        return int(part)

    def refused(text: object) -> click.BadParameter:
        ends = f"names ({', '.join(names)})" if names else "numbers"
        return click.BadParameter(f"a range is A-B, A-, -B or A with {ends}, not {str(text)[:40]!r}")

    return read


@click.command("generate", epilog=_EXAMPLES)
@game_options()
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="How many boards.")
@click.option("--seed", type=int, help="0 to 2^64-1; the same seed is the same boards. A random one if none is given.")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="How to print a board.",
)
@click.option("--no-guess", is_flag=True, help="Only boards that need no guess from the first cell on, with a proof.")
@click.option(
    "--difficulty",
    type=_range_from(_GRADES),
    metavar="EASIEST-HARDEST",
    help=f"Difficulty: {', '.join(_GRADES)}, or easy-hard; implies --no-guess.",
)
@click.option("--method", type=click.Choice([method.value for method in Method]),
              help="How boards without guesses are found; if you give none: rejection, which is unbiased, and on dense boards"
              " repair or pack, which are not.")  # fmt: skip
@click.option("--bbbv", type=_range_from(), metavar="A-B", help="Wanted 3BV.")
@click.option("--openings", type=_range_from(), metavar="A-B", help="Wanted number of openings.")
@click.option("--tries", type=click.IntRange(min=1), help="Limit of tries a board.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.0, 1e9, min_open=True),
    default=60.0,
    show_default=True,
    help="Limit of seconds a board.",
)
@click.option("--proof", is_flag=True, help="With --json: every step of the proof that no guess is needed.")
@json_option
@picture_option("Draw each board into this file, .svg or .png; {number} in the name becomes its number.")
def command(**options: Any) -> ExitCode:
    """Make boards from a seed: uniform under a start rule, or with properties that you ask for.

    Exit codes: 1 no such board exists, 2 impossible settings, 3 none was found within the limits.
    """
    if options["proof"] and not options["as_json"]:
        raise click.UsageError("--proof needs --json")
    is_said = is_given("form")
    if is_said and options["as_json"]:
        raise click.UsageError(f"--format {options['form']} and --json: give one of them")
    series = _LayoutSeries(options)
    options["picture"].check(series.spec.grid, needed=("number",) if series.count > 1 else ())
    form = FORMATS[options["form"]]
    if series.count > 1 and not form.holds_many:
        raise click.UsageError(f"--format {options['form']} holds one board; leave out --count")
    # On a terminal the boards themselves show how far it is.
    total = 0 if sys.stdout.isatty() and not options["as_json"] else series.count
    with Progress(total, sys.stderr, "boards") as bar:
        return _print(series, bar, form, options)


def _print(series: "_LayoutSeries", bar: Progress, form: Format, options: dict[str, Any]) -> ExitCode:
    picture: Picture = options["picture"]
    made: list[Generated] = []
    trouble: SapperError | None = None
    sums = _Counted()
    try:
        for one in bar.of(series.boards(sums)):
            if options["as_json"]:
                made.append(one)
            else:
                if sums.boards:
                    click.echo(form.gap, nl=False)
                click.echo(form.write(one), nl=False)
            sums.add(one)
            if picture.file is not None:
                picture.draw(shown(one), numbers={"number": sums.boards}, last_move=one.found.first)
    except (LayoutNotFoundError, NoSuchLayoutError) as error:
        trouble = error
    if options["as_json"]:
        document = series.data() | sums.data()
        document["boards"] = [board_data(one, with_proof=options["proof"]) for one in made]
        document["error"] = None if trouble is None else str(trouble)
        click.echo(json.dumps(document))
    elif sums.boards:
        click.echo(sums.told(series), err=True)
    if trouble is not None:
        raise trouble
    return ExitCode.DONE


class _Counted:
    """What came of it so far."""

    def __init__(self) -> None:
        self.boards = 0
        self.stats = SearchStats()
        self.grades: Counter[Difficulty] = Counter()

    def add(self, one: Generated) -> None:
        self.boards += 1
        if one.found.certificate is not None:
            self.grades[one.found.certificate.difficulty] += 1

    @property
    def one_in(self) -> float | None:
        return self.stats.tried / self.boards if self.boards and self.stats.tried else None

    def data(self) -> dict[str, Any]:
        return {
            "found": self.boards,
            "tries": self.stats.tried,
            "too_hard": self.stats.hard,
            "tries_per_board": self.one_in,
            "difficulties": {grade.word: self.grades[grade] for grade in sorted(self.grades)},
        }

    def told(self, series: "_LayoutSeries") -> str:
        words = [f"{counted(self.boards, 'board')} from seed {series.seed}"]
        words.append(f"first cell {cell_name(series.spec.grid, series.spec.first)}")
        if series.spec.no_guess:
            words.append(f"method {series.spec.method.value}")
        if self.one_in is not None:
            words.append(
                f"one in {self.one_in:.3g} tries has {series.spec.properties}"
                if self.one_in > 1
                else "at the first try"
            )
        words += [f"{self.grades[grade]} {grade.word}" for grade in sorted(self.grades)]
        return "; ".join(words)


class _LayoutSeries:
    """The boards to be made."""

    def __init__(self, options: dict[str, Any]) -> None:
        """The series that the options describe, or the error of what cannot be."""
        self.preset = chosen_game(options["preset"], options)
        self.count: int = options["count"]
        self._tries: int | None = options["tries"]
        self._seconds: float = options["seconds"]
        grid, start = self.preset.grid, self.preset.rules.start
        first = first_cell(grid, start) if options["first"] is None else cell_of(grid, options["first"])
        difficulty = options["difficulty"] or ANYTHING
        no_guess = options["no_guess"] or difficulty != ANYTHING
        specs = [
            LayoutSpec(
                grid=grid,
                mine_count=mines,
                start=start,
                first=first,
                bbbv=options["bbbv"] or ANYTHING,
                openings=options["openings"] or ANYTHING,
                no_guess=no_guess,
                up_to=Technique.CASES,
                difficulty=difficulty,
                method=_method(options["method"], grid, mines, start, first, no_guess=no_guess),
            )
            for mines in self.preset.mine_counts
        ]
        self.spec = specs[0]
        """With the first mine count of the preset."""
        self._is_plain = self.spec.properties == "anything"
        self.seed = Rng(seed_or_random(options["seed"])).seed  # one that cannot be is said before anything is printed

    def boards(self, sums: _Counted) -> Iterator[Generated]:
        at_once = _BATCH if self._is_plain and len(self.preset.mine_counts) == 1 else 1
        for begin in range(0, self.count, at_once):
            seed = child_seed(self.seed, begin)
            spec = replace(self.spec, mine_count=choose_mine_count(self.preset, seed))
            if not self._is_plain:
                budget = Budget(tries=self._tries, go_on=searching(self._seconds, lambda: sums.stats.tried))
                found = generate_layout(spec, child_seed(seed, LAYOUT_KEY), budget=budget, stats=sums.stats)
                yield self._made(begin, spec, found)
                continue
            layouts = uniform_layouts(spec, self.seed, begin, min(at_once, self.count - begin))
            for number, layout in enumerate(layouts, begin):
                found = GeneratedLayout(layout=layout, first=spec.first, certificate=None, tries=1)
                yield self._made(number, spec, found)

    def _made(self, number: int, spec: LayoutSpec, found: GeneratedLayout) -> Generated:
        game = CodedGame(
            rules=self.preset.rules,
            grid=spec.grid,
            mine_count=spec.mine_count,
            first=spec.first,
            seed=child_seed(self.seed, number),
            spec=None if self._is_plain else spec,
        )
        return Generated(found, game)

    def data(self) -> dict[str, Any]:
        spec = self.spec
        return {
            "preset": self.preset.name,
            "rules": self.preset.rules.name,
            "width": spec.grid.width,
            "height": spec.grid.height,
            "start": spec.start.value,
            "first": spec.grid.xy(spec.first),
            "wanted": spec.properties,
            "method": spec.method.value if spec.no_guess else None,
            "seed": self.seed,
            "count": self.count,
        }


def _method(name: str | None, grid: Grid, mine_count: int, start: Start, first: Cell, *, no_guess: bool) -> Method:
    if name is not None:
        return Method(name)
    is_possible = no_guess and mine_count <= grid.size - len(kept_free(grid, start, grid.check(first)))
    return chosen_method(grid, mine_count, start, first) if is_possible else Method.REJECTION
