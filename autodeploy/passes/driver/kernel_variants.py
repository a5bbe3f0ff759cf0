"""Kernels for the strides of their buffers.

A kernel knows extents and strides as constants. A call with other strides gets a variant of the
kernel. If all calls agree, the kernel itself is changed.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
from xdsl.ir import Attribute
from xdsl.rewriter import InsertPoint, Rewriter

from autodeploy.dialects.driver import CallOp, ProgramOp, buffer_of
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.types import BufferType


def specialise(program: ProgramOp, pipelines: dict[str, PipelineOp]) -> None:
    """Give every call a pipeline whose buffers have the strides of the operands.

    ``pipelines`` are those of the module by name; variants are added to it.
    """
    calls: dict[str, dict[tuple[BufferType, ...], list[CallOp]]] = {}
    for call in program.body.walk():
        if isinstance(call, CallOp):
            types = tuple(buffer_of(value.type) for value in (*call.inputs, *call.outputs))
            calls.setdefault(call.callee.string_value(), {}).setdefault(types, []).append(call)
    for name, variants in calls.items():
        pipeline = pipelines.get(name)
        if pipeline is None:
            continue
        own = tuple(argument.type for argument in pipeline.body.block.args)
        if any(not _same_extents(own, types) for types in variants):
            continue  # the verifier says what is wrong with the call
        ordered = sorted(variants.items(), key=lambda item: item[0] != own)
        for number, (types, users) in enumerate(ordered):
            if number == 0:
                _retype(pipeline, types)
                continue
            variant = pipeline.clone()
            variant.sym_name = StringAttr(_free_name(name, pipelines))
            pipelines[variant.sym_name.data] = variant
            Rewriter.insert_op(variant, InsertPoint.after(pipeline))
            _retype(variant, types)
            for call in users:
                call.callee = SymbolRefAttr(variant.sym_name.data)


def _same_extents(own: tuple[Attribute, ...], types: tuple[BufferType, ...]) -> bool:
    return len(own) == len(types) and all(
        isinstance(mine, BufferType)
        and (mine.element, mine.extents) == (other.element, other.extents)
        for mine, other in zip(own, types, strict=True)
    )


def _retype(pipeline: PipelineOp, types: tuple[BufferType, ...]) -> None:
    for argument, type_ in zip(pipeline.body.block.args, types, strict=True):
        if argument.type != type_:
            Rewriter.replace_value_with_new_type(argument, type_)


def _free_name(name: str, taken: dict[str, PipelineOp]) -> str:
    """Return the name of another variant of a kernel: ``conv_3_strided``, ``conv_3_strided2``."""
    candidate, number = f"{name}_strided", 1
    while candidate in taken:
        number += 1
        candidate = f"{name}_strided{number}"
    return candidate
