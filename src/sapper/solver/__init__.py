"""What a board tells: exact chances, certain cells with reasons, hints, the chance to win, advice."""
