"""The driver dialect to C."""
