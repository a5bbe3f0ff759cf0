"""Facts about the IR that passes ask for: no passes."""
