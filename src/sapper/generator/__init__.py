"""Layouts: uniform, by the rule of the first reveal, with wanted properties, without guesses; game codes, board lists and board files."""
