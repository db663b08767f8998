"""The engine: a debate, its listeners, its floor, its prompts and its verdict."""
