"""The kata's bot and text format."""
