"""A test that asks for `postgres_address` gets an empty PostgreSQL database."""

from tests.databases import postgres_address

__all__ = ["postgres_address"]
