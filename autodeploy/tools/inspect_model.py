"""``autodeploy.inspect``: the contents of a model, and the needs of its program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import DiagnosticException
from xdsl.utils.hints import isa

from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.nn.marks import BOUND_ATTRIBUTE
from autodeploy.tools.inspection import InspectedTensor, Inspection, Needs

if TYPE_CHECKING:
    import numpy.typing as npt

    from autodeploy.frontend.models import AnyModel


def inspect(
    model: AnyModel,
    *,
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, npt.ArrayLike] | None = None,
    bounds: Mapping[str, int] | None = None,
    operators: str | Path | None = None,
    pools: str = "",
) -> Inspection:
    """Return the contents of a model and the needs of its program, without compiling it.

    The model and the options are those of ``autodeploy.compile``. Raises ``UserError`` if the
    model cannot be read or an option does not fit; nodes that are not
    supported are a part of the result.
    """
    from autodeploy.dialects.registry import new_context
    from autodeploy.frontend.models import import_any_model, source_of
    from autodeploy.frontend.onnx.description import doc_string_of, metadata_of, opsets_of

    ctx = new_context()
    module = import_any_model(
        ctx,
        source_of(model),
        shapes=shapes,
        dims=dims,
        values=values,
        bounds=bounds,
        operators=operators,
    )
    name = module.attributes.get("nn.model")
    main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    signature = main.function_type
    counts = Counter(_operator(op) for op in main.body.walk() if _is_of_node(op))
    weights, weight_bytes = _weights(module)
    return Inspection(
        name.data if isinstance(name, StringAttr) else None,
        opsets_of(module),
        _tensors(signature.inputs.data, main.arg_attrs),
        _tensors(signature.outputs.data, main.res_attrs),
        dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
        weights,
        weight_bytes,
        doc_string=doc_string_of(module),
        metadata=metadata_of(module),
        needs=_needed(ctx, module, pools),  # at last, as it lowers the module
    )


def _weights(module: ModuleOp) -> tuple[int, int]:
    """Return the elements of all constants, and their bytes."""
    from autodeploy.dialects.nn.constant import ConstantOp
    from autodeploy.dialects.nn.types import ELEMENT_BYTES, bounds_of, element_of

    constants = {op.value for op in module.walk() if isinstance(op, ConstantOp)}
    sizes = [(prod(bounds_of(v.type)), ELEMENT_BYTES[element_of(v.type)]) for v in constants]
    return sum(n for n, _ in sizes), sum(n * b for n, b in sizes)


_NO_NODES = ("nn.constant", "func.return", "onnx.yield")


def _is_of_node(op: Operation) -> bool:
    """Return whether an op stands for a node; a check of an input has no results."""
    given = BOUND_ATTRIBUTE in op.attributes  # by the user
    return op.name not in _NO_NODES and bool(op.results) and not given


def _operator(op: Operation) -> str:
    from autodeploy.dialects.onnx import CustomOp, OnnxOp
    from autodeploy.lowering.onnx_to_nn.problems import operator_of

    return operator_of(op) if isinstance(op, OnnxOp | CustomOp) else op.name


def _tensors(
    types: Sequence[Attribute], given: ArrayAttr[DictionaryAttr] | None
) -> tuple[InspectedTensor, ...]:
    """Return the names, element types and extents of inputs or outputs, from their attributes."""
    from autodeploy.dialects.nn.stored import INTERFACE_NAMES
    from autodeploy.frontend.names import original_text
    from autodeploy.frontend.onnx.open_inputs import model_dims
    from autodeploy.frontend.onnx.shapes import DIMS_ATTRIBUTE

    found: list[InspectedTensor] = []
    for index, type_ in enumerate(types):
        attributes: Mapping[str, Attribute] = given.data[index].data if given else {}
        label = attributes.get("nn.name")
        name = original_text(label.data) if isinstance(label, StringAttr) else str(index)
        if not isa(type_, TensorType[Attribute]):
            found.append(InspectedTensor(name))
            continue
        element = INTERFACE_NAMES.get(type_.element_type, str(type_.element_type))
        dims = model_dims(type_, attributes.get(DIMS_ATTRIBUTE))
        shape = tuple(original_text(dim) if isinstance(dim, str) else dim for dim in dims)
        found.append(InspectedTensor(name, element, shape))
    return tuple(found)


def _needed(ctx: Context, module: ModuleOp, pools: str) -> Needs:
    """Return what is not supported, or how much a run computes and how much memory that takes."""
    from autodeploy.codegen.c.read_program import find_program
    from autodeploy.codegen.halide.compile_kernels import CompileKernelsPass
    from autodeploy.frontend.onnx.open_inputs import open_inputs
    from autodeploy.frontend.problems import report
    from autodeploy.lowering.onnx_to_nn.missing import missing_operators
    from autodeploy.passes.driver.name_weights import NameWeightsPass
    from autodeploy.passes.fusion.integer_use import integer_use
    from autodeploy.passes.fusion.use_integers import UseIntegersPass
    from autodeploy.pipelines import DEFAULT_LEVEL, stages

    is_open = open_inputs(module)
    first, nn, *rest = stages(DEFAULT_LEVEL, pools=pools)
    try:
        for step in first.passes:
            step.apply(ctx, module)
        if is_open is not None:
            problems = missing_operators(module)
            return Needs(tuple(report(problems)) if problems else (), is_open)
        for step in nn.passes:
            step.apply(ctx, module)
    except UnsupportedError as error:
        return Needs(tuple(str(error).split("\n")), is_open)
    except DiagnosticException:
        if is_open is None:
            raise
        return Needs(open=is_open)  # the reason, or hides it
    multiply_adds = sum(map(_multiply_adds, module.walk()))
    integers: tuple[str, ...] = ()
    for stage in rest:
        for step in stage.passes:
            if not isinstance(step, CompileKernelsPass | NameWeightsPass):
                step.apply(ctx, module)
            if isinstance(step, UseIntegersPass):
                integers = tuple(integer_use(module))
    program = find_program(module)
    arena, weights = program.arena_bytes, program.weight_bytes
    ends = [start for _, start in program.pools[1:]] + ([] if arena is None else [arena.value.data])
    return Needs(
        multiply_adds=multiply_adds,
        integers=integers,
        arena_bytes=None if arena is None else arena.value.data,
        weight_bytes=None if weights is None else weights.value.data,
        pools={name: end - start for (name, start), end in zip(program.pools, ends, strict=False)},
    )


def _multiply_adds(op: Operation) -> int:
    from autodeploy.dialects.nn.contraction import ContractionOp

    return op.multiply_adds if isinstance(op, ContractionOp) else 0
