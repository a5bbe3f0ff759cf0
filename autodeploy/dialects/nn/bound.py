"""Attributes that say the largest that computed integers can be.

On the ``onnx.Identity`` of a value, ``nn.bound`` is that number and ``nn.name`` the name of the
value; on the module ``nn.bound`` is that of every value from which a size is computed.
"""

BOUND_ATTRIBUTE = "nn.bound"
NAME_ATTRIBUTE = "nn.name"
