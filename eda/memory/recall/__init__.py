"""Search over all messages of a session."""
