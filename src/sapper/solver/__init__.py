"""Everything that can be worked out from a board: exact chances, certain cells with reasons, hints, the chance to win, advice."""
