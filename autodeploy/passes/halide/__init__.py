"""Passes on halide pipelines."""
