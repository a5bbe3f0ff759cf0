"""What runs outside this process's Python: compilers, make, and built bundles."""
