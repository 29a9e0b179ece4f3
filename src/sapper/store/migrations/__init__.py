"""Steps of the schema."""
