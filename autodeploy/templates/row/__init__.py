"""The template ``row``."""
