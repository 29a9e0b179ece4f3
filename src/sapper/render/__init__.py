"""Boards as text, terminal screens, SVG and PNG."""
