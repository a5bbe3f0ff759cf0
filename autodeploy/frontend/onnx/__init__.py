"""ONNX files into the onnx dialect."""
