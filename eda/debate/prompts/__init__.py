"""Prompts: the texts, and the code that fills them."""
