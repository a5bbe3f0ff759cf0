"""Lowering of one ``nn.kernel`` to one ``halide.pipeline``."""

from __future__ import annotations

import struct
from collections.abc import Hashable, Iterator
from functools import partial

from xdsl.dialects.builtin import StringAttr, bf16, f16, f32
from xdsl.ir import Operation, SSAValue

from autodeploy.analysis.least_shapes import least_of
from autodeploy.dialects.halide.pipeline import HOST_REASON, PipelineOp
from autodeploy.dialects.nn.arithmetic import CastOp
from autodeploy.dialects.nn.base import AnchorOp, MovementOp, NNOp
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.constant import ConstantOp, ConstantValue, DenseAttr
from autodeploy.dialects.nn.contraction import ContractionOp, ConvOp, MatMulOp, clamps_sums
from autodeploy.dialects.nn.kernel import KernelOp, YieldOp, open_buffers
from autodeploy.dialects.nn.layout import result_layout
from autodeploy.dialects.nn.normalisation import LrnOp
from autodeploy.dialects.nn.scaled import ScaledMatMulOp
from autodeploy.dialects.nn.transposed import ConvTransposeOp
from autodeploy.dialects.nn.types import bounds_of, element_of, is_float
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.lowering.nn_to_halide.contraction import strict
from autodeploy.lowering.nn_to_halide.expression import Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    KernelBuilder,
    Value,
    fail,
    lower,
    narrowed,
)
from autodeploy.lowering.nn_to_halide.padding import (
    image_names,
    kept_image_rows,
    kept_matrix_rows,
    last_column_again,
    last_row_below,
)
from autodeploy.lowering.nn_to_halide.reduction import divided, exponentials, undivided_softmax
from autodeploy.templates.gemm.fetch import overhangs
from autodeploy.templates.gemm.product import open_columns, open_rows
from autodeploy.templates.narrow import WEIGHTS
from autodeploy.templates.registry import is_on_device, template_of
from autodeploy.templates.row.knobs import ROWS

_OF_ROWS = 4
"""A product of at least this many operands has rows in its first and columns in the others."""

MAX_NAME_PARTS = 5
"""A kernel of more ops is named after its first ones."""


def kernel_label(kernel: KernelOp) -> str:
    """Return a name that says what the kernel does: its ops in order, ``conv_relu_add``.

    Movements are named where the kernel does nothing else.
    """
    parts: list[str] = []
    ops = [op for op in kernel.body_ops if not isinstance(op, ConstantOp)]
    for op in [op for op in ops if not isinstance(op, MovementOp)] or ops:
        parts.append(op.name.removeprefix("nn."))
    return "_".join(parts[:MAX_NAME_PARTS])


