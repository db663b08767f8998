"""The report on a debate: `gather` makes it, `write` has a model write what a model writes better."""
