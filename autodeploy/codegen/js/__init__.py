"""Emitters for web pages."""
