"""Conversions between dialects: onnx to nn, nn to the exit dialects."""
