"""The kind that a list of constraints gives to a variable, and the functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autodeploy.diagnostics import did_you_mean
from autodeploy.passes.fusion.pdll import syntax
from autodeploy.passes.fusion.pdll.builder import Builder
from autodeploy.passes.fusion.pdll.entities import CORE
from autodeploy.passes.fusion.pdll.files import Declared

LIKE = "Like"
"""The rewrite that makes an op like a matched one."""


class Kinds:
    """The constraints and rewrites that one pattern may name."""

    def __init__(self, build: Builder, functions: Mapping[str, Declared]):
        self.build, self.functions = build, functions

    def function(self, name: syntax.Token, section: str) -> Declared:
        """Return the function of a name, which is a ``Constraint`` or a ``Rewrite``."""
        declared = self.functions.get(str(name))
        if declared is None:
            hint = did_you_mean(name, [*self.functions, LIKE])
            self.build.fail(name, f"unknown {section} '{name}'{hint}")
        found = declared.function.section
        if found != section:
            where = "match" if section == "Constraint" else "rewrite"
            self.build.fail(name, f"'{name}' is a {found}, a {where} calls a {section}")
        return declared

    def core_part(self, parts: Sequence[syntax.AnyConstraint]) -> syntax.AnyConstraint | None:
        """Return the core constraint of a list."""
        cores = [
            part
            for part in parts
            if isinstance(part, syntax.OperationConstraint) or part.name in CORE
        ]
        if len(cores) > 1:
            self.build.fail(cores[1], "a variable has one kind, found a second one")
        return cores[0] if cores else None

    def core_of(self, parts: Sequence[syntax.AnyConstraint]) -> str:
        """Return the name of a list's core constraint.

        Without one, it is the kind of the parameter of its first constraint.
        """
        part = self.core_part(parts) or parts[0]
        if isinstance(part, syntax.OperationConstraint):
            return "Op"
        if part.name in CORE:
            return str(part.name)
        parameters = parameters_of(self.function(part.name, "Constraint").function)
        if len(parameters) != 1:
            self.build.fail(part, f"'{part.name}' limits {len(parameters)} things, expected one")
        return self.core_of(parameters[0].constraints.parts)


def parameters_of(function: syntax.Function) -> list[syntax.Definition]:
    """Return the parameters of a function."""
    return [] if function.parameters is None else function.parameters.parts


def results_of(function: syntax.Function) -> list[syntax.Result]:
    """Return the declared results of a function."""
    return [] if function.results is None else function.results.parts
