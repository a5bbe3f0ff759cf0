"""Schedule templates, one a kind of kernel; ``schedule-kernels`` picks and applies them."""
