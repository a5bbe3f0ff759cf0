"""nn to the driver dialect."""
