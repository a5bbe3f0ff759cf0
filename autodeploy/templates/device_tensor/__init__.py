"""The template ``device_tensor``."""
