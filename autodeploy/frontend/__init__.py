"""Readers of model files, and the store that holds their weights."""
