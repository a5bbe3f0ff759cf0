"""The template ``device_tile``."""
