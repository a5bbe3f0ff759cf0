"""Copies whose places follow from the numbers of a run: loops over contiguous pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from autodeploy.codegen.c.header import call_text
from autodeploy.codegen.c.open_shapes import bytes_text
from autodeploy.codegen.c.program import Program
from autodeploy.dialects.driver import CopyOp, JoinOp
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.memref import memref_strides
from autodeploy.dialects.nn.types import ELEMENT_BYTES


@dataclass(frozen=True)
class _Size:
    """A number of elements or of bytes in a run: a constant, times what grows if anything does."""

    constant: int
    growth: Growth = CONSTANT

    def times(self, other: _Size) -> _Size:
        growths = [size.growth for size in (self, other) if size.growth]
        return _Size(self.constant * other.constant, Growth.product(growths))

    def equals(self, other: _Size) -> bool:
        """Return whether both are the same in all runs."""
        if self.growth and other.growth:
            return self.growth.scaled(self.constant) == other.growth.scaled(other.constant)
        return not self.growth and not other.growth and self.constant == other.constant

    @property
    def text(self) -> str:
        """The size as an expression of C."""
        if not self.growth:
            return str(self.constant)
        shared = self.growth.multiple
        least = self.growth.divided(shared)
        assert least is not None
        return bytes_text(least, self.constant * shared)


def open_copy_lines(
    program: Program, op: CopyOp | JoinOp, host: Callable[[SSAValue], str], indent: str
) -> list[str]:
    """Return the lines that copy a value: loops around ``memcpy``.

    ``host`` gives the expression of where a value begins.
    """
    guards = _guards(program, op)
    inner = f"{indent}    " if guards else indent
    lines = _loops(program, op, host, inner)
    return [f"{indent}if ({guards}) {{", *lines, f"{indent}}}"] if guards else lines


def _guards(program: Program, op: CopyOp | JoinOp) -> str:
    """Return the condition under which a value is copied, as C; empty where it always is.

    Without elements the caller may have no memory for it.
    """
    if not any(program.op.is_packed(v) and program.op.may_be_empty(v) for v in op.operands):
        return ""
    return " && ".join(f"{e.text} > 0" for e in _extents(program, op) if e.growth)


def _loops(
    program: Program, op: CopyOp | JoinOp, host: Callable[[SSAValue], str], indent: str
) -> list[str]:
    extents = _extents(program, op)
    each = ELEMENT_BYTES[program.buffers[op.source].tensor.element]
    strides = [_strides(program, value, each) for value in (op.source, op.target)]
    piece, axis = _Size(each), len(extents)
    while axis:
        extent, own = extents[axis - 1], [of[axis - 1] for of in strides]
        if not extent.equals(_Size(1)):
            if not all(stride.equals(piece) for stride in own):
                break
            piece = piece.times(extent)
        axis -= 1
    loops = [a for a in range(axis) if not extents[a].equals(_Size(1))]
    names = ["part"] if len(loops) == 1 else [f"part{n}" for n in range(len(loops))]
    source, target = (
        _place(host(value), names, [of[a] for a in loops])
        for value, of in zip((op.source, op.target), strides, strict=True)
    )
    if isinstance(op, JoinOp) and (first := _start(program, op)):
        target = f"{target} + {first}"
    lines: list[str] = []
    for name, a in zip(names, loops, strict=True):
        counted = f"for (size_t {name} = 0; {name} < {extents[a].text}; ++{name}) {{"
        lines.append(f"{indent}{'    ' * len(lines)}{counted}")
    lines.append(call_text("memcpy", [target, source, piece.text], indent + "    " * len(loops)))
    return [*lines, *(f"{indent}{'    ' * depth}}}" for depth in reversed(range(len(loops))))]


def _extents(program: Program, op: CopyOp | JoinOp) -> list[_Size]:
    """Return the extents of a copy in a run."""
    grown = dict(program.growths(op.target))
    if isinstance(op, JoinOp):
        axis = op.axis.value.data
        grown[axis] = program.growths(op.source).get(axis, CONSTANT)
    return [
        _Size(1, grown[axis]) if grown.get(axis) else _Size(extent)
        for axis, extent in enumerate(program.buffers[op.source].tensor.shape)
    ]


def _strides(program: Program, value: SSAValue, each: int) -> list[_Size]:
    """Return the strides of a value in a run, in bytes."""
    if not program.op.is_packed(value):
        return [_Size(stride * each) for stride in memref_strides(value.type)]
    found = program.op.strides_of_run(value)
    assert found is not None  # program_c12
    return [_Size(n * each, program.op.told(g) if g else g) for n, g in found]


def _place(start: str, names: Sequence[str], strides: Sequence[_Size]) -> str:
    """Return where a part of a value begins."""
    steps = (
        f"{name} * ({stride.text})" if stride.growth else f"{name} * {stride.text}"
        for name, stride in zip(names, strides, strict=True)
    )
    return " + ".join([start, *steps])


def _start(program: Program, op: JoinOp) -> str:
    """Return the number of bytes of the target before the joined ones; empty if there are none."""
    if op.open_start:
        return bytes_text(program.op.told(op.open_start), op.row_bytes)
    start = op.start.value.data * op.row_bytes
    return str(start) if start else ""
