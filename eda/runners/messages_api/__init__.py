"""The runner that speaks the Messages API: Claude."""
