"""Whoever answers prompts. The one rule: importing the package imports no runner; `names` finds the one asked for."""
