"""The types of the weight store."""

import numpy as np
import pytest
from xdsl.dialects.builtin import bf16

from autodeploy.weights import element_type, numpy_dtype


def test_element_types_of_numpy():
    assert element_type(numpy_dtype(bf16)) == bf16
    with pytest.raises(KeyError):
        element_type(np.complex64)