def lower_kernel(kernel: KernelOp, name: str, fuses: bool = False) -> PipelineOp:
    """Return the pipeline that computes a kernel; its arguments are the kernel's in order.

    The result of each op is rounded to its type. ``fuses`` says that the machine multiplies and
    adds in one instruction. Raises ``PassFailedException`` if an op has no lowering or a
    constant inside the kernel is not a single number."""
    builder = KernelBuilder(
        [value.type for value in kernel.inputs],
        [result.type for result in kernel.outputs],
        _contracts(kernel),
        open_buffers(kernel),
        least_of(kernel),
        fuses,
        _shared_rows(kernel),
        is_on_device(kernel.config),
        _is_in_runs(kernel),
    )
    rows = open_rows(kernel)
    extent = partial(builder.open_extent, growth=rows) if rows else None
    values: dict[SSAValue, Value] = {
        argument: builder.input(i) for i, argument in enumerate(kernel.body.block.args)
    }
    undivided = undivided_softmax(kernel)
    keep = kept_matrix_rows if _is_attention(kernel) else kept_image_rows
    for op in kernel.body_ops:
        if isinstance(op, ConstantOp):
            values[op.result] = _constant(op)
        elif isinstance(op, NNOp):
            operands = [values[operand] for operand in op.operands]
            read = op.operands[0] if op.operands else None
            read_contracts = read is not None and (read.owner is undivided or _is_contracted(read))
            if op in kernel.anchors[1:]:
                operands[0] = keep(builder, operands[0], contracts=read_contracts)
            elif op is kernel.anchor and _is_read_below(op, kernel.config, rows.multiple):
                # Rows may have scales, after all that belongs to columns.
                for place in range(0, len(operands), _OF_ROWS):
                    axis = len(operands[place].shape) - 2
                    operands[place] = last_row_below(operands[place], axis, extent)
            if op is kernel.anchor and _is_read_beyond(op, kernel):
                operands[1] = last_column_again(operands[1])
            if isinstance(op, ContractionOp) and _widens(kernel, op):
                wide = narrowed(operands[1], op.sum_element)
                operands[1] = builder.func(WEIGHTS, wide.element, wide.shape, wide.at)
            if _is_contracted(op.result):
                operands = [
                    value if isinstance(operand.owner, ContractionOp) else strict(value)
                    for operand, value in zip(op.operands, operands, strict=True)
                ]
            if op is undivided:
                assert undivided is not None
                value = exponentials(builder, undivided, operands)
            else:
                value = lower(builder, op, operands)
            if undivided is not None and isinstance(op, MatMulOp) and op.lhs is undivided.result:
                value = divided(builder, undivided, operands[0], op, value)
            element = value.element if _is_rounded_later(op) else element_of(op.result.type)
            values[op.result] = narrowed(value, element)
    anchor = kernel.anchor
    names = None
    if isinstance(anchor, ConvOp | ConvTransposeOp | LrnOp | PoolOp):
        names = image_names(
            result_layout(anchor.layout).data, len(bounds_of(anchor.result.type)) - 2
        )
    for i, yielded in enumerate(kernel.yielded):
        value = narrowed(values[yielded], element_of(yielded.type))
        axes = names if names and len(names) == len(value.shape) else None
        builder.output(i, value, axes, contracts=_is_contracted(yielded))
    pipeline = builder.pipeline(name, kernel.config)
    if HOST_REASON in kernel.attributes:
        pipeline.attributes[HOST_REASON] = kernel.attributes[HOST_REASON]
    return pipeline


def _is_in_runs(kernel: KernelOp) -> bool:
    """Return whether long sums of a kernel are added up in runs.

    On the processor, sums of factors that are narrower than these are not: the factors round more.
    """
    config = kernel.config
    if config is None or not template_of(config.template_name).in_runs:
        return False
    sums = [op for op in kernel.anchors if isinstance(op, ContractionOp)]
    return is_on_device(config) or all(op.accumulator is None for op in sums)


def _contracts(kernel: KernelOp) -> bool:
    """Return whether arithmetic may be contracted, which doubles the speed of a sum of products.

    A polynomial of 32 bits that ends a kernel may be, too.

    With 16-bit floats such an op is alone, or with ops that clamp its sums. If arithmetic is fast,
    LLVM takes for granted that a value that is converted to 16 bits, or from there, is neither nan
    nor inf."""
    ops = [op for op in kernel.body_ops if not isinstance(op, ConstantOp | MovementOp)]
    elements = {element_of(value.type) for op in ops for value in _computed_with(op)}
    if not any(anchor.CONTRACTS for anchor in kernel.anchors):
        return elements == {f32} and any(map(_is_contracted, kernel.yielded))
    halves = elements & {f16, bf16}
    stands_alone = isinstance(ops[0], ContractionOp) and all(map(clamps_sums, ops[1:]))
    return any(map(is_float, elements)) and (stands_alone or not halves)


def _computed_with(op: Operation) -> Iterator[SSAValue]:
    """Yield the values of an op but those that are only converted.

    Scopes hide conversions, and those from bfloat16 are shifts of bits.
    """
    if isinstance(op, CastOp):
        return
    yield from op.results
    sums = op.accumulator if isinstance(op, ContractionOp) else None
    for index, value in enumerate(op.operands):
        is_factor = sums is not None and index < ContractionOp.ACCUMULATED
        is_weight = is_factor and index == 1 and element_of(op.operands[0].type) == sums
        if not (is_weight or (is_factor and element_of(value.type) == bf16)):
            yield value


