"""The start of a buffer that is a part of a block of memory."""

from __future__ import annotations

from autodeploy.dialects.halide.types import BufferType


def steps_before(type_: BufferType, first: int) -> tuple[int, ...]:
    """Return how many steps of each dimension, innermost first, lead to element ``first``.

    A kernel that is given the whole block finds its elements after these coordinates, so that no
    other address than that of the block must be aligned. Raises ``ValueError`` if the strides do
    not lead there.
    """
    strides = type_.strides
    positive = sorted(
        (d for d, stride in enumerate(strides) if stride > 0), key=lambda d: -strides[d]
    )
    # The least stride alone may lead where a larger one overshoots.
    for dimensions in (positive, positive[-1:]):
        steps, rest = [0] * len(strides), first
        for dimension in dimensions:
            steps[dimension], rest = divmod(rest, strides[dimension])
        if rest == 0:
            return tuple(steps)
    raise ValueError(f"no strides of {type_} lead to element {first}")
