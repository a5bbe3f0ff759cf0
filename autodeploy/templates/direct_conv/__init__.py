"""The template ``direct_conv``."""
