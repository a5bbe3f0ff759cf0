"""The template ``gemv``."""
