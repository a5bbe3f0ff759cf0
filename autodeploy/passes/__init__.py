"""Passes: one file a pass, named after it, found by listing the folder."""
