"""The context that memory serves: its sections, sizes and order."""
