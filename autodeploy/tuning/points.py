"""Points of the space of a task: at random, near another one, between two, all in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

from autodeploy.dialects.nn.config import ConfigAttr, Knob, as_config
from autodeploy.templates.space import Parts, Space
from autodeploy.tuning.task import Task

_ATTEMPTS = 30
"""Points that are drawn until one has no conflict."""

_OF_THE_RULE = 0.6
"""How often a random point is of the template that the rule chooses."""

_BY_RULE = 0.3
"""How often the rule chooses some of the knobs that are not changed."""

Values = Mapping[str, Sequence[Knob]]


class Points:
    """Configs of a task without conflicts, drawn by ``random``."""

    def __init__(self, task: Task, random: Random):
        self.task = task
        self.random = random

    def anywhere(self) -> ConfigAttr | None:
        """Return a random point; ``None`` where none was found.

        Some of its knobs are drawn, and the rule chooses the others so that they fit.
        """
        names = list(self.task.templates)
        rule = self.task.rule.template_name
        for _ in range(_ATTEMPTS):
            often = self.random.random() < _OF_THE_RULE
            name = rule if often and rule in names else self.random.choice(names)
            share = self.random.random()
            drawn = {
                knob: self._value(values)
                for knob, values in self.task.templates[name].items()
                if self.random.random() < share
            }
            if (found := self._completed(name, drawn)) is not None:
                return found
        return None

    def near(self, config: ConfigAttr) -> ConfigAttr | None:
        """Return a point of which a knob or two have another value.

        The other knobs stay, or the rule chooses some of them again.
        """
        space = self.task.templates.get(config.template_name, {})
        if not space:
            return self.anywhere()
        for _ in range(_ATTEMPTS):
            values = dict(config.as_dict())
            changed = self.random.sample(
                list(space), min(len(space), self.random.choice((1, 1, 2)))
            )
            for knob in changed:
                values[knob] = self._neighbour(space[knob], values.get(knob, ()))
            if self.random.random() < 0.3:
                values = {
                    k: v for k, v in values.items() if k in changed or self.random.random() < 0.5
                }
            found = self._completed(config.template_name, values)
            if found is not None and found != config:
                return found
        return None

    def between(self, one: ConfigAttr, other: ConfigAttr) -> ConfigAttr | None:
        """Return a point whose knobs are from one or the other of the same template."""
        if one.template_name != other.template_name:
            return self.near(self.random.choice((one, other)))
        for _ in range(_ATTEMPTS):
            values = {k: self.random.choice((one, other)).values(k) for k in one}
            if (found := self._completed(one.template_name, values)) is not None:
                return found
        return None

    def in_order(self) -> Iterator[ConfigAttr]:
        """Yield all points, those of the rule's template first."""
        rule = self.task.rule.template_name
        for name in sorted(self.task.templates, key=lambda name: name != rule):
            space = self.task.templates[name]
            for values in product(*space.values()):
                found = self._completed(name, dict(zip(space, values, strict=True)))
                if found is not None:
                    yield found

    def _completed(self, name: str, values: Values) -> ConfigAttr | None:
        given = self.task.op.config
        if given is not None and given.template_name == name:
            values = {**given.as_dict(), **values}
        return self.task.completed(ConfigAttr(name, values))

    def _value(self, values: Sequence[Sequence[Knob]]) -> Sequence[Knob]:
        if isinstance(values, Parts):
            return tuple(self._part(name, space) for name, space in values.parts)
        return values[self.random.randrange(len(values))]

    def _part(self, name: str, space: Space) -> Knob:
        """Return a random config of a part, which the rule completes."""
        share = self.random.random()
        knobs = {k: self._value(v) for k, v in space.items() if self.random.random() < share}
        return ConfigAttr(name, knobs) if knobs else name

    def _neighbour(self, values: Sequence[Sequence[Knob]], value: Sequence[Knob]) -> Sequence[Knob]:
        """Return another value of a knob: the next one as often as any."""
        if isinstance(values, Parts):
            parts = list(value)
            place = self.random.randrange(len(parts))
            part, (name, space) = as_config(parts[place]), values.parts[place]
            if space:
                knobs = dict(part.as_dict())
                knob = self.random.choice(list(space))
                knobs[knob] = self._neighbour(space[knob], knobs.get(knob, ()))
                parts[place] = ConfigAttr(name, knobs)
            return tuple(parts)
        if value in values and self.random.random() < 0.5:
            place = values.index(value) + self.random.choice((-1, 1))
            return values[min(max(place, 0), len(values) - 1)]
        return values[self.random.randrange(len(values))]
