"""The files that a user gets."""
