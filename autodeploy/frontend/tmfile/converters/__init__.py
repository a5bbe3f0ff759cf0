"""The conversion of each operator of tmfiles to nn ops, one module a category.

A converter is one function, registered by the names of its operators: ``@converts("Softmax")``.
"""
