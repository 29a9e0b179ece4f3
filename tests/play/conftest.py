"""Each test that asks for `address` or `store` runs on SQLite and on PostgreSQL."""

from tests.databases import address, postgres_address, store

__all__ = ["address", "postgres_address", "store"]
