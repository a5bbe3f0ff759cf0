"""Which dimensions of the funcs of a pipeline have an extent that a run decides."""

from __future__ import annotations

from autodeploy.dialects.growth import Growth
from autodeploy.dialects.halide.algorithm import FuncOp, UpdateOp
from autodeploy.dialects.halide.expression import DivOp, ModOp, MulOp
from autodeploy.templates.view import PipelineView, arguments_of, func_of, loads_of

ANY = Growth(1)
"""An extent that may have any divisor."""


def open_dimensions(view: PipelineView, func: FuncOp) -> dict[int, Growth]:
    """Return the dimensions of a func that follow open ones of the output, and how they grow.

    For other funcs only the divisors of their extents are known.
    """
    pipeline = view.op
    found: dict[int, Growth] = {}
    for number, (out, _) in enumerate(view.outputs):
        axes = pipeline.open_axes[pipeline.body.block.args.index(pipeline.outputs[number])]
        if out is func:
            found |= {axis: growth for axis, growth in enumerate(axes) if growth}
    if found or any(func is out for out, _ in view.outputs):
        return found
    axes, windows = view.open_axes, _window_dimensions(func)
    for axis, read_by in enumerate(view.dependences(func)):
        multiples = [axes[other] for other in read_by if axes[other]]
        if multiples:
            # Windows reach further than the places of the output.
            found[axis] = ANY if axis in windows else Growth(multiples[0])
    return found


def _window_dimensions(func: FuncOp) -> set[int]:
    """Return the dimensions along which a func is read at places of windows, or at others."""
    found: set[int] = set()
    for load, reader in loads_of(func):
        rank = len(func_of(reader).var_names)
        for axis, index in enumerate(load.indices):
            arguments = arguments_of(index)
            windows = min(arguments, default=rank) < rank <= max(arguments, default=0)
            if windows or isinstance(index.owner, MulOp | DivOp | ModOp):
                found.add(axis)
    return found


def ended_dimensions(view: PipelineView) -> dict[FuncOp, set[int]]:
    """Return the dimensions of each func that a reduction walks up to an end of the call.

    Wherever such a func is computed, it is so for all of these elements, and they are kept.
    """
    found: dict[FuncOp, set[int]] = {func: set() for func in view.funcs.values()}
    # Readers of a func are defined after it.
    for func in reversed(view.funcs.values()):
        for load, reader in loads_of(func):
            walked = set(found[func_of(reader)])
            if isinstance(reader, UpdateOp):
                names = [name for name, _, _ in reader.rdom]
                first = len(reader.var_names)
                walked |= {first + names.index(name) for name in reader.ends_by_name}
            for axis, index in enumerate(load.indices):
                if arguments_of(index) & walked:
                    found[func].add(axis)
    return found
