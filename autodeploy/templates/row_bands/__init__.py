"""The template ``row_bands``."""
