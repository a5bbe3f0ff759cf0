"""Graphs with open extents as nn ops, evaluated at every number without a compilation."""

from __future__ import annotations

from collections.abc import Iterator

import nn_numpy
import numpy as np
from fuzz_case import FuzzCase
from fuzz_numbers import Array
from fuzz_reference import sample
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute

from autodeploy.dialects.extents import Counts, Extent
from autodeploy.dialects.nn.base import i64_array, ints
from autodeploy.dialects.nn.extent_attr import ExtentsAttr
from autodeploy.dialects.nn.open_extent import EXTENT_ATTRIBUTE
from autodeploy.dialects.nn.types import element_of, shape_of
from autodeploy.frontend.models import import_any_model
from autodeploy.frontend.open_sizes import OpenSizes
from autodeploy.pipelines import stages

_LAST = "convert-onnx-to-nn"


def converted(ctx: Context, case: FuzzCase) -> ModuleOp:
    """Return a case as nn ops, whose types have the extents of all numbers.

    Raises ``DiagnosticException`` for one that is refused.
    """
    model, specs = case.model.SerializeToString(), case.settings["dynamic"]
    sizes = OpenSizes.of([range_ for spec in specs for range_ in spec.ranges], {})
    module = import_any_model(ctx, model, dims=sizes.dims, axes=sizes.axes)
    module.attributes[EXTENT_ATTRIBUTE] = sizes.extent
    for step in (step for stage in stages(0) for step in stage.passes):
        step.apply(ctx, module)
        if step.name == _LAST:
            return module
    raise AssertionError(_LAST)


def wrong_numbers(ctx: Context, case: FuzzCase, module: ModuleOp) -> Iterator[tuple[Counts, str]]:
    """Yield the numbers for which a converted case is not what ONNX's reference computes.

    The ranges of its open extents begin with 1.
    """
    for number, run in zip(case.numbers, case.runs, strict=True):
        found, *shape = nn_numpy.evaluate(ctx, at(module, number), [run.inputs["x"]])
        for extents in shape:  # there is room for more elements than count
            found = found.reshape(-1)[: extents.prod()].reshape(extents)
        (name,) = case.outputs
        expected = sample(run)[name]
        if found.shape != expected.shape:
            yield number, f"shape {found.shape}, expected {expected.shape}"
        elif not np.allclose(found, expected, rtol=1e-4, atol=1e-4 * _largest(expected)):
            yield number, f"it is off by {np.abs(found - expected).max()}"


def _largest(array: Array) -> float:
    return float(np.abs(array).max(initial=0))


def at(module: ModuleOp, counts: Counts) -> ModuleOp:
    """Return a copy of a module whose extents are those for counts of steps."""
    copy = module.clone()
    for op in copy.walk():
        arguments = (a for region in op.regions for block in region.blocks for a in block.args)
        for value in (*op.results, *arguments):
            value._type = _type_at(value.type, counts)
        for name, value in op.properties.items():
            if isinstance(value, ExtentsAttr):
                op.properties[name] = i64_array([_at(n, counts) for n in ints(value)])
    return copy


def _type_at(type_: Attribute, counts: Counts) -> Attribute:
    if not isinstance(type_, TensorType):
        return type_
    return TensorType(element_of(type_), [_at(extent, counts) for extent in shape_of(type_)])


def _at(extent: int, counts: Counts) -> int:
    return extent.at(counts) if isinstance(extent, Extent) else extent
