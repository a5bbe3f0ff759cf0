"""Passes on the driver dialect."""
