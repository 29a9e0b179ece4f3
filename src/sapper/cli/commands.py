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
    "play": Entry("a game on this terminal, with mouse or keys; --lines speaks it", "sapper.cli.play"),
    "bot": Entry("watch the bot play: every move, until victory or game over", "sapper.cli.bot"),
    "kata": Entry("run the scenarios and UATs in the kata's documents, red or green", "sapper.cli.kata"),
    "analyse": Entry("how likely each covered cell of a board is to be a mine, exactly", "sapper.cli.analyse"),
    "hint": Entry("the next step on a board, and why", "sapper.cli.hint"),
    "generate": Entry("boards from a seed: uniform, without guesses, as hard as you like", "sapper.cli.generate"),
    "metrics": Entry("3BV, openings, islands, ZiNi of the layouts in a file", "sapper.cli.metrics"),
    "simulate": Entry(
        "many games of one strategy: how often it wins, with a confidence interval", "sapper.cli.simulate"
    ),
    "merge": Entry("the parts of a simulation that several machines have played, joined", "sapper.cli.merge"),
    "cluster": Entry("processes on this machine that simulate together, to try a cluster", "sapper.cli.cluster"),
    "dataset": Entry("positions with exact chances and best moves, in files to learn from", "sapper.cli.dataset"),
    "benchmark": Entry("a strategy scored on fixed board sets, beside sapper's own", "sapper.cli.benchmark"),
    "strategy": Entry("a file with a strategy of your own to start from", "sapper.cli.strategy"),
    "plot": Entry("win rates of strategies, or the 3BV of layouts, as a picture", "sapper.cli.plot"),
    "replay": Entry(
        "play a recorded game back, of this or another program; measure a folder of them", "sapper.cli.replay"
    ),
    "review": Entry("a recorded game judged move by move: certain, risky, lucky, mistaken", "sapper.cli.review"),
    "config": Entry("each setting, its value and where it comes from; and to set it", "sapper.cli.config"),
    "stats": Entry("what was played and how well: games won, streaks, times", "sapper.cli.stats"),
    "store": Entry("where games are recorded: export, import, delete a player", "sapper.cli.store"),
    "doctor": Entry("versions, what plays the games, what is missing and what it costs", "sapper.cli.doctor"),
    "serve": Entry("serve games to players who connect over the network", "sapper.cli.serve"),
    "connect": Entry("play on a server, in this terminal", "sapper.cli.connect"),
    "conform": Entry("whether any client or server keeps the network protocol", "sapper.cli.conform"),
    "completion": Entry("what makes bash, zsh or fish complete all this", "sapper.cli.completion"),
    "web": Entry("the web game: a page on this machine, or a server for many", "sapper.cli.web"),
}

DEFAULT = "bot"
"""What `sapper` alone does."""
