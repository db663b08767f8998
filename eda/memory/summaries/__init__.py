"""Rolling summaries: when they are due, what they rest on, how they are checked."""
