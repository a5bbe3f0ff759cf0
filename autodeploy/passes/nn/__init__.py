"""Passes on nn ops before kernels are formed."""
