"""The template ``depthwise``."""
