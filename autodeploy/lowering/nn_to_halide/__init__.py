"""Lowering of ``nn.kernel`` to the algorithm of a Halide pipeline, by op family."""
