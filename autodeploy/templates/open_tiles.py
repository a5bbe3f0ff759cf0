"""Which kernels with open axes may be computed in tiles."""

from __future__ import annotations

from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.open_extent import listed_axes
from autodeploy.templates.gemm.product import open_rows


def leaves_tiles(kernel: KernelOp) -> bool:
    """Tell whether no axis is open that a template would cut in tiles of a constant size.

    The first axis of images or of a stack may be open, and the rows of a product: its template
    knows what is below the last one.
    """
    rows = open_rows(kernel)
    for result in listed_axes(kernel.open)[len(kernel.inputs) :]:
        last = len(result) - 1
        for axis, coefficient in enumerate(result):
            if coefficient and (axis == last or (axis and not (rows and axis == last - 1))):
                return False
    return True
