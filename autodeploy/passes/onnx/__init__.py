"""Passes on the onnx dialect."""
