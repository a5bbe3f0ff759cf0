"""halide pipelines to object files and C++."""
