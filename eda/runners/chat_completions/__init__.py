"""Runners that ask by the Chat Completions API, which OpenAI's and most other servers speak."""
