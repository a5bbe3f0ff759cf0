"""What templates share that compute several anchors in bands of rows: a config for each anchor."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autodeploy.dialects.nn.config import ConfigAttr, Knob
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.templates.space import Knobs, Parts, Space
from autodeploy.templates.template import Template


@dataclass(frozen=True)
class Part:
    """How one anchor is computed: a template's name, its knobs by the rule, their space."""

    template: str
    default: Callable[[ConfigAttr], Knobs] = lambda given: {}
    space: Callable[[], Space] = dict
    conflict: Callable[[ConfigAttr], str | None] = lambda config: None


class BandsTemplate(Template):
    """Several anchors in bands: rows of each image or matrix, and a config for each anchor."""

    in_runs = True
    needed = ("bands",)

    @abstractmethod
    def bands(self, kernel: KernelOp) -> Sequence[Sequence[Knob]]:
        """Return the bands that there may be."""

    @abstractmethod
    def parts(self, kernel: KernelOp, machine: Machine, bands: Sequence[int]) -> Sequence[Part]:
        """Return how each anchor is computed."""

    def default(self, kernel: KernelOp, machine: Machine, given: ConfigAttr) -> Knobs:
        """Return the bands that are given, and the config of each anchor."""
        parts = self.parts(kernel, machine, given.ints("bands"))
        configs = given.configs("parts") or [ConfigAttr(part.template) for part in parts]
        completed = [
            ConfigAttr(part.template, {**part.default(config), **config.as_dict()})
            for part, config in zip(parts, configs, strict=True)
        ]
        return {"bands": given.values("bands"), "parts": completed}

    def space(self, kernel: KernelOp, machine: Machine) -> Space:
        bands = self.bands(kernel)
        parts = self.parts(kernel, machine, [n for n in bands[-1] if isinstance(n, int)])
        return {"bands": bands, "parts": Parts([(part.template, part.space()) for part in parts])}

    def conflict(self, kernel: KernelOp, machine: Machine, config: ConfigAttr) -> str | None:
        parts = self.parts(kernel, machine, config.ints("bands"))
        found = (p.conflict(c) for p, c in zip(parts, config.configs("parts"), strict=True))
        return next((conflict for conflict in found if conflict is not None), None)
