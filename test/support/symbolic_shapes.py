"""The shapes of a model with open extents, beside those of PyPI's onnx-shape-inference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import pytest
from onnx import ModelProto, numpy_helper

from autodeploy.dialects.extents import Extent, Numbers
from autodeploy.dialects.nn.open_extent import EXTENT_ATTRIBUTE
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.models import import_any_model
from autodeploy.frontend.names import value_hint
from autodeploy.frontend.open_sizes import OpenSizes, OpenSpec
from autodeploy.pipelines import stages

_LAST = "convert-onnx-to-nn"


@dataclass(frozen=True)
class Agreement:
    """How many extents of equal tensors were compared, and those that differ."""

    compared: int
    different: list[str]


def agreement(
    model: ModelProto, dynamic: Mapping[str, tuple[int, ...]], dims: Mapping[str, int]
) -> Agreement:
    """Compare the extents of all tensors that both name, for several numbers of the ranges.

    Extents for which the package has a name of its own, not of the model, are left out. The test is
    skipped where the package is not installed.
    """
    inference = pytest.importorskip(
        "onnx_shape_inference", reason="the package onnx-shape-inference is not installed"
    )
    import onnx_ir
    import sympy

    own, numbers = _own(model, dynamic, dims)
    inferred = inference.infer_symbolic_shapes(onnx_ir.from_proto(model), warn_on_missing=False)
    points = [_numbers(numbers, index, dims) for index in _places(numbers)]
    compared, different = 0, []
    for tensor in (tensor for node in inferred.graph for tensor in node.outputs):
        shape = own.get(value_hint(tensor.name))
        if shape is None or tensor.shape is None:
            continue
        assert len(shape) == len(tensor.shape), tensor.name
        for extent, other in zip(shape, tensor.shape, strict=True):
            expression = sympy.sympify(other if isinstance(other, int) else str(other))
            free = {str(symbol) for symbol in expression.free_symbols}
            if not free <= points[0][1].keys():
                continue
            compared += 1
            for counts, values in points:
                found = extent.at(counts) if isinstance(extent, Extent) else extent
                if found != expression.subs(values):
                    text = f"{tensor.name}: {found} in {shape}, {expression} for {values}"
                    different.append(text)
    return Agreement(compared, different)


def _own(
    model: ModelProto, dynamic: Mapping[str, tuple[int, ...]], dims: Mapping[str, int]
) -> tuple[Mapping[str, tuple[int, ...]], Numbers]:
    """Return the shapes of the values of a model by their names, when it is converted to nn."""
    ctx, sizes = new_context(), OpenSizes.of(OpenSpec.of(dynamic), dims)
    module = import_any_model(ctx, model.SerializeToString(), dims=sizes.dims, axes=sizes.axes)
    module.attributes[EXTENT_ATTRIBUTE] = sizes.extent
    for step in (step for stage in stages(0) for step in stage.passes):
        step.apply(ctx, module)
        if step.name == _LAST:
            break
    values = (value for op in module.walk() for value in op.results)
    named = {value.name_hint: shape_of(value.type) for value in values if value.name_hint}
    return named, sizes.extent.grid


def _places(numbers: Numbers) -> list[int]:
    return sorted({0, numbers.points // 3, numbers.points // 2, numbers.points - 1})


def _numbers(
    numbers: Numbers, index: int, dims: Mapping[str, int]
) -> tuple[tuple[int, ...], Mapping[str, int]]:
    """Return the counts of steps at a place of the grid, and all numbers by their names."""
    counts = numbers.counts_at(index)
    pairs = zip(numbers.ranges, counts, strict=True)
    return counts, {**dims, **{range_.label: range_.number(count) for range_, count in pairs}}


def with_inputs(model: ModelProto, **shapes: tuple[int | str, ...]) -> ModelProto:
    """Return a model with other extents of inputs, and zeros for weights that its file lacks.

    The shapes that it declares of other values are forgotten.
    """
    for info in model.graph.input:
        for dim, extent in zip(
            info.type.tensor_type.shape.dim, shapes.get(info.name, ()), strict=False
        ):
            if isinstance(extent, str):
                dim.dim_param = extent
            else:
                dim.dim_value = extent
    for info in model.graph.output:
        info.type.tensor_type.ClearField("shape")
    del model.graph.value_info[:]
    for tensor in model.graph.initializer:
        if tensor.data_type == tensor.FLOAT and not (tensor.raw_data or tensor.float_data):
            tensor.raw_data = bytes(4 * prod(tensor.dims))
    return model


def of_any_batch(model: ModelProto) -> ModelProto:
    """Return a model whose reshapes leave a batch of 1 to be found."""
    shapes = {node.input[1] for node in model.graph.node if node.op_type == "Reshape"}
    for tensor in model.graph.initializer:
        if tensor.name in shapes:
            shape = numpy_helper.to_array(tensor).copy()
            if shape.size and shape[0] == 1 and (shape > 0).all():
                shape[0] = -1
            tensor.CopyFrom(numpy_helper.from_array(shape, tensor.name))
    return model
