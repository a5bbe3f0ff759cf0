"""Measurements of kernels: the file of records, and the best config of each kernel."""
