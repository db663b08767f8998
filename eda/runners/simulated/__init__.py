"""The simulated runner: bounded-confidence opinions put into sentences."""
