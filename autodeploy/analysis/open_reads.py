"""How an op reads along an axis that is open: by windows, or each element by itself."""

from __future__ import annotations

from autodeploy.dialects.nn.base import NNOp
from autodeploy.dialects.nn.structure import StructuredOp, WindowRead
from autodeploy.dialects.nn.window_steps import WindowSteps


def moved_windows(op: NNOp) -> dict[int, tuple[WindowRead, WindowSteps]]:
    """Return how windows move along axes of the first operand, of an op that ends them."""
    if not op.ENDS_WINDOWS or not isinstance(op, StructuredOp):
        return {}
    moves = zip(op.window_reads(), op.window_steps(), strict=True)
    return {window.axis: (window, steps) for window, steps in moves}


def is_parallel(op: NNOp, index: int, axis: int) -> bool:
    """Tell whether an op does not fold along an axis of an operand that the result has, too."""
    reads = op.axis_reads(index)
    read = None if reads is None else reads[axis]
    return not op.ENDS_FOLDS or (read is not None and read.inner != 0)
