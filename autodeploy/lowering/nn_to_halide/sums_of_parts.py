"""Sums in parts: each part is summed by itself and stored, and then the parts are summed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Attribute

from autodeploy.lowering.nn_to_halide.expression import Coordinate, Expr, Scope
from autodeploy.lowering.nn_to_halide.kernel_builder import (
    Coordinates,
    Domain,
    KernelBuilder,
    Value,
)
from autodeploy.templates.device_tile.template import PART_SUMS

Step = Callable[[Scope, Expr, Coordinates, Coordinates], Expr]
"""The new value of a sum, from the one so far, its place, and the variables of the reduction."""


def sums_of_parts(
    builder: KernelBuilder,
    parts: int,
    kind: tuple[Attribute, Sequence[int], Sequence[str]],
    start: Callable[[Scope, Coordinates], Expr],
    domain: Domain,
    step: Step,
) -> Value:
    """Return sums that start from ``start``, whose steps over ``domain`` are in ``parts``.

    ``kind`` is their element type, their shape and their variables, outermost first. The innermost
    axis of the domain, whose extent the parts divide, is the one that is split.
    """
    element, shape, names = kind
    *outer, (name, steps) = domain.axes
    own = Domain((*outer, (name, steps // parts)))

    def step_of_part(scope: Scope, old: Expr, point: Coordinates, reduced: Coordinates) -> Expr:
        (part, *place), (*others, last) = point, reduced
        moved: Coordinate = scope.index(part) * (steps // parts) + scope.index(last)
        return step(scope, old, tuple(place), (*others, moved))

    in_part = builder.func(
        "part",
        element,
        (parts, *shape),
        lambda scope, point: scope.const(0, element),
        names=("part", *names),
        update=(own, step_of_part),
        contracts=True,
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
