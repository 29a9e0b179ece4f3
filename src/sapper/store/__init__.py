"""Players, games, statistics and saved games in a database: SQLite by default, PostgreSQL by URL."""
