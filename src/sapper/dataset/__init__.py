"""Positions of games with their exact chances, drawn from a seed and written as tables."""
