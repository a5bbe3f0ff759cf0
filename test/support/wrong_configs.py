"""Configs from outside of the spaces of templates: other numbers, lists, knobs and templates."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.templates.registry import template_names

NUMBERS = (0, 1, 2, 3, 5, 7, 9, 17, 28, 64, 1000, 2**31 - 1, 2**31, 2**64)
NAMES = ("c", "x", "y", "rows", "row", "columns", "stream", "none")


def wrong_configs(config: ConfigAttr, count: int, chosen: random.Random) -> Iterator[ConfigAttr]:
    """Yield ``count`` configs that differ from a whole one in one to three ways."""
    for _ in range(count):
        template, knobs = config.template_name, dict(config.as_dict())
        for _ in range(chosen.choice((1, 1, 1, 2, 3))):
            way = chosen.randrange(12)
            if way == 0:
                template = chosen.choice([*template_names(), "other"])
            elif way == 1 or not knobs:
                values = chosen.sample(NUMBERS, 1)
                knobs[chosen.choice(("tile", "pack", "order", "steps", "other"))] = values
            elif way == 2:
                del knobs[chosen.choice(list(knobs))]
            else:
                knob = chosen.choice(list(knobs))
                knobs[knob] = _changed(list(knobs[knob]), chosen)
        yield ConfigAttr(template, knobs)


def _changed(values: list[Knob], chosen: random.Random) -> Sequence[Knob]:
    """Return other values of a knob."""
    way, place = chosen.randrange(7), chosen.randrange(len(values)) if values else 0
    if not values or way == 0:
        return [*values, chosen.choice(NUMBERS)]
    if way == 1:
        return values[:-1]
    if way == 2:
        return values[::-1]
    if way == 3:
        return [*values[:place], chosen.choice(NAMES), *values[place + 1 :]]
    value = values[place]
    near = max(value + chosen.choice((-1, 1)), 0) if isinstance(value, int) else 1
    number = near if way == 4 else chosen.choice(NUMBERS)
    return [*values[:place], number, *values[place + 1 :]]
