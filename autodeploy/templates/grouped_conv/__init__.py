"""The template ``grouped_conv``."""
