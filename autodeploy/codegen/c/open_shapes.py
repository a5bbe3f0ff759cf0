"""Open extents in the C program: each context has its own tables of the shapes that have any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from textwrap import fill, indent

from xdsl.ir import SSAValue

from autodeploy.codegen.c.names import c_comment, c_identifier, c_string
from autodeploy.codegen.c.program import Buffer, Program, Tensor
from autodeploy.dialects.growth import Growth
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
        self._numbers: dict[tuple[str, Axes, bool], int] = {}
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
        key = name, axes, self.program.op.is_packed(value)
        if key not in self._numbers:
            self._numbers[key] = len(self._numbers)
            self._entries.append(f"    {{{name}, {self._dimensions}, {rank}}},")
            for axis, growth in self.program.growths(value).items():
                self._add_end(rank, axis, growth, 0)
            for axis, growth in self.program.stride_growths(value).items():
                self._add_end(rank, axis, growth, 1)
            self._dimensions += rank
        self._of[buffer.label] = self._numbers[key]

    def _add_end(self, rank: int, axis: int, growth: Growth, is_stride: int) -> None:
        """Add what an extent or a stride of the shape at hand is in a run."""
        place = self._dimensions + rank - 1 - axis
        for further, factor in _signed(growth):
            own = growth_text(factor, self.program)
            self._ends.append(f"    {{{place}, {is_stride}, {further}, {own}}},")

    def index(self, buffer: Buffer) -> int | None:
        """Return the number of a buffer's shape, -1 for a constant one.

        ``None`` if a run is told no numbers.
        """
        return self._of.get(buffer.label, -1) if self.program.numbers else None

    @property
    def dimensions(self) -> int:
        """Return the number of dimensions that a context has for open shapes."""
        return self._dimensions

    def sections(self) -> dict[str, str]:
        """Return the sections of the template that are about open extents of one program."""
        if not self.program.numbers:
            return {}
        inputs, outputs = self.program.inputs, self.program.outputs
        prefix = shape_tables_prefix(self.program)
        # C has no empty tables; what is not counted is not read.
        return {
            "open_shapes": "\n".join(self._entries or ["    {NULL, 0, 0},"]),
            "open_shape_count": str(len(self._numbers)),
            "open_ends": "\n".join(self._ends or ["    {0, 0, 0, {{0}, 0, 1, 1}},"]),
            "open_end_count": str(len(self._ends)),
            "input_tables": _tables(f"{prefix}input", inputs),
            "output_tables": _tables(f"{prefix}output", outputs),
            "input_axes": _axes(inputs, self.program),
            "output_axes": _axes(outputs, self.program),
            **_derived_sections(self.program),
        }


def shape_tables_prefix(program: Program) -> str:
    """Return what begins the names of the tables with the extents of inputs and outputs."""
    return "own_" if program.variant is not None else ""


def open_bytes(program: Program) -> int:
    """Return the bytes that open extents and their shapes take of a context, at most."""
    if not program.numbers:
        return 0
    inputs = 8 * len(program.inputs) * max_rank(program)
    pointers = 24 if program.for_parts else 0
    numbers = 8 + 8 * (len(program.numbers) + program.derived_count)
    return pointers + numbers + DIMENSION_BYTES * dimension_count(program) + inputs


def dimension_count(program: Program) -> int:
    """Return the dimensions that a context has for open shapes, of several programs the most."""
    programs = program.variants or (program,)
    return max(1, *(OpenShapes(one).dimensions for one in programs))


def range_sections(program: Program) -> dict[str, str]:
    """Return the sections of the template that are about the numbers that a run is told."""
    if not program.numbers:
        return {}
    parts: list[str] = []
    ranges: list[str] = []
    for number, macro in zip(program.numbers, extent_macros(program), strict=True):
        place = f", {len(parts)}, {len(number.parts)}" if program.for_parts else ""
        ranges.append(
            f"    {{{c_string(original_text(number.label))}, {c_string(number.text)},\n"
            f"     {macro}_LEAST, {macro}_MOST,\n     {macro}_STEP{place}}},"
        )
        parts += (f"    {{{part.least}, {part.most}}}," for part in number.parts)
    return {
        "open_extent_count": str(len(program.numbers)),
        "derived_count": str(program.derived_count),
        "number_count": "OPEN_NUMBER_COUNT" if program.derived_count else "OPEN_EXTENT_COUNT",
        "open_dimensions": str(dimension_count(program)),
        "open_ranges": "\n".join(ranges),
        "open_parts": "\n".join(parts),
        "open_part_count": str(len(parts)),
    }


def _tables(kind: str, tensors: Sequence[Tensor]) -> str:
    """Return the tables of the extents of inputs or outputs."""
    return ", ".join(
        f"{kind}_shape_{index}" if tensor.shape else "NULL" for index, tensor in enumerate(tensors)
    )


def _axes(tensors: Sequence[Tensor], program: Program) -> str:
    """Return each open axis of inputs or outputs: the number of the tensor, axis, growth.

    An entry for no tensor follows them.
    """
    found = [
        f"{{{index}, {axis}, {further}, {growth_text(factor, program)}}}"
        for index, tensor in enumerate(tensors)
        for axis, growth in tensor.grown.items()
        for further, factor in _signed(growth)
    ]
    return ", ".join([*found, "{-1, 0, 0, {{0}, 0, 1, 1}}"])


def _derived_sections(program: Program) -> dict[str, str]:
    """Return the tables of derived numbers, and the statements that look them up."""
    tables: list[str] = []
    lookups: list[str] = []
    extent = program.op.open_extent
    for index, number in enumerate(program.op.derived):
        place, name = len(program.numbers) + index, f"derived_{index}"
        values = fill(", ".join(map(str, number.table.reshape(-1).tolist())), 96)
        type_ = f"uint{8 * number.element_bytes}_t"
        tables.append(f"static const {type_} {name}[{number.table.size}] = {{")
        tables.append(f"{indent(values, '    ')},\n}};")
        assert extent is not None
        row = ""
        for axis, (range_, points) in enumerate(zip(extent.ranges, number.shape, strict=True)):
            if points > 1:
                told = program.op.told(Growth(1, place=axis)).place
                own = f"extents[{told}] - {range_.least}"
                row = f"({row}) * {points} + {own}" if row else own
        lookups.append(f"    extents[{place}] = {name}[{row}];")
    return {
        "derive": ", derive" if program.derived_count else "",
        "derived_tables": "\n".join(tables),
        "derived_lookups": "\n".join(lookups or ["    (void)extents;"]),
    }


def _signed(growth: Growth) -> Iterator[tuple[int, Growth]]:
    """Yield the factors of an extent, with 1 for those after the first one."""
    for number, factor in enumerate(growth.factors):
        yield min(number, 1), factor


def growth_text(growth: Growth, program: Program) -> str:
    """Return the initializer of an extent that is no product of several."""
    numbers = growth.plus, growth.over, growth.by
    times = times_text(growth, len(program.numbers) + len(program.op.derived))
    return f"{{{times}, {', '.join(map(str, numbers))}}}"


def times_text(growth: Growth, count: int) -> str:
    """Return the initializer of how many times each of ``count`` numbers is added."""
    times = (growth.terms.get(place, 0) for place in range(count))
    return f"{{{', '.join(map(str, times))}}}"


def bytes_text(growth: Growth, each: int = 1) -> str:
    """Return the expression, as a size, of an extent in a run times the bytes of ``each``."""
    if growth.is_proportional:
        return f"{growth.times * each} * (size_t){_steps(growth.place)}"
    extent = f"(size_t)({growth.text(_steps)})"
    return extent if each == 1 else f"{each} * {extent}"


def _steps(place: int) -> str:
    return f"context->extents[{place}]"


def number_text(growth: Growth) -> str:
    """Return the expression of a number of a run that grows so."""
    return growth.text(_steps)


def max_rank(program: Program) -> int:
    """Return the most axes, at least 1, of a tensor whose extents a context knows.

    These are outputs and, where an extent is open, inputs.
    """
    inputs = program.inputs if program.numbers else ()
    return max([1, *(len(tensor.shape) for tensor in (*inputs, *program.outputs))])


def extent_macros(program: Program) -> tuple[str, ...]:
    """Return the macros that are the places of the numbers that a run is told."""
    found: list[str] = []
    used: set[str] = set()
    for number in program.numbers:
        plain = f"{program.prefix}_extent_{c_identifier(number.label)}".upper()
        names = (plain if n == 1 else f"{plain}_{n}" for n in count(1))
        found.append(next(name for name in names if used.isdisjoint(_macros_of(name))))
        used |= _macros_of(found[-1])
    return tuple(found)


def _macros_of(name: str) -> set[str]:
    return {name, *(f"{name}_{end}" for end in ("LEAST", "MOST", "STEP"))}


def extent_constants(program: Program) -> list[tuple[str, int, str]]:
    """Return the macros of the open extents, after the prefix: name, value, comment."""
    found: list[tuple[str, int, str]] = []
    for place, (number, macro) in enumerate(
        zip(program.numbers, extent_macros(program), strict=True)
    ):
        name = macro.removeprefix(f"{program.prefix}_".upper())
        label = c_comment(original_text(number.label))
        found += [
            (name, place, f"the open extent '{label}', for {program.prefix}_set_extent"),
            (f"{name}_LEAST", number.least, ""),
            (f"{name}_MOST", number.most, ""),
            (f"{name}_STEP", number.step, ""),
        ]
    return found


def extent_text(program: Program, growth: Growth) -> str:
    """Return the expression, with the macro of an open extent, that is the extent of an axis.

    It is exact for the numbers that there may be.
    """
    macros = extent_macros(program)
    by_numbers = growth.by_numbers([number.step for number in program.numbers])
    return f"({by_numbers.text(lambda place: macros[place]).replace(' ', '')})"
