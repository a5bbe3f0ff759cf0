"""The features of a config for the model: its knobs, and its kernel."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, log2, prod

from autodeploy.dialects.nn.config import ConfigAttr, as_config
from autodeploy.dialects.nn.types import bounds_of
from autodeploy.tuning.task import Task


def features(config: ConfigAttr, task: Task) -> dict[str, float]:
    """Return numbers by name; what a config lacks is not among them."""
    found = dict(_of_kernel(task))
    found.update(_of_config(config, ""))
    extents = _extents(task)
    for place, size in enumerate(config.values("tile")):
        if isinstance(size, int) and size:
            for axis, extent in enumerate(extents):
                found[f"waste.{place}.{axis}"] = ceil(extent / size) * size / extent
    return found


def _of_config(config: ConfigAttr, prefix: str) -> Iterator[tuple[str, float]]:
    name = f"{prefix}{config.template_name}"
    yield name, 1.0
    for knob in config:
        values = config.values(knob)
        numbers = [value for value in values if isinstance(value, int)]
        yield f"{name}.{knob}.count", float(len(values))
        yield f"{name}.{knob}.product", log2(prod(max(number, 1) for number in numbers))
        for place, value in enumerate(values):
            if isinstance(value, int):
                yield f"{name}.{knob}.{place}", log2(value + 1)
            elif knob == "parts":
                yield from _of_config(as_config(value), f"{name}.{place}.")
            else:
                yield f"{name}.{knob}.{value}", float(place + 1)


def _extents(task: Task) -> tuple[int, ...]:
    """Return the innermost extents of the result, the last one first."""
    return tuple(extent or 1 for extent in bounds_of(task.op.outputs[0].type)[:-4:-1])


def _of_kernel(task: Task) -> Iterator[tuple[str, float]]:
    yield "kernel.bytes", log2(task.bytes + 1)
    for number, value in enumerate((*task.op.outputs, *task.op.operands[:2])):
        for axis, extent in enumerate(bounds_of(value.type)[::-1]):
            yield f"kernel.{number}.{axis}", log2(extent + 1)
