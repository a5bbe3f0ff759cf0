"""The time that ONNX's reference implementation takes for an operator, estimated before it runs.

Time is counted in steps, each about a nanosecond. A call of NumPy takes a few steps an element, a
Python loop of the reference some thousand, and products take steps by their multiplications. An
operator that is not known here counts as a Python loop over all pairs of an operand's and a
result's element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context

from autodeploy.dialects.onnx.families import MOVEMENTS, POINTWISE, REDUCTIONS
from autodeploy.weights import Array, WeightStore

MAX_BYTES = 256 << 20
"""Largest value that folding computes."""

MAX_STEPS = 1 << 32
"""Steps that the computation of one op may take: some seconds."""

_TOTAL_STEPS = 1 << 35
"""Steps that all computations of one pass may take."""

_TOTAL_BYTES = 1 << 30
"""Bytes that all results of one pass may take besides some for each byte of the weights."""

_OF_WEIGHTS = 4
"""Bytes that all results of one pass may take for each byte of the weights."""

_IN_NUMPY = 8
"""Steps that NumPy takes for an element."""

_IN_PYTHON = 4096
"""Steps that a Python loop takes for an element."""

_PRODUCTS_A_STEP = 8
"""Multiplications of floats and doubles that a step does; of other elements a library has none."""

_PRODUCT_STEPS = 16
"""Steps of a multiplication of other elements."""

_PYTHON = frozenset((
    "Erf", "GatherElements", "GatherND", "Gelu", "ScatterElements", "ScatterND", "Scatter", "Unique"
))  # fmt: skip
"""Operators that the reference computes in a Python loop over elements."""

_NUMPY = (POINTWISE | MOVEMENTS | REDUCTIONS) - _PYTHON | frozenset((
    "ArgMax", "ArgMin", "BatchNormalization", "CastLike", "Compress", "Constant", "ConstantOfShape",
    "CumSum", "DequantizeLinear", "EyeLike", "LogSoftmax", "NonZero", "OneHot", "Pad",
    "QuantizeLinear", "Range", "Shape", "Shrink", "Size", "Softmax", "TopK", "Trilu"
))  # fmt: skip
"""Operators that the reference computes by a few calls of NumPy, in proportion to elements."""

_PARTS = frozenset(("Gather", "Slice", "Split"))
"""Those among them that read no more elements than they make."""

_SORTS = frozenset(("TopK",))
"""Those among them that sort all elements."""

_PRODUCTS = frozenset(("Gemm", "MatMul", "MatMulInteger", "QLinearMatMul"))
"""Operators that multiply each row of an operand with each column of another one."""

_HALVES = frozenset(("float16", "bfloat16"))
"""Elements that NumPy converts to compute with them."""

_HALF_STEPS = 4
"""Times that computing with such elements takes longer."""


def steps(op_type: str, operands: Sequence[Array], result_elements: int) -> int:
    """Return how many steps an operator takes at most; ``result_elements`` are of all results."""
    read = sum(operand.size for operand in operands)
    elements = result_elements if op_type in _PARTS else read + result_elements
    if op_type == "OneHot" and len(operands) > 1:
        elements += _depth(operands[1])
    if op_type in _PRODUCTS and operands:
        products = result_elements * max(operands[0].shape, default=1)
        fast = all(operand.dtype.name in ("float32", "float64") for operand in operands)
        taken = products // _PRODUCTS_A_STEP if fast else products * _PRODUCT_STEPS
        return elements * _IN_NUMPY + taken
    if op_type in _NUMPY:
        return _numpy_steps(operands, elements, elements.bit_length() if op_type in _SORTS else 1)
    if op_type in _PYTHON:
        return elements * _IN_PYTHON
    return max(read, 1) * max(result_elements, 1) * _IN_PYTHON


def pass_steps(operands: Sequence[Array], result_elements: int, passes: int) -> int:
    """Return how many steps NumPy takes for ``passes`` over operands and result."""
    return _numpy_steps(operands, sum(x.size for x in operands) + result_elements, passes)


def _numpy_steps(operands: Sequence[Array], elements: int, passes: int) -> int:
    slow = any(operand.dtype.name in _HALVES for operand in operands)
    return elements * _IN_NUMPY * passes * (_HALF_STEPS if slow else 1)


def _depth(depth: Array) -> int:
    """Return how many numbers OneHot makes of its depth, also where there is nothing to mark."""
    return max(0, int(depth.reshape(-1)[0])) if depth.size and depth.dtype.kind in "iu" else 0


@dataclass
class FoldingBudget:
    """The budget of folding: limits for one op, and the remainder for all together."""

    max_bytes: int = MAX_BYTES
    max_steps: int = MAX_STEPS
    bytes_left: int = _TOTAL_BYTES
    steps_left: int = _TOTAL_STEPS
    misjudged: bool = False
    """Whether ONNX infers a wrong shape for an op before: then no shape is taken for known."""
    is_open: bool = False
    """Whether extents stay open: what follows from them is no constant."""

    @classmethod
    def of(
        cls, ctx: Context, max_bytes: int = MAX_BYTES, *, is_open: bool = False
    ) -> FoldingBudget:
        """Return the budget of a pass over a module whose weights are in the store of ``ctx``."""
        total = _TOTAL_BYTES + _OF_WEIGHTS * WeightStore.of(ctx).bytes
        return cls(max_bytes, bytes_left=total, steps_left=_TOTAL_STEPS, is_open=is_open)

    def excess(self, bytes_: int, steps_: int) -> str | None:
        """Return why one op may not be computed: it takes too many bytes or steps.

        ``bytes_`` are those of the results or of the largest operand, whichever are more.
        """
        if bytes_ > self.max_bytes:
            return f"takes {bytes_} bytes, but constants have {self.max_bytes} at most"
        if steps_ > self.max_steps:
            return f"takes about {steps_} steps, but folding has {self.max_steps} at most"
        return None

    def take(self, bytes_: int, steps_: int, made: int, *, alone: bool = True) -> bool:
        """Return whether an op may be computed, and count it where it may.

        ``made`` are the bytes of the results, which alone are kept. The limits for one op count if
        ``alone``, the remainder for all together counts always.
        """
        if alone and self.excess(bytes_, steps_) is not None:
            return False
        if made > self.bytes_left or steps_ > self.steps_left:
            return False
        self.bytes_left -= made
        self.steps_left -= steps_
        return True
