"""Sentences about a debate: what each claims, and whether the record bears it out."""
