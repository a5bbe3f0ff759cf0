"""What passes ask of the IR: no passes."""
