"""Running programs that measure, on any machine: nothing but Python's own library is needed."""
