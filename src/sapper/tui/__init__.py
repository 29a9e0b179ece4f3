"""The local terminal game: screens and line mode."""
