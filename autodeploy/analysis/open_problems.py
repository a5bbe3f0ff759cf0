"""What keeps ops from having an open axis: reasons, and the nodes that they are about."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation

from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.locations import nodes_of
from autodeploy.dialects.nn.growth import Growth
from autodeploy.dialects.nn.open_extent import OpenExtentAttr

_NAMED_NODES = 3


class OpenProblems:
    """Collects the ops that cannot have an open axis, so that they are listed all at once."""

    def __init__(self, extent: OpenExtentAttr | None):
        self._extent = extent
        self.problems: dict[str, list[str]] = {}
        """Reasons, and the nodes that they are about."""

    def refuse(self, op: Operation, reason: str) -> None:
        """Record that an op cannot have an open axis."""
        nodes = nodes_of(op) or tuple(r.name_hint for r in op.results if r.name_hint) or (op.name,)
        listed = self.problems.setdefault(reason, [])
        listed += [node for node in nodes[:1] if node not in listed]

    def check(self) -> None:
        """Raise ``UnsupportedError`` that lists all ops that cannot have an open axis."""
        if not self.problems:
            return
        count = sum(map(len, self.problems.values()))
        extent = "" if self._extent is None else f" {self._extent}"
        lines = [
            f"extent{extent} cannot be open, as {count} node{'s' * (count != 1)} cannot have it"
        ]
        for reason, nodes in self.problems.items():
            named = ", ".join(map(repr, nodes[:_NAMED_NODES])) + ", …" * (len(nodes) > _NAMED_NODES)
            what = "node" if len(nodes) == 1 else f"{len(nodes)} nodes"
            lines.append(f"  {what} {named}: {reason}")
        if self._extent is not None:
            lines.append(f"  a part of one number has no open extent: {self._extent.singles}")
        raise UnsupportedError(*lines)

    def least(self, growth: Growth) -> int:
        """Return the least extent that grows so, that for 1 where the range is not known."""
        return growth.at(1) if self._extent is None else self._extent.least(growth)

    def _refuse_rounded(self, op: Operation, growth: Growth) -> None:
        """Refuse an op that stretches an axis so that its extent has no form that is known."""
        self.refuse(
            op,
            f"it makes another number of {self._text(growth)} elements, which are rounded down "
            "before",
        )

    def _refuse_several(self, op: Operation, growths: Iterable[Growth]) -> None:
        """Refuse an op whose operands have other extents than each other along one axis."""
        forms = " and ".join(sorted(map(self._text, growths)))
        self.refuse(op, f"its operands have it in several forms, {forms}")

    def _text(self, growth: Growth) -> str:
        """Return an extent by the name of the open one."""
        return str(growth) if self._extent is None else self._extent.text(growth)

    def _least_number(self, growth: Growth) -> str:
        """Return the least numbers that a run is given for an extent that grows so."""
        assert self._extent is not None
        ranges = self._extent.ranges_of(growth)
        return " and ".join(str(range_.number(range_.least)) for range_ in ranges)
