"""What a model computes from its extents, watched over the whole range of their numbers."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.context import Context
from xdsl.ir import Operation

from autodeploy.analysis.compare_sizes import Numbers, sampled_growth
from autodeploy.analysis.computed_sizes import Asked, SizeRecords, read_records
from autodeploy.analysis.growing_axes import OpenAxes
from autodeploy.analysis.telling_numbers import Telling, Watch, asked_growths
from autodeploy.dialects.nn.growth import Growth
from autodeploy.dialects.nn.open_extent import OpenExtentAttr


def watch_sizes(
    ctx: Context,
    module: Operation,
    models: Mapping[Numbers, Operation],
    extent: OpenExtentAttr,
    axes: OpenAxes,
    telling: Telling,
) -> None:
    """Add the numbers that tell of what ops of a module read which nodes compute from extents.

    ``models`` are the module for some numbers, and ``axes`` how its values grow.
    """
    read = read_records(module)
    if not read:
        return
    records = SizeRecords.of(ctx).records
    own = [n for n, r in enumerate(records) if isinstance(r, Asked)]
    listed = SizeRecords.of(ctx).asked(module)
    numbers = [number for number in own if any(records[number] is record for record in listed)]
    others = {n: SizeRecords.of(ctx).asked(model) for n, model in models.items()}
    # The nodes that ask are the same ones, unless some were left out for a number.
    names = [record.node for record in listed]
    others = {n: found for n, found in others.items() if [r.node for r in found] == names}
    known = axes.growths
    largest = tuple(range_.most for range_ in extent.ranges)
    telling.tell_apart(known, [largest, *models], extent)
    asked: dict[int, list[Growth | int] | None] = {}
    for place, (number, record) in enumerate(zip(numbers, listed, strict=True)):
        given = {n: found[place].extents for n, found in others.items()}
        most = record.extents
        given = {n: shape for n, shape in given.items() if len(shape) == len(most)}
        found = {
            axis: sampled_growth(most, given, axis, extent) if given else None
            for axis in range(len(most))
        }
        # How those grow is known of values alone that something else reads, too.
        seen = known if record.is_read else ()
        growths = asked_growths(given, most, found, seen, extent, telling)
        asked[number] = None if growths is None else list(growths)
    watch = Watch(records, asked, extent)
    for number in read:
        watch.add(number, telling)
