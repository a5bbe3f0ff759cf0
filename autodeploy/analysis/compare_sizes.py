"""How a model depends on an open extent: its ops for one number, compared with those for another.

The ops must be the same, and so must what they compute: only extents depend on the number, and
constants of fewer elements are the first ones of those of more. So a number that has become a part
of the computation (a mean over a batch, a condition) is found. Extents that are multiples of the
number, or do not depend on it, are taken as such; of others it is known what they are. What a slice
takes may depend on the number, too. One that takes all elements is removed before: one of the first
two exists for three, not for two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from autodeploy.analysis.open_places import Cut, Cuts
from autodeploy.analysis.telling_numbers import Telling
from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.locations import nodes_of
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.constant import ConstantOp, ConstantValue
from autodeploy.dialects.nn.contraction import ConvOp
from autodeploy.dialects.nn.control_flow import ForOp
from autodeploy.dialects.nn.growth import CONSTANT, Growth, solved
from autodeploy.dialects.nn.movement import ReshapeOp, SliceOp
from autodeploy.dialects.nn.open_extent import (
    AXES_ATTRIBUTE,
    EXTENT_ATTRIBUTE,
    SHAPE_ATTRIBUTE,
    Axes,
    OpenExtentAttr,
    axes_attr,
)
from autodeploy.dialects.nn.places import Line, SampledOp
from autodeploy.dialects.nn.types import shape_of
from autodeploy.dialects.nn.window import PoolOp
from autodeploy.weights import WeightStore

_KEPT = {
    *((SliceOp.name, name) for name in ("starts", "sizes", "steps")),
    (ForOp.name, "steps"),
}
"""Properties that say which elements a slice takes, and how many steps a loop has.

