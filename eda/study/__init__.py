"""Studies: many debates by one plan, with tasks whose answers are known, measures and their statistics."""
