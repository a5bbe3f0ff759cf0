"""Points of the space of a task: by rules, at random, near another one, between two, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

from autodeploy.dialects.nn.config import ConfigAttr, Knob, as_config
from autodeploy.machine import Machine
from autodeploy.templates.space import Knobs, Parts, Space
from autodeploy.tuning.other_machines import drawn_machine, other_machines
from autodeploy.tuning.task import Task

_ATTEMPTS = 30
"""Points that are drawn until one has no conflict."""

_OF_THE_RULE = 0.6
"""How often a random point is of the template that the rule chooses."""

_BY_RULE = 0.3
"""How often the rule chooses some of the knobs that are not changed."""

_LIKE_ANOTHER = 0.5
"""How often the rule chooses the knobs that are not drawn as it does for another machine."""

_FORMS = 2
"""The most values of a knob that each make a template another one, such as a transform."""


def form_of(task: Task, config: ConfigAttr) -> object:
    """Return what two configs have in common that compute a kernel in much the same way."""
    forms = _forms(task.templates.get(config.template_name, {}))
    return config.template_name, [config.values(knob) for knob in forms if knob in config]


def _forms(space: Space) -> list[str]:
    """Return the knobs that have few values."""
    return [k for k, v in space.items() if not isinstance(v, Parts) and len(v) <= _FORMS]


class Points:
    """Configs of a task without conflicts, drawn by ``random``."""

    def __init__(self, task: Task, random: Random):
        self.task = task
        self.random = random

    def by_rules(self) -> Iterator[ConfigAttr]:
        """Yield what the rules choose: by each template, for this machine and for others like it.

        The template that the rules take comes first. A choice for several machines is yielded
        several times.
        """
        for name, space in self._templates():
            forms = [{knob: value} for knob in _forms(space) for value in space[knob]]
            for drawn in ({}, *forms):
                for like in (None, *other_machines(self.task.machine)):
                    if (found := self._completed(name, drawn, like)) is not None:
                        yield found

    def anywhere(self) -> ConfigAttr | None:
        """Return a random point; ``None`` if none was found.

        Some of its knobs are drawn, and the rule chooses the others so that they fit, often as it
        does for a machine with other caches and costs.
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
            is_like_another = self.random.random() < _LIKE_ANOTHER
            like = drawn_machine(self.task.machine, self.random) if is_like_another else None
            if (found := self._completed(name, drawn, like)) is not None:
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
            if self.random.random() < _BY_RULE:
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
        for name, space in self._templates():
            for values in product(*space.values()):
                found = self._completed(name, dict(zip(space, values, strict=True)))
                if found is not None:
                    yield found

    def _templates(self) -> list[tuple[str, Space]]:
        """Return the templates and their spaces, that of the rule first."""
        rule = self.task.rule.template_name
        return sorted(self.task.templates.items(), key=lambda item: item[0] != rule)

    def _completed(
        self, name: str, values: Knobs, like: Machine | None = None
    ) -> ConfigAttr | None:
        given = self.task.op.config
        if given is not None and given.template_name == name:
            values = {**given.as_dict(), **values}
        return self.task.completed(ConfigAttr(name, values), like)

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
