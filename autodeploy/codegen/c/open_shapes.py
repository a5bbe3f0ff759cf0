"""Shapes with an open extent in the C program: each context has its own tables of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from xdsl.ir import SSAValue

from autodeploy.codegen.c.names import c_comment, c_identifier, c_string
from autodeploy.codegen.c.program import Buffer, Program
from autodeploy.dialects.nn.growth import Growth
from autodeploy.dialects.nn.open_extent import Axes
from autodeploy.dialects.strides import is_row_major
from autodeploy.frontend.names import original_text

DIMENSION_BYTES = 16
"""Bytes of a ``halide_dimension_t``."""


def shape_name(shape: Sequence[int], strides: Sequence[int]) -> str:
    """Return the name of the table that describes a layout, given outermost extent first."""
    name = f"shape_{'x'.join(map(str, shape))}" if shape else "NULL"
    if is_row_major(shape, strides):
        return name
    return f"{name}_by_{'x'.join(map(str, strides))}"


class OpenShapes:
    """The shapes of a program that have an open extent, and the numbers by which it knows them."""

    def __init__(self, program: Program):
        self.program = program
        self.extent = program.op.open_extent
        self._numbers: dict[tuple[str, Axes], int] = {}
        self._entries: list[str] = []
        self._ends: list[str] = []
        self._of: dict[str, int] = {}
        self._dimensions = 0
        for value, buffer in program.buffers.items():
            self._add(value, buffer)

    def _add(self, value: SSAValue, buffer: Buffer) -> None:
        axes = self.program.op.axes_of(value) or ()
        if not any(axes):
            return
        rank, name = len(axes), shape_name(*buffer.layout)
        if (name, axes) not in self._numbers:
            self._numbers[name, axes] = len(self._numbers)
            self._entries.append(f"    {{{name}, {self._dimensions}, {rank}}},")
            for axis, growth in enumerate(axes):
                if growth:
                    place = self._dimensions + rank - 1 - axis
                    self._ends.append(f"    {{{place}, {_initializer(growth)}}},")
            self._dimensions += rank
        self._of[buffer.label] = self._numbers[name, axes]

    def index(self, buffer: Buffer) -> int | None:
        """Return the number of a buffer's shape, -1 for a constant one; ``None`` if all are."""
        if self.extent is None:
            return None
        return self._of.get(buffer.label, -1)

    @property
    def bytes(self) -> int:
        """Return the bytes that the open extent and its shapes take of a context, at most."""
        if self.extent is None:
            return 0
        inputs = 8 * len(self.program.inputs) * max_rank(self.program)
        return 8 + 8 * len(self.extent.ranges) + DIMENSION_BYTES * self._dimensions + inputs

    def sections(self) -> dict[str, str]:
        """Return the sections of the template that are about open extents."""
        if self.extent is None:
            return {}
        return {
            "open_shapes": "\n".join(self._entries),
            "open_shape_count": str(len(self._numbers)),
            "open_ends": "\n".join(self._ends),
            "open_end_count": str(len(self._ends)),
            "open_dimensions": str(self._dimensions),
            "open_extent_count": str(len(self.extent.ranges)),
            "open_ranges": "\n".join(
                f"    {{{c_string(original_text(range_.label))}, {macro}_LEAST, {macro}_MOST, "
                f"{macro}_STEP}},"
                for range_, macro in zip(
                    self.extent.ranges, extent_macros(self.program), strict=True
                )
            ),
            "input_axes": self._axes(self.program.op.inputs),
            "output_axes": self._axes(self.program.op.returned),
        }

    def _axes(self, values: Sequence[SSAValue]) -> str:
        """Return each open axis of inputs or outputs: the number of the tensor, axis, growth.

        Behind them stands an entry for no tensor.
        """
        found = [
            f"{{{index}, {axis}, {_initializer(growth)}}}"
            for index, value in enumerate(values)
            for axis, growth in self.program.op.growths(value).items()
        ]
        return ", ".join([*found, "{-1, 0, {0, 0, 0, 1, 1}}"])


def _initializer(growth: Growth) -> str:
    numbers = growth.place, growth.times, growth.plus, growth.over, growth.by
    return f"{{{', '.join(map(str, numbers))}}}"


def bytes_text(growth: Growth, each: int = 1) -> str:
    """Return the expression, as a size, of an extent in a run times the bytes of ``each``."""
    steps = f"context->extents[{growth.place}]"
    if growth.is_proportional:
        return f"{growth.times * each} * (size_t){steps}"
    extent = f"(size_t)({growth.text(steps)})"
    return extent if each == 1 else f"{each} * {extent}"


def max_rank(program: Program) -> int:
    """Return the most axes, at least 1, of a tensor whose extents a context knows.

    These are outputs and, where an extent is open, inputs.
    """
    inputs = () if program.op.open_extent is None else program.inputs
    return max([1, *(len(tensor.shape) for tensor in (*inputs, *program.outputs))])


def extent_macros(program: Program) -> tuple[str, ...]:
    """Return the macros that are the numbers of the open extents."""
    if program.op.open_extent is None:
        return ()
    found: list[str] = []
    used: set[str] = set()
    for range_ in program.op.open_extent.ranges:
        plain = f"{program.prefix}_extent_{c_identifier(range_.label)}".upper()
        names = (plain if n == 1 else f"{plain}_{n}" for n in count(1))
        found.append(next(name for name in names if used.isdisjoint(_macros_of(name))))
        used |= _macros_of(found[-1])
    return tuple(found)


def _macros_of(name: str) -> set[str]:
    return {name, *(f"{name}_{end}" for end in ("LEAST", "MOST", "STEP"))}


def extent_constants(program: Program) -> list[tuple[str, int, str]]:
    """Return the macros of the open extents, behind the prefix: name, value, comment."""
    extent = program.op.open_extent
    if extent is None:
        return []
    found: list[tuple[str, int, str]] = []
    for place, (range_, macro) in enumerate(
        zip(extent.ranges, extent_macros(program), strict=True)
    ):
        name = macro.removeprefix(f"{program.prefix}_".upper())
        label = c_comment(original_text(range_.label))
        found += [
            (name, place, f"the open extent '{label}', for {program.prefix}_set_extent"),
            (f"{name}_LEAST", range_.number(range_.least), ""),
            (f"{name}_MOST", range_.number(range_.most), ""),
            (f"{name}_STEP", range_.step, ""),
        ]
    return found


def extent_text(program: Program, growth: Growth) -> str:
    """Return the expression, with the macro of an open extent, that is the extent of an axis.

    It is exact for the numbers that there may be.
    """
    assert program.op.open_extent is not None
    step = program.op.open_extent.range_of(growth).step
    text = growth.by_numbers(step).text(extent_macros(program)[growth.place])
    return f"({text.replace(' ', '')})"
