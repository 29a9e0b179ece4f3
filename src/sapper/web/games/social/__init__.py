"""What players share: the boards of the days, names and rankings. Knows neither HTTP nor sockets."""
