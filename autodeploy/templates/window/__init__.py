"""The template ``window``."""
