"""The template ``winograd``."""
