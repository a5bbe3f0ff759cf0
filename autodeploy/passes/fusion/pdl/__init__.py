"""Matching and rewriting by ``pdl`` patterns."""
