"""The commands there are: the one table that `sapper --help` is printed from.

A new command is a file `cli/<name>.py` whose `command` is a `click.Command`, and a line here.
The callback returns None when it is done, or another `ExitCode`; an error is simply raised.

Knows: each command's name, its line of help, the module it lives in.
Does not know: what commands do; it imports none of them.
"""

from typing import NamedTuple


class Entry(NamedTuple):
    """A command of the table; `module` is imported only when the command runs."""

    summary: str
    module: str


COMMANDS: dict[str, Entry] = {
    "play": Entry("play in this terminal with mouse or keys; --lines for screen readers", "sapper.cli.play"),
    "bot": Entry("watch a bot play a game, move by move", "sapper.cli.bot"),
    "kata": Entry("run the scenarios of the kata's documents", "sapper.cli.kata"),
    "analyse": Entry("exact mine probability of each covered cell, and the chance to win", "sapper.cli.analyse"),
    "hint": Entry("the next step on a board and its reason", "sapper.cli.hint"),
    "generate": Entry("make boards from a seed: uniform, without guesses, by difficulty", "sapper.cli.generate"),
    "metrics": Entry("3BV, openings, islands and ZiNi of the layouts in a file", "sapper.cli.metrics"),
    "simulate": Entry("win rate of a strategy over many games, with a confidence interval", "sapper.cli.simulate"),
    "merge": Entry("join the parts of a simulation from several machines", "sapper.cli.merge"),
    "cluster": Entry("run a Dask cluster on this machine, to try --cluster", "sapper.cli.cluster"),
    "dataset": Entry("write training data: positions with exact chances and best moves", "sapper.cli.dataset"),
    "benchmark": Entry("score a strategy on fixed board sets", "sapper.cli.benchmark"),
    "strategy": Entry("write a file to start a strategy of your own from", "sapper.cli.strategy"),
    "plot": Entry("plot win rates of strategies or the 3BV of layouts", "sapper.cli.plot"),
    "replay": Entry("play back a recorded game; measure a folder of recordings", "sapper.cli.replay"),
    "review": Entry("judge a recorded game move by move", "sapper.cli.review"),
    "config": Entry("list settings, their values and origins; change them", "sapper.cli.config"),
    "stats": Entry("statistics: games won, streaks, times", "sapper.cli.stats"),
    "store": Entry("manage the database of games: back up, export, import, delete a player", "sapper.cli.store"),
    "doctor": Entry("show versions and what is missing", "sapper.cli.doctor"),
    "serve": Entry("run the game server", "sapper.cli.serve"),
    "connect": Entry("play on a game server, in this terminal", "sapper.cli.connect"),
    "completion": Entry("print a completion script for bash, zsh or fish", "sapper.cli.completion"),
    "web": Entry("run the web game, for yourself or for others", "sapper.cli.web"),
}

DEFAULT = "bot"
"""What `sapper` alone does."""
