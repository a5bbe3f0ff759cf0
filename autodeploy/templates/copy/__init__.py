"""The template ``copy``."""
