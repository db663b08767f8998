"""Who speaks next, and when a discussion stops."""
