"""Readers and writers of other programs' recordings."""
