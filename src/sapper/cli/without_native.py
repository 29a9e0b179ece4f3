"""What commands with thousands of games to play say where there is no native library."""

import click

from sapper._kernels import loading


def say_without_native() -> None:
    why = loading.absence()
    if why is not None:
        click.echo(f"sapper: running in Python, many times slower: {why} (see sapper doctor)", err=True)
