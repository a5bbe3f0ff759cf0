"""One record: a config of a kernel on a machine, and how long it took or why it failed.

A record is a line of JSON with the fields of ``Record``, and ``format``, the number of this format.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from typing import Any, Literal, cast, get_args

from xdsl.utils.exceptions import DiagnosticException, ParseError

from autodeploy.dialects.mlir_text import TextParser
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.registry import new_context

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
        return json.dumps({"format": FORMAT, **asdict(self)}, allow_nan=False)

    @staticmethod
    def from_line(line: str) -> Record:
        """Read a line; raises ``ValueError`` with the reason where it is no record."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise ValueError("not JSON") from None
        if not isinstance(found, dict):
            raise ValueError("not a JSON object")
        values = cast(dict[str, Any], found)
        if values.pop("format", None) != FORMAT:
            raise ValueError(f"not of format {FORMAT}")
        missing = [field.name for field in fields(Record) if field.name not in values]
        if missing:
            raise ValueError(f"without {', '.join(missing)}")
        values = {field.name: values[field.name] for field in fields(Record)}
        _check(values)
        values["costs"] = tuple(map(float, values["costs"]))
        return Record(**values)

    def parsed_config(self) -> ConfigAttr:
        """Return the config; raises ``ValueError`` if the text is none.

        That of a merge is none, nor is that of a choice of the rule's.
        """
        return parse_config(self.config)


def _check(values: dict[str, Any]) -> None:
    texts = ("kernel", "title", "machine", "processor", "config", "time")
    costs, error, versions = values["costs"], values["error"], values["versions"]
    wrong = [name for name in texts if not isinstance(values[name], str)]
    if values["kind"] not in get_args(Kind):
        wrong.append("kind")
    if not isinstance(error, str | None):
        wrong.append("error")
    if not _is_costs(costs) or bool(costs) == (error is not None):
        wrong.append("costs")
    if not isinstance(versions, dict) or not all(
        isinstance(value, str) for value in cast(dict[str, Any], versions).values()
    ):
        wrong.append("versions")
    try:
        datetime.fromisoformat(values["time"])
        if values["kind"] == "merge":
            if values["config"] not in (MERGED, APART):
                wrong.append("config")
        elif (values["kind"], values["config"]) != ("choice", BY_RULE):
            parse_config(values["config"])
    except (TypeError, ValueError):
        wrong.append("time or config")
    if wrong:
        raise ValueError(f"with a wrong {wrong[0]}")


def _is_costs(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(cost, int | float) and not isinstance(cost, bool) and 0 < cost < math.inf
        for cost in cast(list[object], value)
    )


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
