"""The truth of a game: the layout, the referee that judges moves by it, and the game as its player holds it."""
