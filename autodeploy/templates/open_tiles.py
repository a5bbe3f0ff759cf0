"""Which kernels with open axes may be computed in tiles."""

from __future__ import annotations

from autodeploy.analysis.open_reads import folds_open
from autodeploy.dialects.nn.extent_attr import axes_of_type
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.open_extent import outermost_axis
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.templates.gemm.product import open_rows


def leaves_tiles(kernel: KernelOp) -> bool:
    """Tell whether no axis is open that a template would cut in tiles of a constant size.

    The first axis of images or of a stack may be open, and the rows of a product: its template
    knows what is below the last one. A fold along an open axis has no constant number of steps.
    """
    if folds_open(kernel):
        return False
    rows = open_rows(kernel)
    for value in kernel.outputs:
        result = axes_of_type(value.type)
        first, last = _first_axis(kernel, bounds_of(value.type)), len(result) - 1
        for axis, growth in enumerate(result):
            if growth and (axis == last or (axis > first and not (rows and axis == last - 1))):
                return False
    return True


def leaves_pixels(kernel: KernelOp) -> bool:
    """Tell whether tiles of pixels are right for the open axes of an image, channels last.

    These are the batch, and axes of space as long as no tile has more pixels along them than a run
    for the least number: then the last tile moves inwards over one that each run has.
    """
    if folds_open(kernel):
        return False
    results = [axes_of_type(value.type) for value in kernel.outputs]
    return all(not result[-1] for result in results if any(result))


def _first_axis(kernel: KernelOp, shape: tuple[int, ...]) -> int:
    """Return the first axis of several elements; of images the batch, be it of one image."""
    anchor = kernel.anchor
    if anchor is not None and "layout" in anchor.properties:
        return 0
    return outermost_axis(shape)
