"""The halide dialect: Halide's own vocabulary, algorithm and schedule apart."""

from autodeploy.dialects.defined import dialect_of

HALIDE = dialect_of("halide", __name__, __path__)
