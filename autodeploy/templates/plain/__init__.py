"""The template ``plain``."""
