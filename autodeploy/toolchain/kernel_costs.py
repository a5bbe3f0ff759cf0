"""The work of kernels, read from their IR: arithmetic operations, bytes touched.

Counted is what the ``halide.pipeline`` says, not what another algorithm for the same operator would
need: of a Winograd convolution its own multiplications.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from math import inf, prod
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException, ParseError

from autodeploy.diagnostics import UserError
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp, YieldOp
from autodeploy.dialects.halide.expression import ConstOp, EqOp, LikelyOp, SelectOp
from autodeploy.dialects.halide.expression_base import ExpressionOp
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.prefetch import PrefetchOp
from autodeploy.dialects.halide.types import buffer_type
from autodeploy.dialects.mlir_text import TextParser
from autodeploy.dialects.nn.types import ELEMENT_BYTES, is_float
from autodeploy.dialects.registry import new_context


@dataclass(frozen=True)
class KernelCost:
    """One call of a kernel: how many buffers it takes, its work.

    ``operations`` are those of floats, and of integers that are summed: additions, multiplications,
    comparisons by min and max, and functions such as exp, one each. ``in_float32`` tells whether
    all of them are of 32-bit floats.
    ``bytes`` is what must be read and written once at least: outputs, and of each input the whole,
    or the elements that are loaded where these are fewer, as in a look-up in a table.
    """

    arguments: int
    operations: int
    bytes: int
    in_float32: bool = True


def read_costs(path: Path) -> dict[str, KernelCost]:
    """Return the cost of each ``halide.pipeline`` of a file, by its name.

    Raises ``UserError`` if the file is missing or is not valid.
    """
    return module_costs(read_module(path))


def read_module(path: Path) -> ModuleOp:
    """Read the text of a bundle's program; raises ``UserError`` if it is missing or invalid."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(f"'{path}' does not exist; it says what the kernels compute") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"'{path}' cannot be read: {error}") from None
    try:
        return TextParser(new_context(), text, str(path)).parse_module()
    except ParseError as error:
        raise UserError(f"'{path}' is not valid: {error.msg}") from None
    except DiagnosticException as error:
        raise UserError(f"'{path}' is not valid: {error}") from None


def module_costs(module: ModuleOp) -> dict[str, KernelCost]:
    """Return the cost of each ``halide.pipeline`` of a module, by its name."""
    return {op.sym_name.data: pipeline_cost(op) for op in module.ops if isinstance(op, PipelineOp)}


def pipeline_cost(pipeline: PipelineOp) -> KernelCost:
    """Return what one call of a pipeline costs.

    A func counts at every point of its extents, or of the output that it fills; one that has
    neither is part of its readers and counts as nothing.
    """
    block = pipeline.body.block
    outputs = {op.func: op.buffer for op in block.ops if isinstance(op, OutputOp)}
    operations, elements = 0.0, set[Attribute]()
    loads: dict[SSAValue, float] = {}
    for op in reversed(block.ops):  # readers first: how often says how often an inline func runs
        sums = set[Operation]()
        if isinstance(op, FuncOp):
            counted = points = _points(op, outputs)
            runs = points or loads.get(op.result, 0.0)
        elif isinstance(op, UpdateOp) and isinstance(op.func.owner, FuncOp):
            domain = prod(extent for _, _, extent in op.rdom)
            counted = runs = _points(op.func.owner, outputs) * domain
            sums = _made_of_integers(op)
        else:
            continue
        for inner, share in _shares(op).items():
            if isinstance(inner, LoadOp):
                loads[inner.source] = loads.get(inner.source, 0.0) + runs * share
            elif _is_operation(inner, sums) and counted and share:
                operations += counted * share
                elements.add(inner.results[0].type)
    # A loop that prefetches for itself has an input a second time, which is never read.
    fetches = [op for op in pipeline.walk() if isinstance(op, PrefetchOp)]
    again = {op.buffer for op in fetches if not op.offset.value.data}
    read = (_bytes(b, loads.get(b, 0.0)) for b in pipeline.inputs if b not in again)
    written = (_bytes(buffer) for buffer in pipeline.outputs)
    return KernelCost(
        len(block.args), round(operations), sum(read) + sum(written), elements <= {f32}
    )


def _points(func: FuncOp, outputs: Mapping[SSAValue, SSAValue]) -> int:
    if func.extents is not None:
        return prod(func.known_extents)
    buffer = outputs.get(func.result)
    return 0 if buffer is None else prod(buffer_type(buffer).extents)


def _shares(definition: FuncOp | UpdateOp) -> dict[Operation, float]:
    """Return of how many of the points each op of a definition is needed.

    If a chain of selects tests a coordinate, as in a matrix that is written out row by row, a point
    takes one arm: each counts by its share of the points."""
    shares: dict[Operation, float] = dict.fromkeys(definition.body.block.ops, 0.0)
    shares[_last(definition)] = 1.0
    for op in reversed(definition.body.block.ops):
        for operand, part in zip(op.operands, _parts(op), strict=True):
            if isinstance(operand.owner, Operation) and operand.owner in shares:
                used = shares[operand.owner] + shares[op] * part
                shares[operand.owner] = min(1.0, used)
    return shares


def _is_operation(op: Operation, sums: Set[Operation]) -> bool:
    """Return whether an op is arithmetic on floats, or on summed integers, not on coordinates."""
    is_counted = isinstance(op, ExpressionOp) and op.IS_COUNTED
    return is_counted and (is_float(op.results[0].type) or op in sums)


def _made_of_integers(update: UpdateOp) -> Set[Operation]:
    """Return the ops on integers that make what an update sums."""
    found, left = set[Operation](), list[Operation]([_last(update)])
    while left:
        op = left.pop()
        for value in op.operands[isinstance(op, SelectOp) :]:
            owner = value.owner
            if isinstance(owner, ExpressionOp) and not is_float(value.type) and owner not in found:
                found.add(owner)
                left.append(owner)
    return found


def _parts(op: Operation) -> tuple[float, ...]:
    """Return of how many of the points that need an op each of its operands is needed.

    If the first side of a select is likely, the second counts as nothing: it is taken never, as
    for a prefetched buffer, or only at the border of an image.
    """
    if not isinstance(op, SelectOp):
        return (1.0,) * len(op.operands)
    if isinstance(op.on_true.owner, LikelyOp):
        return (1.0, 1.0, 0.0)
    arms = _arms(op)
    return (1.0, 1.0, 1.0) if arms == 1 else (1.0, 1 / arms, 1 - 1 / arms)


def _arms(value: SSAValue | SelectOp, place: SSAValue | None = None) -> int:
    """Return how many arms a chain of selects has that compare one coordinate with numbers."""
    op = value if isinstance(value, SelectOp) else value.owner
    if not isinstance(op, SelectOp) or not isinstance(op.condition.owner, EqOp):
        return 1
    test = op.condition.owner
    if not isinstance(test.lhs, BlockArgument) or not isinstance(test.rhs.owner, ConstOp):
        return 1
    if place is not None and test.lhs is not place:
        return 1
    return 1 + _arms(op.on_false, test.lhs)


def _last(definition: FuncOp | UpdateOp) -> YieldOp:
    last = definition.body.block.last_op
    assert isinstance(last, YieldOp)
    return last


def _bytes(buffer: SSAValue, loads: float = inf) -> int:
    """Return the bytes of a buffer, or of ``loads`` elements where these are fewer."""
    type_ = buffer_type(buffer)
    return round(min(prod(type_.extents), loads)) * ELEMENT_BYTES[type_.element]
