"""What comes behind the sums of a tile: pointwise ops, which a tile applies as it is stored.

A function that is computed by a polynomial (a Swish, a GELU) is a long chain of operations, each
with a constant. With AVX2 the sums of a tile leave no registers for these: each vector loads all of
its constants again, by instructions of their own. A core then has work on too few vectors in its
window to hide how long a chain takes. Where all vectors of a row of the tile are taken at a time,
the compiler interleaves their chains, and loads a constant once for some of them.

The knob ``epilogue`` says so: ``[row]``, or ``[]`` for a vector at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from autodeploy.analysis.scalar_costs import body_cost
from autodeploy.dialects.nn.base import AnchorOp
from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.pointwise import PointwiseOp
from autodeploy.dialects.nn.types import element_of
from autodeploy.machine import Machine
from autodeploy.templates.space import Space

EPILOGUE = "epilogue"

ROW = "row"


def is_slow_behind(anchor: AnchorOp) -> bool:
    """Tell whether pointwise ops behind an anchor, up to the next one, compute a function."""
    if any(element_of(result.type) != f32 for result in anchor.results):
        return False
    waiting: list[SSAValue] = [*anchor.results]
    while waiting:
        for use in waiting.pop().uses:
            if isinstance(op := use.operation, PointwiseOp):
                if body_cost(op).is_slow:
                    return True
                waiting += op.results
    return False


def lacks_registers(machine: Machine) -> bool:
    """Tell whether constants have no registers beside sums, and no place in instructions.

    An instruction of AVX-512 repeats one that lies in memory. Without fused operations, or with
    vectors of 16 bytes, nothing has been measured.
    """
    return machine.isa == "avx2" and machine.fuses


def epilogue_knob(*, rows: bool) -> dict[str, Sequence[Knob]]:
    """Return the knob; with ``rows`` all vectors of a row of the tile are taken at a time."""
    return {EPILOGUE: (ROW,) if rows else ()}


def epilogue_space() -> Space:
    """Return the values of the knob."""
    return {EPILOGUE: [(), (ROW,)]}


def takes_rows(config: ConfigAttr) -> bool:
    """Tell whether all vectors of a row of the tile are taken at a time."""
    return config.values(EPILOGUE) == (ROW,)
