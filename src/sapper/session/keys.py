"""Keys of games."""

import secrets


def draw_key() -> str:
    """A key for a new game, which nobody guesses. It has no `-`: at its beginning, a command would take it for an option."""
    return secrets.token_urlsafe(15).replace("-", "_")
