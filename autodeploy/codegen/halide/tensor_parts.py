"""A pipeline with a product on tensor cores as parts, which the device starts one after another.

Halide compiles the image with its padding, before the product, and the rest of the kernel after it,
each as a pipeline of its own. The parts pass on arrays in the memory of the device.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, f32, i64
from xdsl.ir import BlockArgument
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.codegen.halide.device_code import PART, DeviceCode
from autodeploy.codegen.halide.device_starts import Launch
from autodeploy.codegen.halide.tensor_text import THREADS, tensor_text
from autodeploy.dialects.halide.algorithm import FuncOp, LoadOp, UpdateOp
from autodeploy.dialects.halide.pipeline import OutputOp, PipelineOp
from autodeploy.dialects.halide.schedule import ComputeRootOp, FuncScheduleOp
from autodeploy.dialects.halide.tensor_cores import Factor, TensorCoresOp, product_of
from autodeploy.dialects.halide.types import BufferType
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.types import ELEMENT_BYTES


@dataclass(frozen=True)
class Part:
    """A pipeline, and the buffer or the array of the whole that each of its buffers is.

    Arrays are numbered after the buffers of the whole. ``symbol`` begins the names of its entries.
    """

    pipeline: PipelineOp
    buffers: tuple[int, ...]
    symbol: str

    def placed(self, code: DeviceCode, first: int) -> DeviceCode:
        """Return the code of the part in the whole, where its own arrays begin at ``first``."""

        def place(argument: int | str) -> int:
            assert isinstance(argument, int)  # no extent is dynamic
            own = argument - len(self.buffers)
            return self.buffers[argument] if own < 0 else first + own

        launches = (replace(one, args=tuple(map(place, one.args))) for one in code.launches)
        return replace(code, launches=tuple(launches))


@dataclass(frozen=True)
class TensorParts:
    """The parts of a pipeline: ``image`` before the product, if there is any, and ``rest``.

    ``product`` is the code of the product, with the arrays that parts pass on.
    """

    image: Part | None
    product: DeviceCode
    rest: Part

    def code(self, image: DeviceCode | None, rest: DeviceCode) -> DeviceCode:
        """Return the code of the whole pipeline from the codes of the other parts."""
        first = max(self.rest.buffers) + len(self.product.arrays)
        if self.image is None or image is None:
            codes = [self.product, self.rest.placed(rest, first)]
        else:
            rest = self.rest.placed(rest, first + len(image.arrays))
            codes = [self.image.placed(image, first), self.product, rest]
        arrays = [*self.product.arrays, *(image.arrays if image else ()), *rest.arrays]
        return DeviceCode(
            tuple(line for code in (image, rest) if code for line in code.preamble),
            "".join(code.source for code in codes),
            tuple(launch for code in codes for launch in code.launches),
            tuple(arrays),
        )


def tensor_parts(pipeline: PipelineOp, symbol: str) -> TensorParts | None:
    """Return the parts of a pipeline; ``None`` if it has no product on tensor cores."""
    found = [op for op in pipeline.walk() if isinstance(op, TensorCoresOp)]
    if not found:
        return None
    (directive,) = found
    stored, product = directive.func, product_of(directive.func)
    assert isinstance(stored.owner, FuncOp)
    factors = (product.left, product.right)
    buffers, inputs = len(pipeline.body.block.args), len(pipeline.inputs)
    images = [op for op in (product.left.source.owner,) if isinstance(op, FuncOp)]
    # The image is an array after that of the sums.
    image = None
    if images:
        image = Part(_image(pipeline), (*range(inputs), buffers + 1), f"{symbol}{PART}0")
    entry = f"{symbol}{PART}{len(images)}"
    before = [_elements_before(pipeline, factor) for factor in factors]
    text, grid = tensor_text(
        entry, product, directive.element.data, directive.tile, (before[0], before[1])
    )
    args = [
        factor.source.index if isinstance(factor.source, BlockArgument) else buffers + 1
        for factor in factors
    ]
    launch = Launch(entry, grid, (THREADS, 1, 1), 0, (*args, buffers))
    rest = Part(
        _rest(pipeline),
        (*range(inputs), buffers, *range(inputs, buffers)),
        f"{symbol}{PART}{len(images) + 1}",
    )
    sizes = tuple(ELEMENT_BYTES[f32] * prod(f.known_extents) for f in (stored.owner, *images))
    return TensorParts(image, DeviceCode((), text, (launch,), sizes), rest)


def _elements_before(pipeline: PipelineOp, factor: Factor) -> int:
    source = factor.source
    return pipeline.first_elements[source.index] if isinstance(source, BlockArgument) else 0


def _copy(pipeline: PipelineOp) -> tuple[PipelineOp, TensorCoresOp]:
    """Return a copy of a pipeline, and the directive in it."""
    copy = pipeline.clone()
    (directive,) = (op for op in copy.walk() if isinstance(op, TensorCoresOp))
    return copy, directive


def _rest(pipeline: PipelineOp) -> PipelineOp:
    """Return a pipeline whose last input is the sums of the product."""
    copy, directive = _copy(pipeline)
    sums = directive.func.owner
    assert isinstance(sums, FuncOp)
    buffer = _add_buffer(copy, len(copy.inputs), sums)
    for load in [use.operation for use in sums.result.uses]:
        if isinstance(load, LoadOp):
            Rewriter.replace_op(load, LoadOp(buffer, load.indices))
    _drop_unread(copy)
    return copy


def _image(pipeline: PipelineOp) -> PipelineOp:
    """Return a pipeline that computes the left factor."""
    copy, directive = _copy(pipeline)
    image = product_of(directive.func).left.source.owner
    assert isinstance(image, FuncOp)
    buffer = _add_buffer(copy, len(copy.inputs), image)
    for op in [op for op in copy.body.block.ops if isinstance(op, OutputOp)]:
        Rewriter.erase_op(op)
    for argument in copy.body.block.args[-len(pipeline.outputs) :]:
        copy.body.block.erase_arg(argument)
    copy.output_count = IntegerAttr(1, i64)
    if copy.starts is not None:
        kept = copy.first_elements[: len(copy.body.block.args)]
        copy.starts = DenseArrayBase.from_list(i64, list(kept))
    for use in list(image.result.uses):
        if isinstance(use.operation, ComputeRootOp):
            Rewriter.erase_op(use.operation)
    Rewriter.insert_op(OutputOp(image.result, buffer), InsertPoint.after(image))
    _drop_unread(copy)
    return copy


def _add_buffer(pipeline: PipelineOp, place: int, func: FuncOp) -> BlockArgument:
    """Add a buffer for the values of a func, from the first element of its memory on."""
    buffer = pipeline.body.block.insert_arg(BufferType(f32, func.known_extents), place)
    buffer.name_hint = func.func_name.data
    if pipeline.starts is not None:
        starts = list(ints(pipeline.starts))
        pipeline.starts = DenseArrayBase.from_list(i64, [*starts[:place], 0, *starts[place:]])
    return buffer


def _drop_unread(pipeline: PipelineOp) -> None:
    """Remove funcs that nothing reads but themselves, with their directives."""
    funcs = [op for op in pipeline.body.block.ops if isinstance(op, FuncOp)]
    for func in reversed(funcs):
        uses = [use.operation for use in func.result.uses]
        updates = {op for op in uses if isinstance(op, UpdateOp)}
        if all(isinstance(op, FuncScheduleOp) or {op, op.parent_op()} & updates for op in uses):
            for op in uses:
                if isinstance(op, FuncScheduleOp | UpdateOp):
                    Rewriter.erase_op(op)
            Rewriter.erase_op(func)
