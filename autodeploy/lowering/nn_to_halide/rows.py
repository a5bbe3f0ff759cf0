"""The intermediate value between two anchors of a kernel, as a func of its own.

A schedule may keep a few of its rows at a time. Such funcs are called ``rows``. If one
``contracts``, its strict parts are strict already.
"""

from __future__ import annotations

from autodeploy.dialects.halide.pipeline import ROWS
from autodeploy.dialects.nn.layout import Layout
from autodeploy.lowering.nn_to_halide.kernel_builder import KernelBuilder, Value
from autodeploy.lowering.nn_to_halide.padding import image_names, last_row_below


def kept_image_rows(builder: KernelBuilder, x: Value, *, contracts: bool) -> Value:
    """Return an N … C image as a func.

    The same number of rows is kept for each band of the op that reads them. If the image is padded,
    the first and the last band need fewer. Then the last row is repeated after the end of the
    image, where it is not read."""
    names = image_names(Layout.CHANNELS_LAST, len(x.shape) - 2)
    kept = last_row_below(builder.opaque(x) if contracts else x, len(x.shape) - 3)
    return builder.func(ROWS, x.element, x.shape, kept.at, names=names, contracts=contracts)


def kept_matrix_rows(builder: KernelBuilder, x: Value, *, contracts: bool) -> Value:
    """Return a stack of matrices, … x rows x columns, as a func."""
    return builder.func(ROWS, x.element, x.shape, x.at, contracts=contracts)
