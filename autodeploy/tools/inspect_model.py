"""The lines of ``autodeploy inspect``: the contents of a model and its needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.hints import isa

from autodeploy.analysis.sizes import readable_bytes
from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.nn.bound import BOUND_ATTRIBUTE
from autodeploy.tools.model_options import ModelOptions


def inspected(model: Path, given: ModelOptions) -> Iterator[str]:
    """Yield the lines about a model; raises ``UserError`` if it cannot be read."""
    from autodeploy.dialects.registry import new_context
    from autodeploy.frontend.models import import_any_model

    ctx = new_context()
    module = import_any_model(ctx, model, **given)
    yield from _described(module)
    yield from _needed(ctx, module)


def _described(module: ModuleOp) -> Iterator[str]:
    """Print the contents of an imported model."""
    from autodeploy.dialects.nn.constant import ConstantOp
    from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, element_of

    name, opsets = module.attributes.get("nn.model"), module.attributes.get("onnx.opset")
    title = f"model '{name.data}'" if isinstance(name, StringAttr) else "a model without a name"
    if isinstance(opsets, DictionaryAttr):
        versions = (f"{d} {v.value.data}" for d, v in opsets.data.items() if isa(v, IntegerAttr))
        title += f", opset {', '.join(versions)}"
    yield title
    main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    signature = main.function_type
    for kind, types, given in (
        ("input", signature.inputs.data, main.arg_attrs),
        ("output", signature.outputs.data, main.res_attrs),
    ):
        for index, type_ in enumerate(types):
            yield f"{kind:6}  {_tensor(type_, given.data[index].data if given else {}, index)}"
    counts = Counter(_operator(op) for op in main.body.walk() if _is_of_node(op))
    yield f"{_number(counts.total(), 'node')} of {_number(len(counts), 'operator')}"
    width = max(map(len, counts), default=0)
    for operator, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {operator:{width}}  {count:5}"
    constants = {op.value for op in module.walk() if isinstance(op, ConstantOp)}
    sizes = [(prod(bounds_of(v.type)), ELEMENT_BYTES[element_of(v.type)]) for v in constants]
    numbers, size = sum(n for n, _ in sizes), sum(n * b for n, b in sizes)
    yield f"weights: {_number(numbers, 'number')}, {readable_bytes(size)}"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


_NO_NODES = ("nn.constant", "func.return", "onnx.yield")


def _is_of_node(op: Operation) -> bool:
    """Return whether an op stands for a node; a check of an input has no results."""
    given = BOUND_ATTRIBUTE in op.attributes  # by the user
    return op.name not in _NO_NODES and bool(op.results) and not given


def _operator(op: Operation) -> str:
    from autodeploy.dialects.onnx import CustomOp, OnnxOp
    from autodeploy.lowering.onnx_to_nn.problems import operator_of

    return operator_of(op) if isinstance(op, OnnxOp | CustomOp) else op.name


def _tensor(type_: Attribute, attributes: Mapping[str, Attribute], index: int) -> str:
    """Return the name, the element type and the extents of an input or an output."""
    from autodeploy.dialects.nn.stored import INTERFACE_NAMES
    from autodeploy.frontend.names import original_text
    from autodeploy.frontend.onnx.open_inputs import model_dims
    from autodeploy.frontend.onnx.shapes import DIMS_ATTRIBUTE, listed_shape

    label = attributes.get("nn.name")
    name = original_text(label.data) if isinstance(label, StringAttr) else str(index)
    if not isa(type_, TensorType[Attribute]):
        return f"{name}: of unknown rank"
    element = INTERFACE_NAMES.get(type_.element_type, str(type_.element_type))
    shape = listed_shape(model_dims(type_, attributes.get(DIMS_ATTRIBUTE)))
    return f"{name}: {element} {original_text(shape)}"


def _needed(ctx: Context, module: ModuleOp) -> Iterator[str]:
    """Tell what is not supported, or how much a run computes and how much memory that takes."""
    from autodeploy.codegen.c.read_program import find_program
    from autodeploy.codegen.halide.compile_kernels import CompileKernelsPass
    from autodeploy.frontend.onnx.open_inputs import open_inputs
    from autodeploy.frontend.problems import report
    from autodeploy.lowering.onnx_to_nn.missing import missing_operators
    from autodeploy.passes.fusion.integer_use import integer_use
    from autodeploy.passes.fusion.use_integers import UseIntegersPass
    from autodeploy.pipelines import DEFAULT_LEVEL, stages

    is_open = open_inputs(module)
    first, nn, *rest = stages(DEFAULT_LEVEL)
    try:
        for step in first.passes:
            step.apply(ctx, module)
        if is_open is not None:
            if problems := missing_operators(module):
                first, *listed = report(problems)
                yield from (f"not supported: {first}", *listed)
            else:
                yield "all operators are supported"
            yield f"multiply-adds and memory depend on the extents of the inputs: {is_open}"
            return
        for step in nn.passes:
            step.apply(ctx, module)
    except UnsupportedError as error:
        yield from f"not supported: {error}".split("\n")
        return
    except DiagnosticException:
        if is_open is None:
            raise
        yield is_open  # the reason, or hides it
        return
    yield "all operators are supported"
    count = sum(map(_multiply_adds, module.walk()))
    yield f"multiply-adds of convolutions and products: {count:,}"
    for stage in rest:
        for step in stage.passes:
            if not isinstance(step, CompileKernelsPass):
                step.apply(ctx, module)
            if isinstance(step, UseIntegersPass):
                yield from integer_use(module)
    program = find_program(module)
    if program.arena_bytes is not None and program.weight_bytes is not None:
        arena, weights = program.arena_bytes.value.data, program.weight_bytes.value.data
        yield (
            f"memory of a program: {readable_bytes(arena)} for values, without scratch memory of "
            f"kernels, {readable_bytes(weights)} for weights"
        )


def _multiply_adds(op: Operation) -> int:
    from autodeploy.dialects.nn.contraction import ContractionOp

    return op.multiply_adds if isinstance(op, ContractionOp) else 0
