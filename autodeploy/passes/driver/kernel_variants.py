"""Kernels for the strides of their buffers.

A kernel knows extents and strides as constants, but those strides that only a call brings. A call
with other strides gets a variant of the kernel. If all calls agree, the kernel itself is changed.
"""

from __future__ import annotations

from typing import TypeAlias

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, SymbolRefAttr, i64
from xdsl.ir import Attribute
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.driver import CallOp, ProgramOp, buffer_of
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.types import BufferType

_Buffers: TypeAlias = tuple[tuple[BufferType, ...], tuple[int, ...]]
"""The types of the operands of a call, and which of them are packed."""


def specialise(program: ProgramOp, pipelines: dict[str, PipelineOp]) -> None:
    """Give every call a pipeline whose buffers have the strides of the operands, packed or not.

    ``pipelines`` are those of the module by name; variants are added to it.
    """
    calls: dict[str, dict[_Buffers, list[CallOp]]] = {}
    for call in program.body.walk():
        if isinstance(call, CallOp):
            types = tuple(buffer_of(value.type) for value in (*call.inputs, *call.outputs))
            buffers = types, program.packed_among(call.operands)
            calls.setdefault(call.callee.string_value(), {}).setdefault(buffers, []).append(call)
    for name, variants in calls.items():
        pipeline = pipelines.get(name)
        if pipeline is None:
            continue
        own = tuple(argument.type for argument in pipeline.body.block.args)
        if any(not _same_extents(own, types) for types, _ in variants):
            continue  # the verifier says what is wrong with the call
        ordered = sorted(variants.items(), key=lambda item: item[0] != (own, ()))
        for number, (buffers, users) in enumerate(ordered):
            if number == 0:
                _retype(pipeline, buffers)
                continue
            variant = new_variant(pipeline, pipelines)
            _retype(variant, buffers)
            for call in users:
                call.callee = SymbolRefAttr(variant.sym_name.data)


def _same_extents(own: tuple[Attribute, ...], types: tuple[BufferType, ...]) -> bool:
    return len(own) == len(types) and all(
        isinstance(mine, BufferType)
        and (mine.element, mine.extents) == (other.element, other.extents)
        for mine, other in zip(own, types, strict=True)
    )


def _retype(pipeline: PipelineOp, buffers: _Buffers) -> None:
    types, packed = buffers
    pipeline.packed = DenseArrayBase.from_list(i64, list(packed)) if packed else None
    for argument, type_ in zip(pipeline.body.block.args, types, strict=True):
        if argument.type != type_:
            Rewriter.replace_value_with_new_type(argument, type_)


def new_variant(pipeline: PipelineOp, pipelines: dict[str, PipelineOp]) -> PipelineOp:
    """Copy a kernel; the copy of ``conv_3`` is ``conv_3_strided``, the next ``conv_3_strided2``."""
    name = pipeline.sym_name.data
    candidate, number = f"{name}_strided", 1
    while candidate in pipelines:
        number += 1
        candidate = f"{name}_strided{number}"
    variant = pipelines[candidate] = pipeline.clone()
    variant.sym_name = StringAttr(candidate)
    Rewriter.insert_op(variant, InsertPoint.after(pipeline))
    return variant
