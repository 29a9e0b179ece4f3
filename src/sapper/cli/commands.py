"""The commands there are: the one table that `sapper --help` is printed from.

A new command is a file `cli/<name>.py` whose `command` is a `click.Command`, and a line in a group here.
The callback returns None when it is done, or another `ExitCode`; an error is simply raised.
"""

from typing import NamedTuple


class Entry(NamedTuple):
    """A command of the table; `module` is imported only when the command runs."""

    summary: str
    module: str


GROUPS: dict[str, dict[str, Entry]] = {
    "Play": {
        "play": Entry("play in this terminal with mouse or keys; --lines for screen readers", "sapper.cli.play"),
        "web": Entry("run the web game, for yourself or for others", "sapper.cli.web"),
        "connect": Entry("play on a game server, in this terminal", "sapper.cli.connect"),
        "bot": Entry("watch a bot play: each move and its reason, or the board redrawn (--watch)", "sapper.cli.bot"),
    },
    "Solve": {
        "analyse": Entry("exact mine probability of each covered cell, and the chance to win", "sapper.cli.analyse"),
        "hint": Entry("the next step on a board and its reason", "sapper.cli.hint"),
    },
    "Make": {
        "generate": Entry("make boards from a seed: uniform, without guesses, by difficulty", "sapper.cli.generate"),
        "metrics": Entry("3BV, openings, islands and ZiNi of the layouts in a file", "sapper.cli.metrics"),
    },
    "Study": {
        "replay": Entry("play back a recorded game; measure a folder of recordings", "sapper.cli.replay"),
        "review": Entry("judge a recorded game move by move", "sapper.cli.review"),
        "stats": Entry("statistics: games won, streaks, times", "sapper.cli.stats"),
    },
    "Research": {
        "simulate": Entry("win rate of a strategy over many games; benchmark it, plot results", "sapper.cli.simulate"),
        "strategy": Entry("write a file to start a strategy of your own from", "sapper.cli.strategy"),
        "dataset": Entry("write training data: positions with exact chances and best moves", "sapper.cli.dataset"),
        "kata": Entry("run the scenarios of the kata's documents", "sapper.cli.kata"),
    },
    "Serve and set up": {
        "serve": Entry("run the game server", "sapper.cli.serve"),
        "store": Entry("manage the database of games: back up, export, import, delete a player", "sapper.cli.store"),
        "config": Entry("list settings, their values and origins; change them", "sapper.cli.config"),
        "doctor": Entry("show versions and what is missing", "sapper.cli.doctor"),
        "completion": Entry("print a completion script for bash, zsh or fish", "sapper.cli.completion"),
    },
}
"""The commands as `sapper --help` lists them."""

COMMANDS: dict[str, Entry] = {name: entry for group in GROUPS.values() for name, entry in group.items()}

ALONE = ("bot", "--watch")
"""What `sapper` alone does."""
