"""The conversion of each ONNX operator to nn ops, one module a category.

A converter is one function, registered for the versions of an operator whose meaning it has:
``@converts("Softmax", since=13)``.
"""
