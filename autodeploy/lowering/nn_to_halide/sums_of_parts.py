"""Sums in parts: each part is summed by itself and stored, and then the parts are summed."""

from __future__ import annotations

from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.lowering.nn_to_halide.sums_in_runs import Kind, Start, Step, sums_in_runs
from autodeploy.templates.device_tile.template import PART_SUMS


def sums_of_parts(
    builder: KernelBuilder,
    parts: int,
    kind: Kind,
    start: Start,
    domain: Domain,
    step: Step,
    multiple: int = 1,
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
