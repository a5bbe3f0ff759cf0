"""Constants of a tmfile as arrays: views of the file if they need no conversion.

Quantised tensors become the floats that they stand for, and channels that are last come first. The
copies may take at most a few times the bytes of the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite, prod

import numpy as np
from xdsl.dialects.builtin import f16, f32, i8, i16, i32
from xdsl.ir import Attribute

from autodeploy.diagnostics import ModelError
from autodeploy.dialects.nn.types import is_addressable, is_float, ui8
from autodeploy.frontend.tmfile.file import CONSTANT_TENSOR, Quantisation, TmFile, TmTensor
from autodeploy.weights import Array, numpy_dtype

_ELEMENTS: Mapping[int, Attribute] = {0: f32, 1: f16, 2: i8, 3: ui8, 4: i32, 5: i16}
_GROWTH = 4
"""How many times the bytes of the file all copies may take."""


def stored_element(tensor: TmTensor) -> Attribute:
    """Return the type of the elements in the file; raises ``ModelError`` for an unknown one."""
    element = _ELEMENTS.get(tensor.data_type)
    if element is None:
        raise ModelError(
            f"tensor '{tensor.name}' has the unknown data type {tensor.data_type}, expected 0 to 5"
        )
    return element


def is_quantised(tensor: TmTensor) -> bool:
    """Return whether the integers of a tensor stand for floats."""
    return tensor.quantisation is not None and not is_float(stored_element(tensor))


def element_of_tensor(tensor: TmTensor, widen: bool) -> Attribute:
    """Return the type of the elements in the IR; with ``widen`` halves are single floats."""
    stored = stored_element(tensor)
    return f32 if is_quantised(tensor) or (widen and stored == f16) else stored


def channels_first(dims: tuple[int, ...], is_nhwc: bool) -> tuple[int, ...]:
    """Return the extents of a value of the graph, those of images with the channels first."""
    if is_nhwc and len(dims) == 4:
        return (dims[0], dims[3], dims[1], dims[2])
    return dims


class Constants:
    """The constants of a file, and how many bytes of copies they may still take."""

    def __init__(self, file: TmFile, widen: bool):
        self._file, self._widen = file, widen
        self._left = _GROWTH * file.bytes

    def array(
        self, tensor: TmTensor, is_filter: bool, fallback: Quantisation | None = None
    ) -> Array:
        """Return the array of a constant; raises ``ModelError`` if its tables do not fit it.

        ``is_filter`` says that it is the filter of a convolution, ``fallback`` is the quantisation
        of one that states none.
        """
        stored = self._stored(tensor)
        element = stored_element(tensor)
        quantisation = tensor.quantisation or fallback
        if quantisation is not None and not is_float(element):
            self._take(tensor, stored.size * 4)
            stored = _dequantised(tensor, stored, quantisation)
        elif self._widen and element == f16:
            self._take(tensor, stored.size * 4)
            stored = stored.astype(np.float32)
        if self._file.is_nhwc and stored.ndim == 4:
            if any(stored.strides):
                self._take(tensor, stored.nbytes)
            return _channels_first(stored, is_filter)
        return stored

    def _stored(self, tensor: TmTensor) -> Array:
        """Return the numbers as the file has them; zeros where it leaves them out."""
        if tensor.kind != CONSTANT_TENSOR:
            raise ModelError(f"tensor '{tensor.name}' is no constant, and no node makes it")
        dtype = numpy_dtype(stored_element(tensor))
        dims = tensor.dims or (tensor.size // dtype.itemsize,)
        if min(dims) < 0 or not is_addressable(dims):
            raise ModelError(f"constant '{tensor.name}' has the impossible shape {list(dims)}")
        if prod(dims) * dtype.itemsize != tensor.size:
            raise ModelError(
                f"constant '{tensor.name}' takes {prod(dims) * dtype.itemsize} bytes by its shape "
                f"{list(dims)}, the file has {tensor.size}"
            )
        if tensor.data is None:
            zero: Array = np.zeros((), dtype)
            return np.broadcast_to(zero, dims)
        numbers: Array = np.frombuffer(tensor.data, dtype)
        return numbers.reshape(dims)

    def _take(self, tensor: TmTensor, size: int) -> None:
        if tensor.data is None:
            return
        self._left -= size
        if self._left < 0:
            raise ModelError(
                f"constant '{tensor.name}' shares its bytes with others, and as many copies as "
                "that takes are not made"
            )


def _dequantised(tensor: TmTensor, stored: Array, quantisation: Quantisation) -> Array:
    scales = quantisation.scales
    if not all(isfinite(scale) for scale in scales):
        raise ModelError(f"tensor '{tensor.name}' has a scale that is no number")
    shape: list[int] = []
    if len(scales) > 1:
        if stored.shape[:1] != (len(scales),):
            raise ModelError(
                f"tensor '{tensor.name}' of shape {list(stored.shape)} has {len(scales)} scales, "
                "expected 1 or one for each index of axis 0"
            )
        shape = [len(scales), *[1] * (stored.ndim - 1)]
    # Numbers of 32 bits less a zero point fit no single float.
    wide = np.float64 if stored.dtype == np.int32 else np.float32
    if tensor.data is None:
        # Weights that are left out are 0, whatever their zero points are.
        return np.broadcast_to(np.zeros((), np.float32), stored.shape)
    numbers = stored.astype(wide)
    numbers -= np.array(quantisation.zero_points, wide).reshape(shape)
    numbers *= np.array(scales, np.float32).reshape(shape)
    return numbers.astype(np.float32, copy=False)


def _channels_first(stored: Array, is_filter: bool) -> Array:
    """Return O x H x W x I as O x I x H x W; a depthwise filter is stored as H x W x O."""
    o, h, w, i = stored.shape
    if is_filter and i == 1:
        return stored.reshape(h, w, o).transpose(2, 0, 1).reshape(o, 1, h, w)
    return stored.transpose(0, 3, 1, 2)
