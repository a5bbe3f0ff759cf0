"""What was measured of kernels: the file of records, and what it says is best."""
