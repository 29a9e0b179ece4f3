"""How programs choose moves: the strategies that are built in, and how others are found."""
