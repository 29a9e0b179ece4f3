"""The protocol's test suite, for servers and clients at any address: `python -m sapper.terminal.conformance`."""
