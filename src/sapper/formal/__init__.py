"""The formal specification's operations on a game, each with its pre-conditions."""
