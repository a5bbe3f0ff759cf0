"""From which extents the numbers of a run follow, and those that a value needs besides."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from autodeploy.dialects.growth import Growth, solved
from autodeploy.dialects.nn.extent_attr import Axes, value_axes
from autodeploy.dialects.nn.types import bounds_of


def not_told(wanted: Sequence[Growth], axes: Sequence[Axes]) -> Sequence[Growth]:
    """Return those factors of the wanted extents that do not follow from the extents of axes."""
    given = [growth for entry in axes for growth in entry if growth and not growth.rest]
    told = {place for _, place in solved(given)}
    return [
        factor
        for growth in wanted
        if not any(growth in entry for entry in axes)
        for factor in growth.factors
        if factor.terms.keys() - told and not any(_says(one, factor) for one in given)
    ]


def _says(one: Growth, factor: Growth) -> bool:
    """Return whether an extent says another one that grows with the same numbers."""
    single = Growth.sum_of(factor.terms, factor.plus, factor.over)
    return one == factor or any(one.move_to(f) is not None for f in (factor, single))


def telling_inputs(
    inputs: Sequence[SSAValue], wanted: Sequence[Growth], axes: Sequence[Axes]
) -> Sequence[SSAValue]:
    """Return the fewest inputs whose extents say the wanted ones that ``axes`` do not say."""
    found: dict[SSAValue, None] = {}
    tensors = [value for value in inputs if isinstance(value.type, TensorType)]
    for value in sorted(tensors, key=lambda value: prod(bounds_of(value.type))):
        given = [*axes, *map(value_axes, found)]
        more = [*given, value_axes(value)]
        if len(not_told(wanted, more)) < len(not_told(wanted, given)):
            found[value] = None
    return list(found)
