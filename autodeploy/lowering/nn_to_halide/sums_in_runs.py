"""Sums of products, in runs or parts where one sum would add up too many floats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd, prod

from xdsl.ir import Attribute

from autodeploy.dialects.nn.types import is_float
from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.templates.device_tile.template import PART_SUMS
from autodeploy.templates.runs import (
    DEVICE_STEPS,
    LEAST_STEPS,
    MOST_STEPS,
    RUN,
    UNROLLED,
    run_lengths,
)

Start = Callable[[Scope, Coordinates], Expr]
"""The initial value of a sum, from its place."""

Step = Callable[[Scope, Expr, Coordinates, Coordinates], Expr]
"""The new value of a sum, from the one so far, its place, and the variables of the reduction."""

Kind = tuple[Attribute, Sequence[int], Sequence[str]]
"""The element type of sums, their shape and their variables, outermost first."""


def sums_in_runs(
    builder: KernelBuilder,
    name: str,
    kind: Kind,
    start: Start,
    domain: Domain,
    step: Step,
    multiple: int = 0,
) -> Value:
    """Return sums, the func ``name``, that start from ``start`` and take the steps of ``domain``.

    In a pipeline of runs, these are sums of the func ``RUN``. With a ``multiple``, all runs have
    the same number of steps, and a multiple of it along the innermost axis. Sums along open axes
    are whole, and those that no such runs divide.
    """
    element, shape, names = kind
    extents = [extent for _, extent in domain.axes]
    most = DEVICE_STEPS if builder.on_device else MOST_STEPS
    if builder.in_runs and not domain.ends and is_float(element) and prod(extents) > most:
        even = gcd(extents[-1], 1 if builder.on_device else UNROLLED)
        lengths = run_lengths(extents, most, multiple or even, cuts=not multiple)
        if LEAST_STEPS <= prod(lengths) < prod(extents):
            domain, step = _sums_of_runs(builder, kind, domain, step, lengths)
    return builder.func(
        name, element, shape, start, names=names, update=(domain, step), contracts=True
    )


def _sums_of_runs(
    builder: KernelBuilder, kind: Kind, domain: Domain, step: Step, lengths: Sequence[int]
) -> tuple[Domain, Step]:
    """Make the func of runs of these ``lengths``; return the runs, and the step that adds one."""
    element, shape, names = kind
    axes = [(axis, n, length) for (axis, n), length in zip(domain.axes, lengths, strict=True)]
    cut = [axis for axis, extent, length in axes if length < extent]
    runs = Domain(
        tuple((f"{axis}{RUN}", -(-n // length)) for axis, n, length in axes if axis in cut)
    )
    own = Domain(tuple((axis, length) for axis, _, length in axes if length > 1))

    def step_of_run(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        number = dict(zip(cut, point, strict=False))
        within = dict(zip((axis for axis, _ in own.axes), reduced, strict=True))
        places: list[Coordinate] = []
        is_there: Expr | None = None
        for axis, extent, length in axes:
            place = within.get(axis, 0)
            if axis in cut:
                place = scope.index(number[axis]) * length + place
            if extent % length:
                is_there = scope.index(place) < extent
                place = scope.index(place).minimum(extent - 1)
            places.append(place)
        new = step(scope, old, point[len(cut) :], tuple(places))
        return new if is_there is None else is_there.select(new, old)

    run = builder.func(
        RUN,
        element,
        (*(extent for _, extent in runs.axes), *shape),
        lambda scope, point: scope.const(0, element),
        names=(*(name for name, _ in runs.axes), *names),
        update=(own, step_of_run),
        contracts=True,
    )
    return runs, lambda scope, old, point, number: old + run.at(scope, (*number, *point))


def sums_of_parts(
    builder: KernelBuilder,
    parts: int,
    kind: Kind,
    start: Start,
    domain: Domain,
    step: Step,
    multiple: int = 0,
) -> Value:
    """Return sums that start from ``start``, whose steps over ``domain`` are in ``parts``.

    The innermost axis of the domain, whose extent the parts divide, is the one that is split. Long
    parts are in runs with a ``multiple`` of steps.
    """
    element, shape, names = kind
    *outer, (name, steps) = domain.axes
    own = Domain((*outer, (name, steps // parts)))

    def step_of_part(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (part, *place), (*others, last) = point, reduced
        moved: Coordinate = scope.index(part) * (steps // parts) + scope.index(last)
        return step(scope, old, tuple(place), (*others, moved))

    in_part = sums_in_runs(
        builder,
        "part",
        (element, (parts, *shape), ("part", *names)),
        lambda scope, point: scope.const(0, element),
        own,
        step_of_part,
        multiple,
    )
    stored = builder.func(
        PART_SUMS, element, (parts, *shape), in_part.at, names=("part", *names), contracts=True
    )
    return builder.func(
        "total",
        element,
        shape,
        start,
        names=names,
        update=(
            Domain((("kpart", parts),)),
            lambda scope, old, point, reduced: old + stored.at(scope, (*reduced, *point)),
        ),
        contracts=True,
    )
