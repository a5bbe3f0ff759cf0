"""The template ``amx``."""