What they are for each number is kept.
"""


Shape: TypeAlias = tuple[int, ...]

Numbers: TypeAlias = tuple[int, ...]
"""A number of steps for each open extent."""


class KnownExtent(NamedTuple):
    """What the model has along an axis for ``numbers``: ``extent`` elements."""

    value: SSAValue
    axis: int
    numbers: Numbers
    extent: int


@dataclass(frozen=True)
class Compared:
    """The axes of values that are multiples of the number, and all extents for some numbers.

    ``cuts`` are what those slices take for these numbers that do not take the same for all, and
    ``steps`` how many a loop has.
    """

    axes: Mapping[SSAValue, Axes]
    known: Sequence[KnownExtent]
    cuts: Mapping[SliceOp, Cuts]
    steps: Mapping[ForOp, Mapping[Numbers, int]]
    samples: Mapping[Numbers, Sample]
    telling: Telling = field(default_factory=Telling)
    """Further numbers that tell what fits these samples from what does not."""

    def lines(self, op: SampledOp) -> Mapping[Numbers, Sequence[Line]]:
        """Return the places of a resize for some numbers; none where all are the same."""
        found = {n: s.lines[op] for n, s in self.samples.items() if op in s.lines}
        return found if any(lines != op.lines for lines in found.values()) else {}

    def shapes(self, value: SSAValue) -> Mapping[Numbers, Shape]:
        """Return the shapes that a value has for numbers for which that is known."""
        return {
            numbers: sample.shapes[value]
            for numbers, sample in self.samples.items()
            if value in sample.shapes
        }


@dataclass(frozen=True)
class Sample:
    """The shapes of the values of a model for some numbers, and what ops have for these.

    That is what slices take, the steps of loops, the places of resizes and the pads of windows.

    Where it is partial, ops are missing, as nothing is repeated along extents of 1; shapes are then
    those of the values that both models have.
    """

    shapes: Mapping[SSAValue, Shape]
    cuts: Mapping[SliceOp, Cut]
    steps: Mapping[ForOp, int]
    lines: Mapping[SampledOp, Sequence[Line]]
    pads: Mapping[ConvOp | PoolOp, Shape]
    is_partial: bool = False

    def needs_another(self) -> bool:
        """Tell whether further numbers say more.

        They do where a slice begins at another place than for the largest ones, where windows find
        another padding, and where ops were missing.
        """
        return (
            self.is_partial
            or any(cut.starts != ints(op.starts) for op, cut in self.cuts.items())
            or any(pads != ints(op.pads) for op, pads in self.pads.items())
        )

    def has_other_lines(self) -> bool:
        """Tell whether a resize has other places than for the largest numbers."""
        return any(lines != op.lines for op, lines in self.lines.items())


def compare_with(
    ctx: Context, module: ModuleOp, other: ModuleOp, extent: OpenExtentAttr, numbers: Numbers
) -> Sample:
    """Return the shapes that the values of ``module`` have for other numbers, and its slices.

    It is the nn dialect of a model for the largest numbers of the extent, ``other`` that for
    ``numbers``. Raises ``UnsupportedError`` that names the first node where more than extents
    differs. Where extents are 1 ops may be missing, as nothing is repeated then; the sample is
    partial then.
    """
    comparison = Comparison(ctx, extent, numbers)
    (func,) = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    (less,) = (op for op in other.body.block.ops if isinstance(op, FuncOp))
    if any(SHAPE_ATTRIBUTE in entry.data for entry in func.res_attrs or ()):
        comparison.fail(func, "there are outputs whose extents depend on values")
    if not _same_ops(func, less):
        shapes = comparison.common(func, less)
        pairs = (zip(shape_of(value.type), shape, strict=True) for value, shape in shapes.items())
        if any(few == 1 < many for pair in pairs for many, few in pair):
            comparison.compare_constants(func, less)
            return Sample(shapes, {}, {}, {}, {}, is_partial=True)
    comparison.compare(func, less)
    return Sample(
        comparison.found, comparison.cuts, comparison.steps, comparison.lines, comparison.pads
    )


def open_by_comparison(
    module: ModuleOp, extent: OpenExtentAttr, samples: Mapping[Numbers, Sample]
) -> Compared:
    """Write to ``module`` which axes of inputs and results are open; return those of all values.

    ``samples`` are the model for other numbers. Of a result that has an extent which is no multiple
    of the number nothing is written.
    """
    shapes = {numbers: sample.shapes for numbers, sample in samples.items()}
    (func,) = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    axes: dict[SSAValue, Axes] = {}
    others: list[KnownExtent] = []
    known: list[KnownExtent] = []
    for value in dict.fromkeys(value for found in shapes.values() for value in found):
        most = shape_of(value.type)
        given = {numbers: found[value] for numbers, found in shapes.items() if value in found}
        growths = [sampled_growth(most, given, axis, extent) for axis in range(len(most))]
        axes[value] = tuple(growth or CONSTANT for growth in growths)
        found = [
            KnownExtent(value, axis, numbers, shape[axis])
            for numbers, shape in given.items()
            for axis in range(len(most))
        ]
        known += found
        others += [entry for entry in found if growths[entry.axis] is None]
    odd = {known.value: known for known in others}
    returned = func.body.block.last_op
    for argument in func.body.block.args:
        if argument in odd:
            _, axis, numbers, less = odd[argument]
            raise UnsupportedError(
                f"extent {extent} cannot be open: an extent of {shape_of(argument.type)[axis]} "
                f"of an input for {extent.largest} is {less} for {extent.numbers(numbers)}, which "
                "is no multiple and no sum of numbers and a constant"
            )
    arguments = [axes.get(value, ()) for value in func.body.block.args]
    told = {place for _, place in solved(growth for found in arguments for growth in found)}
    for place, range_ in enumerate(extent.ranges):
        if place not in told:
            raise UnsupportedError(
                f"extent '{range_.label}' cannot be open: no extent of an input depends on it"
            )
    results = () if returned is None else returned.operands
    module.attributes[EXTENT_ATTRIBUTE] = extent
    func.arg_attrs = _marked(func.arg_attrs, arguments)
    func.res_attrs = _marked(
        func.res_attrs, [None if value in odd else axes.get(value, ()) for value in results]
    )
    steps: dict[ForOp, dict[Numbers, int]] = {}
    for numbers, sample in samples.items():
        for op, count in sample.steps.items():
            steps.setdefault(op, {})[numbers] = count
    return Compared(axes, known, _varying_cuts(samples), steps, samples)


def _varying_cuts(samples: Mapping[Numbers, Sample]) -> Mapping[SliceOp, Cuts]:
    """Return what slices take for all numbers, of those that take something else for some."""
    found: dict[SliceOp, dict[Numbers, Cut]] = {}
    for numbers, sample in samples.items():
        for op, cut in sample.cuts.items():
            found.setdefault(op, {})[numbers] = cut
    return {
        op: cuts
        for op, cuts in found.items()
        if any(cut != Cut(ints(op.starts), ints(op.sizes)) for cut in cuts.values())
    }


def sampled_growth(
    most: Shape, samples: Mapping[Numbers, Shape], axis: int, extent: OpenExtentAttr
) -> Growth | None:
    """Return how an axis grows if it is a constant or a sum of numbers, ``None`` for another one.

    How often a number is added shows where it alone is another one; that must hold for all samples,
    and of a sum with a constant there are two such samples, unless the range has no further number.
    """
    found = {numbers: shape[axis] for numbers, shape in samples.items()}
    if all(less == most[axis] for less in found.values()):
        return CONSTANT
    largest = tuple(range_.most for range_ in extent.ranges)
    terms: dict[int, int] = {}
    for place, range_ in enumerate(extent.ranges):
        alone = {
            numbers[place]: less
            for numbers, less in found.items()
            if all(
                (n == m) == (p != place)
                for p, (n, m) in enumerate(zip(numbers, largest, strict=True))
            )
        }
        if not alone:
            return None
        number, less = next(iter(alone.items()))
        times, rest = divmod(most[axis] - less, range_.most - number)
        if rest or times < 0:
            return None
        terms[place] = times
    plus = most[axis] - sum(times * largest[place] for place, times in terms.items())
    growth = Growth.sum_of(terms, plus)
    if any(growth.at(numbers) != less for numbers, less in found.items()):
        return None
    others = {p: {n[p] for n in found} - {largest[p]} for p in growth.terms}
    few = any(len(others[p]) < 2 < extent.ranges[p].count for p in growth.terms)
    return None if few and not growth.is_proportional else growth


def _marked(
    attributes: ArrayAttr[DictionaryAttr] | None, axes: Sequence[Axes | None]
) -> ArrayAttr[DictionaryAttr]:
    given = attributes or ArrayAttr([DictionaryAttr({}) for _ in axes])
    return ArrayAttr(
        entry if found is None else DictionaryAttr({**entry.data, AXES_ATTRIBUTE: axes_attr(found)})
        for entry, found in zip(given, axes, strict=True)
    )


def _same_ops(func: FuncOp, other: FuncOp) -> bool:
    """Tell whether two functions have the same ops but for slices."""
    names = ([op.name for op in f.walk() if not isinstance(op, SliceOp)] for f in (func, other))
    return next(names) == next(names)


def _ops_by_node(func: FuncOp) -> Mapping[tuple[str, tuple[str, ...]], Operation]:
    """Return the ops that are the only ones of their kind that come from a node.

    A reshape may serve another purpose for other numbers.
    """
    found: dict[tuple[str, tuple[str, ...]], list[Operation]] = {}
    for op in func.body.block.ops:
        if nodes_of(op) and not isinstance(op, ReshapeOp):
            found.setdefault((op.name, nodes_of(op)), []).append(op)
    return {key: ops[0] for key, ops in found.items() if len(ops) == 1}


def _owner(value: SSAValue, func: FuncOp) -> Operation:
    return value.owner if isinstance(value.owner, Operation) else func


def _keeps_size(
    op: Operation, other: Operation | None, values: Mapping[SSAValue, SSAValue]
) -> TypeGuard[SampledOp]:
    """Tell whether the other model lacks an op, as its operand has the size of the result there."""
    is_sampled = isinstance(op, SampledOp)
    return is_sampled and op.operands[0] in values and not _is_of_same_node(op, other)


def _is_of_same_node(op: Operation, other: Operation | None) -> bool:
    return other is not None and op.name == other.name and nodes_of(op) == nodes_of(other)


def _may_take_all(op: SliceOp, small: SSAValue) -> bool:
    """Tell whether a slice of ``small`` instead of its operand may be all of it."""
    cuts = zip(ints(op.starts), ints(op.sizes), ints(op.steps), strict=True)
    extents = zip(shape_of(op.x.type), shape_of(small.type), strict=True)
    return all(
        less == 1 or ((size < 2 or step == 1) and (size == less or (start == 0 and size == large)))
        for (start, size, step), (large, less) in zip(cuts, extents, strict=True)
    )


class Comparison:
    """Compares functions of a model for the largest numbers and for others."""

    def __init__(self, ctx: Context, extent: OpenExtentAttr, numbers: Numbers):
        self._store = WeightStore.of(ctx)
        self._extent = extent
        self._numbers = extent.largest, extent.numbers(numbers)
        self._split = extent.split(numbers)
        self.found: dict[SSAValue, Shape] = {}
        """The shape of each value for the number."""
        self.cuts: dict[SliceOp, Cut] = {}
        """What each slice takes for the number."""
        self.lines: dict[SampledOp, Sequence[Line]] = {}
        """The places of each resize for the number."""
        self.pads: dict[ConvOp | PoolOp, Shape] = {}
        """What the windows of an op find around an image for the number."""
        self.steps: dict[ForOp, int] = {}
        """How many steps each loop has for the number, if that is a number."""

    def fail(self, op: Operation, reason: str, way_out: str = "") -> None:
        """Raise ``UnsupportedError`` that names the node of an op."""
        nodes = nodes_of(op)
        where = f" (node '{nodes[0]}')" if nodes else ""
        raise UnsupportedError(f"extent {self._extent} cannot be open: {reason}{where}{way_out}")

    def differ(self, op: Operation, reason: str) -> None:
        """Raise what ``fail`` does, with the numbers for which the models differ."""
        shown = f"as {self._numbers[0]} and {self._numbers[1]} show"
        self.fail(op, f"{reason}, {shown}", f"; split the range, such as {self._split}")

    def fail_computed(self, op: Operation) -> None:
        """Raise what ``fail`` does where a constant follows from the number in an unknown way."""
        shown = f"as {self._numbers[0]} and {self._numbers[1]} show"
        parts = f"; give each number a part, such as {self._extent.singles}"
        self.fail(op, f"a constant is computed from its number, {shown}", parts)

    def shape(self, large: Attribute, small: Attribute, op: Operation) -> Shape:
        """Return the shape of a tensor for the number; its types differ in nothing else."""
        if not isa(large, TensorType[Attribute]) or not isa(small, TensorType[Attribute]):
            return ()
        if large.get_num_dims() != small.get_num_dims() or large.element_type != small.element_type:
            self.differ(op, f"a {large} becomes a {small}")
        return small.get_shape()

    def common(self, func: FuncOp, less: FuncOp) -> dict[SSAValue, Shape]:
        """Return the shapes that values of ``func`` have for the number, of those in both.

        These are arguments, results, and values of nodes that have one such op in each model.
        """
        pairs: list[tuple[SSAValue, SSAValue]] = []
        pairs += zip(func.body.block.args, less.body.block.args, strict=True)
        returned = [f.body.block.last_op for f in (func, less)]
        pairs += zip(*(() if op is None else op.operands for op in returned), strict=True)
        ones, twos = _ops_by_node(func), _ops_by_node(less)
        for key in ones.keys() & twos.keys():
            pairs += zip(ones[key].results, twos[key].results, strict=True)
        return {one: self.shape(one.type, two.type, _owner(one, func)) for one, two in pairs}

    def compare(self, func: FuncOp, less: FuncOp) -> None:
        """Raise ``UnsupportedError`` where the functions differ in more than extents."""
        values: dict[SSAValue, SSAValue] = {}
        ops, others = list(func.walk()), list(less.walk())
        place = 0
        for op in ops:
            other = others[place] if place < len(others) else None
            if isinstance(op, SliceOp) and self._is_left_out(op, other, values):
                values[op.result] = values[op.x]
                small = self.shape(op.result.type, values[op.x].type, op)
                self.found[op.result] = small
                self.cuts[op] = Cut((0,) * len(small), small)
                continue
            if _keeps_size(op, other, values):
                # An image that has the size already is not resized.
                image = values[op.operands[0]]
                values[op.result] = image
                small = self.shape(op.result.type, image.type, op)
                self.found[op.result] = small
                self.lines[op] = (Line(1, 0, 1),) * len(small)
                continue
            place += 1
            if other is None:
                break
            if op.name != other.name or len(op.operands) != len(other.operands):
                self.differ(op, f"its number decides between {op.name} and {other.name}")
            for one, two in _arguments(op, other):
                values[one] = two
                self.found[one] = self.shape(one.type, two.type, op)
            if any(
                values.get(a) is not b for a, b in zip(op.operands, other.operands, strict=True)
            ):
                self.differ(op, f"its number decides what {op.name} reads")
            for one, two in zip(op.results, other.results, strict=True):
                values[one] = two
                self.found[one] = self.shape(one.type, two.type, op)
            if isinstance(op, ConstantOp) and isinstance(other, ConstantOp):
                if not self.begins_with(op.value, other.value):
                    self.fail_computed(op)
            elif not isinstance(op, FuncOp):
                self._compare_properties(op, other)
        if place != len(others):
            self.differ(ops[-1], "its number decides how many ops there are")

    def _is_left_out(
        self, op: SliceOp, other: Operation | None, values: Mapping[SSAValue, SSAValue]
    ) -> bool:
        """Tell whether a slice takes all elements for the number, so that it is not there."""
        small = values.get(op.x)
        if small is None or not _may_take_all(op, small):
            return False
        if not isinstance(other, SliceOp) or other.x is not small:
            return True
        # It is the slice of what is left, unless it is of the same node.
        return nodes_of(op) != nodes_of(other)

    def _compare_properties(self, op: Operation, other: Operation) -> None:
        if isinstance(op, ForOp) and isinstance(other, ForOp):
            if op.steps is not None and other.steps is not None:
                self.steps[op] = other.steps.value.data
            elif op.steps is not other.steps:
                self.differ(op, "its number decides what ends a loop")
        if isinstance(op, SliceOp) and isinstance(other, SliceOp):
            self.cuts[op] = Cut(ints(other.starts), ints(other.sizes))
            steps = zip(ints(op.steps), ints(other.steps), ints(other.sizes), strict=True)
            if any(step != small for step, small, size in steps if size > 1):
                self.differ(op, "its number decides how far apart what a slice takes is")
        if isinstance(op, SampledOp) and isinstance(other, SampledOp):
            self.lines[op] = other.lines
        if isinstance(op, ConvOp | PoolOp) and isinstance(other, ConvOp | PoolOp):
            self.pads[op] = ints(other.pads)
        for name in op.properties.keys() | other.properties.keys():
            differs = op.properties.get(name) != other.properties.get(name)
            is_kept = (
                (op.name, name) in _KEPT
                or (isinstance(op, SampledOp) and name in op.PLACE_PROPERTIES)
                or (isinstance(op, ConvOp | PoolOp) and name == "pads")
            )
            if differs and not is_kept:
                self.differ(op, f"'{name}' of {op.name} is computed from its number")

    def compare_constants(self, func: FuncOp, less: FuncOp) -> None:
        """Raise ``UnsupportedError`` where ``less`` has a constant that ``func`` has not."""
        known = [op.value for op in func.walk() if isinstance(op, ConstantOp)]
        seen = set(known)
        for op in less.walk():
            if isinstance(op, ConstantOp) and op.value not in seen:
                element = op.value.type.get_element_type()
                alike = (v for v in known if v.type.get_element_type() == element)
                if not any(self.begins_with(value, op.value) for value in alike):
                    self.fail_computed(op)

    def begins_with(self, value: ConstantValue, first: ConstantValue) -> bool:
        """Tell whether the elements of ``first`` are the first ones along the axes of ``value``."""
        if value == first:
            return True
        one, two = self._array(value), self._array(first)
        if one.ndim != two.ndim or any(n < m for n, m in zip(one.shape, two.shape, strict=True)):
            return False
        part = one[tuple(slice(extent) for extent in two.shape)]
        return part.tobytes() == two.tobytes()

    def _array(self, value: ConstantValue) -> npt.NDArray[np.generic]:
        return self._store.array(value)


def _arguments(op: Operation, other: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    for region, another in zip(op.regions, other.regions, strict=False):
        for block, second in zip(region.blocks, another.blocks, strict=False):
            yield from zip(block.args, second.args, strict=False)
