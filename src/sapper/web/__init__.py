"""The web game."""
