"""The template ``scaled``."""
