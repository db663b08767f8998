"""Changes to a running debate: what they are, how they queue, how they arrive from another process."""
