"""The four dialects: onnx (entry), nn (the core), halide and driver (exit); and the machine."""
