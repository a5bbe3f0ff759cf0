"""One record: a config of a kernel on a machine, and how long it took or why it failed.

A record is a line of JSON with the fields of ``Record``, and ``format``, the number of this format.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from typing import Any, Literal, cast

from xdsl.utils.exceptions import DiagnosticException, ParseError

from autodeploy.diagnostics import UserError
from autodeploy.dialects.mlir_text import TextParser
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.registry import new_context
from autodeploy.json_values import from_json, to_json

FORMAT = 1
"""The number of the format, which a reader that does not know a later one refuses."""

Kind = Literal["trial", "choice", "merge"]

MERGED, APART = "merged", "apart"
"""The values of the config of a ``merge``."""

BY_RULE = "rule"
"""The config of a ``choice`` if none is faster than the rule's config."""


@dataclass(frozen=True)
class Record:
    """A measurement of one config of one kernel.

    ``kernel`` is the kernel's signature and ``title`` says in words what it computes; ``machine``
    is the text of the ``#machine.description`` that it was compiled for, ``processor`` what it ran
    on; ``config`` is the text of the ``#nn.config``. ``costs`` are seconds a call, one for each
    batch of calls; there are none where ``error`` says why the trial failed. ``versions`` are those
    of autodeploy and of Halide, ``time`` is UTC in ISO 8601.

    A ``trial`` was measured alone. A ``choice`` was measured in turn with the rule's config and
    confirmed on a whole network; it is what is applied, whatever trials say, and its ``config`` is
    ``rule`` where that is the rule's: it stays the rule's when rules change. A ``merge``
    says of several kernels whether they become one: ``kernel`` is the signature of them all,
    ``config`` is ``merged`` or ``apart``, and ``costs`` are those of the whole network.
    """

    kind: Kind
    kernel: str
    title: str
    machine: str
    processor: str
    config: str
    costs: tuple[float, ...]
    error: str | None
    versions: Mapping[str, str]
    time: str

    @property
    def by_rule(self) -> bool:
        """Return whether it leaves a kernel to the rules."""
        return self.kind == "choice" and self.config == BY_RULE

    @property
    def cost(self) -> float:
        """Return the least seconds of a call; infinity of a failed trial."""
        return min(self.costs) if self.costs and self.error is None else math.inf

    def to_line(self) -> str:
        """Return the record as a line, without its end."""
        return json.dumps({"format": FORMAT, **to_json(self)}, allow_nan=False)

    @staticmethod
    def from_line(line: str) -> Record:
        """Read a line; raises ``ValueError`` with the reason where it is no record."""
        try:
            found: Any = json.loads(line)
        except (ValueError, RecursionError):
            raise ValueError("not JSON") from None
        if isinstance(found, dict) and cast(dict[str, Any], found).get("format") != FORMAT:
            raise ValueError(f"not of format {FORMAT}")
        try:
            record = from_json(Record, found, "it")
        except UserError as error:
            raise ValueError(f"no record: {error}") from None
        record._check()
        return record

    def _check(self) -> None:
        """Raise ``ValueError`` for a time, costs or a config that no measurement has."""
        if bool(self.costs) == (self.error is not None):
            raise ValueError("with costs and an error, or with neither")
        if not all(0 < cost < math.inf for cost in self.costs):
            raise ValueError("with costs that are no times")
        try:
            datetime.fromisoformat(self.time)
        except ValueError:
            raise ValueError(f"with a wrong time, '{self.time}'") from None
        if self.kind == "merge":
            if self.config not in (MERGED, APART):
                raise ValueError(f"a merge with config '{self.config}'")
        elif not self.by_rule:
            self.parsed_config()

    def parsed_config(self) -> ConfigAttr:
        """Return the config; raises ``ValueError`` if the text is none.

        That of a merge is none, nor is that of a choice of the rule's.
        """
        return parse_config(self.config)


@cache
def parse_config(text: str) -> ConfigAttr:
    """Return the config of a text; raises ``ValueError`` if it is none."""
    try:
        found = TextParser(new_context(), text).parse_attribute()
    except (DiagnosticException, ParseError, RecursionError):
        raise ValueError("not a config") from None
    if not isinstance(found, ConfigAttr):
        raise ValueError("not a config")
    return found


@cache
def current_versions() -> Mapping[str, str]:
    """Return the versions on which the code of a config depends."""
    return {"autodeploy": version("autodeploy"), "halide": version("halide")}


def now() -> str:
    """Return the time of a record that is made now."""
    return datetime.now(UTC).isoformat(timespec="seconds")
