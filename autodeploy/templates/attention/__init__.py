"""The template ``attention``."""
