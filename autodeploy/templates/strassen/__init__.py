"""The template ``strassen``."""
