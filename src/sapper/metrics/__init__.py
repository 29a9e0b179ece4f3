"""Numbers of layouts and games: 3BV, ZiNi, efficiency, luck."""
