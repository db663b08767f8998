"""Runners that speak the Messages API: Claude, and local servers."""
