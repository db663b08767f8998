"""Whoever answers prompts. The one rule: importing the package imports no runner; `names` finds the one that is asked for."""
