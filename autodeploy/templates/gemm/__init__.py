"""The template ``gemm``."""
