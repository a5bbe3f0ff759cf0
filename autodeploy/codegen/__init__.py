"""Emitters: Halide kernels, the C program around them, and the bundle that holds both."""