def _is_contracted(x: SSAValue) -> bool:
    """Return whether a value is a polynomial that nothing reads but a store and anchors.

    Its operand is strict.
    """
    op = x.owner
    return (
        isinstance(op, NNOp)
        and op.CONTRACTS
        and not isinstance(op, AnchorOp)
        and all(isinstance(use.operation, AnchorOp | YieldOp) for use in x.uses)
    )


def _widens(kernel: KernelOp, op: ContractionOp) -> bool:
    """Return whether weights are widened before an op reads them, as the config says."""
    configs = kernel.configs[kernel.anchors.index(op) :]
    return bool(configs) and configs[0].number("widen") > 0


def _is_rounded_later(op: NNOp) -> bool:
    """Return whether only clamping ops read the sums of an op; their results are rounded then."""
    uses = op.result.uses
    return isinstance(op, ContractionOp) and all(clamps_sums(use.operation) for use in uses)


def _shared_rows(kernel: KernelOp) -> int:
    """Return of how many rows a core makes a part, where cores share a fold along outer axes."""
    config = kernel.config
    return config.number(ROWS) if config is not None and config.template_name == "row" else 0


def _is_read_below(op: NNOp, config: ConfigAttr | None, multiple: int) -> bool:
    """Return whether an op is a product whose last tile has rows below the left-hand side."""
    return (
        isinstance(op, MatMulOp | ScaledMatMulOp)
        and config is not None
        and config.template_name in ("gemm", "scaled")
        and overhangs(config, bounds_of(op.result.type)[-2], multiple)
    )


def _is_read_beyond(op: NNOp, kernel: KernelOp) -> bool:
    """Return whether an op is a product whose last tile has columns after the right-hand side."""
    config = kernel.config
    return (
        isinstance(op, MatMulOp)
        and config is not None
        and config.template_name in ("gemv", "gemm")
        and bool(open_columns(kernel))
        and bounds_of(op.result.type)[-1] % config.ints("tile")[0] != 0
    )


def _is_attention(kernel: KernelOp) -> bool:
    return kernel.config is not None and kernel.config.template_name == "attention"


def _constant(op: ConstantOp) -> Value:
    """Return a constant of one number; larger ones are operands of the kernel."""
    attribute = op.value
    numbers = _numbers(attribute)
    if numbers is None or len(numbers) != 1:
        fail(
            op,
            f"inside a kernel must be a single number, found {attribute.type}; larger ones are "
            "operands of the kernel",
        )
    number = numbers[0]
    element = attribute.type.get_element_type()

    def at(scope: Scope, point: Coordinates) -> Expr:
        return scope.const(number, element)

    return Value(element, bounds_of(attribute.type), at)


def _numbers(attribute: ConstantValue) -> tuple[float | int, ...] | None:
    """Return the elements of a small constant, ``None`` for one that is kept elsewhere."""
    if not isinstance(attribute, DenseAttr):
        return None
    if attribute.type.get_element_type() == bf16:
        # A bfloat16 is the upper half of a 32-bit float.
        halves = struct.iter_unpack("2s", attribute.data.data)
        return tuple(struct.unpack("<f", bytes(2) + half)[0] for (half,) in halves)
    return attribute.numbers()


def outline(pipeline: PipelineOp) -> Hashable:
    """Return a key that pipelines share which compute the same, and few others."""
    types = (value.type for value in pipeline.body.block.args)
    return (*types, *(op.name for op in pipeline.walk()))


def signature(pipeline: PipelineOp) -> str:
    """Return a text that two pipelines share if and only if they compute the same."""
    name, pipeline.sym_name = pipeline.sym_name, StringAttr("_")
    text = str(pipeline)
    pipeline.sym_name = name
    return text
