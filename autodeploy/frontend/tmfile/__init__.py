"""Tengine's model files to the nn dialect."""
