"""Which sizes are so simple that few numbers tell of all: sums and products of extents.

An extent is a sum of numbers, rounded down or not, or a product of such. Where it is alike at the
largest number, the one below and the least, it is alike at all. So is what is moved about, or
multiplied. A difference of extents that are rounded down, such as what is left over a stride, is
not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autodeploy.analysis.computed_sizes import Asked, Computed
from autodeploy.dialects.nn.growth import Growth
from autodeploy.dialects.onnx.families import MOVEMENTS

_DEGREE = 2
"""The degree of polynomials that agree where they do so for three numbers."""

_LEAST_BYTES = 4
"""Sums and products in narrower integers may wrap around."""

_SUMS = frozenset(("Add", "ReduceSum", "Sub"))

_KEPT = frozenset(("Cast", "Identity", "Neg"))


class EvenSizes:
    """Tells which records are even; ``asked`` has how the extents grow that nodes ask for."""

    def __init__(
        self,
        records: Sequence[Asked | Computed],
        asked: Mapping[int, Sequence[Growth | int] | None],
    ):
        self._records, self._asked = records, asked
        self._known: dict[int, tuple[int, bool] | None] = {}

    def is_even(self, number: int) -> bool:
        """Tell whether few numbers tell of a record."""
        waiting = [number]
        while waiting:
            record = self._records[waiting[-1]]
            read = [] if isinstance(record, Asked) else _read(record)
            further = [n for n in read if n not in self._known]
            if further:
                waiting += further
                continue
            self._known[waiting[-1]] = self._find(waiting[-1], record)
            waiting.pop()
        found = self._known[number]
        return found is not None and found[0] <= _DEGREE

    def _find(self, number: int, record: Asked | Computed) -> tuple[int, bool] | None:
        """Return the degree of a polynomial, and whether extents are rounded in it.

        ``None`` of what is none.
        """
        if isinstance(record, Asked):
            growths = self._asked.get(number)
            if growths is None:
                return None
            found = [growth for growth in growths if isinstance(growth, Growth)]
            degrees = [len(growth.factors) for growth in found]
            degree = sum(degrees) if record.is_count else max(degrees, default=0)
            return degree, any(factor.over > 1 for g in found for factor in g.factors)
        if record.node is None or any(
            not isinstance(operand, int) and operand.dtype.kind not in "iub"
            for operand in record.operands
        ):
            return None
        read, kind = _read(record), record.node.op_type
        known = [entry for n in read if (entry := self._known[n]) is not None]
        made = record.whole.dtype
        if len(known) < len(read) or made.kind not in "iu" or made.itemsize < _LEAST_BYTES:
            return None
        degrees, rounded = [degree for degree, _ in known], any(odd for _, odd in known)
        if kind in MOVEMENTS:
            is_moved = kind == "Concat" or not any(isinstance(o, int) for o in record.operands[1:])
            return (max(degrees), rounded) if is_moved else None
        if kind in _KEPT or (kind in _SUMS and (not rounded or self._adds_constant(record))):
            return max(degrees), rounded
        if kind == "Mul":
            times = 2 if len(record.operands) == 1 else 1
            return times * sum(degrees), rounded
        if kind == "ReduceProd" and isinstance(record.operands[0], int):
            source = self._records[record.operands[0]]
            count = len(source.extents) if isinstance(source, Asked) else source.whole.size
            return count * degrees[0], rounded
        return None

    def _adds_constant(self, record: Computed) -> bool:
        """Tell whether a sum has one operand alone that depends on a number."""
        return record.node is not None and (
            record.node.op_type != "ReduceSum" and len(_read(record)) == 1 < len(record.operands)
        )


def _read(record: Computed) -> list[int]:
    return [operand for operand in record.operands if isinstance(operand, int)]
