"""Passes that form kernels, fuse them and choose how each is computed."""
