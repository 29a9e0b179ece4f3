"""Layouts that can be won without a guess, each with its proof."""
