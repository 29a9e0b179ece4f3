"""The strategy Example, to start from. It runs as it is:

    sapper bot --strategy example.py --preset beginner
    sapper simulate --strategy example.py --strategy least-risk --preset beginner --games 1000 --seed 1
    sapper simulate --strategy example.py --preset beginner --games 1000 --seed 1 --losses

It plays in a process of its own, which gets boards (what a player sees) and never learns where the mines are.
"""

import sapper


class Example:
    """Reveals what one clue shows to be safe; where none does, guesses."""

    def __init__(self, rng: sapper.Rng) -> None:
        """Begin a game. Take all that is random from `rng`: then a seed gives the same games again."""
        self.rng = rng

    def choose(self, board: sapper.Board) -> sapper.Choice:
        """Choose a move. This is asked again and again, until the game has ended."""
        covered = board.covered  # flagged cells are covered too; this strategy sets no flags
        around = {clue: [cell for cell in board.grid.neighbours(clue) if cell in covered] for clue in board.revealed}

        # A clue that has as many covered neighbours as mines: all of them are mines.
        mines = {cell for clue, cells in around.items() if board.clue(clue) == len(cells) for cell in cells}

        # A clue whose mines are all known: its other neighbours are safe.
        for clue, cells in around.items():
            safe = [cell for cell in cells if cell not in mines]
            if safe and board.clue(clue) == len(cells) - len(safe):
                clue_name = sapper.cell_name(board.grid, clue)  # letters and a number, as c4
                # A risk of 0.0 says that the move is certain not to hit a mine; it is counted, never trusted.
                return sapper.Choice(sapper.Move.reveal(safe[0]), f"{clue_name} has all its mines", 0.0)

        # Nothing is certain: guess. To do better, look at sapper.analyse(board), which has the exact chances.
        candidates = [cell for cell in covered if cell not in mines] or list(covered)
        return sapper.Choice(sapper.Move.reveal(self.rng.choice(candidates)), "a guess")
