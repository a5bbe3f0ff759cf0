"""Measures what autodeploy makes, next to other engines and next to the limits of the machine."""
