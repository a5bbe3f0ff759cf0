"""Folders of the user for results that can be made again."""
