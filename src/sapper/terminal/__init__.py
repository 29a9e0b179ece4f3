"""The terminal client of the binary protocol."""
