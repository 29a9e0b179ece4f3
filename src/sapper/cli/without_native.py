"""What commands with thousands of games to play say where there is no native library."""

import click

from sapper._kernels import loading


def say_without_native() -> None:
    """One line on stderr where the reference has to do everything."""
    why = loading.absence()
    if why is not None:
        click.echo(f"sapper: running in Python, many times slower: {why} (see sapper doctor)", err=True)
