"""The extents that the types of a function state, for all numbers of a run.

The conversion from ONNX computes them. The rules for open axes look at some of the numbers; what
they find is compared with the tables, for all numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from autodeploy.analysis.extent_growths import equals, growth_of
from autodeploy.analysis.open_places import Cut, Cuts
from autodeploy.dialects.extent_attr import is_varying
from autodeploy.dialects.extents import Counts, Extent, Numbers
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.control_flow import ForOp
from autodeploy.dialects.nn.growth import CONSTANT, Growth
from autodeploy.dialects.nn.movement import SliceOp
from autodeploy.dialects.nn.open_extent import Axes
from autodeploy.dialects.nn.places import Line, SampledOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.nn.window import PoolOp

_MOST_SAMPLES = 64
"""At how many numbers the rules look."""

Shape: TypeAlias = tuple[int, ...]


class StatedExtents:
    """The extents in types and properties of a function, read before the pass removes them."""

    def __init__(self, numbers: Numbers, func: FuncOp):
        self.numbers = numbers
        self.extents: dict[SSAValue, Shape] = {}
        """The shapes that differ between numbers."""
        self.known: dict[SSAValue, None] = {}
        """All values of the function as it was read."""
        self.cuts: dict[SliceOp, Cuts] = {}
        """The starts and sizes of slices for the samples, if they differ."""
        self._lines: dict[SampledOp, Sequence[Shape]] = {}
        self._pads: dict[ConvOp | PoolOp, Shape] = {}
        self._steps: dict[ForOp, int] = {}
        self._growths: dict[object, Growth | None] = {}
        for op in func.walk():
            self._read(op)

    def _read(self, op: Operation) -> None:
        arguments = (a for region in op.regions for block in region.blocks for a in block.args)
        for value in (*op.results, *arguments):
            self.known[value] = None
            if is_varying(value.type):
                self.extents[value] = shape_of(value.type)
        match op:
            case SliceOp():
                starts, sizes = ints(op.starts), ints(op.sizes)
                if _varies((*starts, *sizes)):
                    self.cuts[op] = {n: Cut(_at(starts, n), _at(sizes, n)) for n in self.samples}
            case ConvOp() | PoolOp():
                if _varies(pads := ints(op.pads)):
                    self._pads[op] = pads
            case SampledOp():
                arrays = [ints(op.properties[name]) for name in op.PLACE_PROPERTIES]  # pyright: ignore[reportArgumentType]
                if any(map(_varies, arrays)):
                    self._lines[op] = arrays
            case ForOp():
                if op.steps is not None and isinstance(steps := op.steps.value.data, Extent):
                    self._steps[op] = steps
                    op.steps = IntegerAttr(steps.most, 64)
            case _:
                pass

    @cached_property
    def samples(self) -> Sequence[Counts]:
        """Numbers at which rules look: all of a short range, else some, the ends among them."""
        points = self.numbers.points
        if points <= _MOST_SAMPLES:
            return [self.numbers.counts_at(i) for i in range(points)]
        ends = [(0, count - 1) for count in self.numbers.shape]
        corners = np.stack(np.meshgrid(*ends, indexing="ij"), -1).reshape(-1, len(ends))
        flat = [int(np.ravel_multi_index(tuple(corner), self.numbers.shape)) for corner in corners]
        spread = np.random.default_rng(0).permutation(points)[:_MOST_SAMPLES].tolist()
        return [self.numbers.counts_at(i) for i in dict.fromkeys((*flat, *spread))]

    @cached_property
    def axes(self) -> Mapping[SSAValue, Axes]:
        """How the axes of values grow that differ between numbers; constant where in no form."""
        return {
            value: tuple(self.growth(extent) or CONSTANT for extent in shape)
            for value, shape in self.extents.items()
        }

    def growth(self, extent: int) -> Growth | None:
        """Return how an extent grows, ``None`` where that has no form."""
        if not isinstance(extent, Extent):
            return CONSTANT
        if extent.key not in self._growths:
            self._growths[extent.key] = growth_of(extent)
        return self._growths[extent.key]

    def shapes(self, value: SSAValue) -> Mapping[Counts, Shape]:
        """Return the shapes that a value has for the samples."""
        shape = self.shape(value)
        return {counts: _at(shape, counts) for counts in self.samples}

    def pads(self, op: ConvOp | PoolOp) -> Mapping[Counts, Shape]:
        """Return the pads of an op for the samples; none where all are the same."""
        pads = self._pads.get(op)
        return {} if pads is None else {counts: _at(pads, counts) for counts in self.samples}

    def steps(self, op: ForOp) -> int | None:
        """Return how many steps a loop has that differ between numbers."""
        return self._steps.get(op)

    def lines(self, op: SampledOp) -> Mapping[Counts, Sequence[Line]]:
        """Return the places of a resize for the samples; none where all are the same."""
        arrays = self._lines.get(op)
        if arrays is None:
            return {}
        return {
            counts: [
                Line(*numbers).reduced()
                for numbers in zip(*(_at(array, counts) for array in arrays), strict=True)
            ]
            for counts in self.samples
        }

    def shape(self, value: SSAValue) -> Shape:
        """Return the shape of a value."""
        return self.extents.get(value) or shape_of(value.type)

    def differs(self, value: SSAValue, axes: Axes) -> int | None:
        """Return the first axis that does not grow as the type states, ``None`` if all do."""
        for axis, extent in enumerate(self.shape(value)):
            growth = axes[axis]
            same = equals(growth, extent) if isinstance(extent, Extent) else not growth
            if not same:
                return axis
        return None


def _varies(values: Sequence[int]) -> bool:
    return any(isinstance(value, Extent) for value in values)


def _at(values: Sequence[int], counts: Counts) -> Shape:
    return tuple(v.at(counts) if isinstance(v, Extent) else v for v in values)
