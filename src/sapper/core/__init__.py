"""What any player may know: grid, cells, rules, tiles, moves, updates, boards, records and their notations. Nothing here leads to the mines of a running game."""
