"""The shapes that a value has in runs, by the open extent of its module: the least, and others."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from autodeploy.dialects.driver.program import ProgramOp
from autodeploy.dialects.extents import Extent, numbers_of
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.nn.open_extent import (
    Axes,
    Least,
    OpenExtentAttr,
    find_open_extent,
)
from autodeploy.dialects.nn.types import shape_of

SAMPLES = 4
"""The number of points of a range at which a rule looks at the shapes."""


def open_extent_around(op: Operation) -> OpenExtentAttr | None:
    """Return the open extent of the module of an op, or of its program, if any."""
    module: Operation | None = op
    while module is not None and not isinstance(module, ModuleOp):
        module = module.parent_op()
    if module is None:
        return None
    programs = (o.open_extent for o in module.body.block.ops if isinstance(o, ProgramOp))
    return find_open_extent(module.attributes) or next(programs, None)


def least_of(op: Operation) -> Least:
    """Return what gives the least extents of a run of an op; for 1 where nothing says a number."""
    extent = open_extent_around(op)
    return least_for_one if extent is None else extent.least


def least_for_one(growth: Growth) -> int:
    """Return the extent that grows so for the number 1."""
    return growth.at(1)


def least_shape(shape: Sequence[int], axes: Axes, least: Least) -> tuple[int, ...]:
    """Return a shape as it is for the least numbers; ``axes`` say how it grows, if it does.

    An extent of 0 counts as one of 1.
    """
    if not any(axes):
        return tuple(shape)
    return tuple(
        max(least(growth), 1) if growth else extent
        for extent, growth in zip(shape, axes, strict=True)
    )


def least_result_shape(kernel: KernelOp) -> tuple[int, ...]:
    """Return the shape that the first result of a kernel has for the least number."""
    return result_shapes(kernel)[0]


def result_shapes(kernel: KernelOp) -> tuple[tuple[int, ...], ...]:
    """Return shapes that the first result of a kernel has in runs, from the least to the largest.

    They are those of ``SAMPLES`` numbers, as far apart as each other; one where none is open. An
    extent of 0 counts as one of 1.
    """
    shape = shape_of(kernel.outputs[0].type)
    numbers = numbers_of(*shape)
    if numbers is None:
        return (shape,)
    counts = [
        [r.least + (r.most - r.least) * index // (SAMPLES - 1) for r in numbers.ranges]
        for index in range(1, SAMPLES)
    ]
    # Derived numbers may be the least for others than the least numbers.
    least = tuple(max(n.least, 1) if isinstance(n, Extent) else n for n in shape)
    return least, *(
        tuple(max(n.at(own), 1) if isinstance(n, Extent) else n for n in shape) for own in counts
    )
