"""Programs outside this process: compilers, make, and built bundles."""
