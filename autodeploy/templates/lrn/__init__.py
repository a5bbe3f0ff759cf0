"""The template ``lrn``."""
