"""Results that are known for all numbers of a run, evaluated when a converter asks for them.

A run computes such a result as any data. It may also be a size, such as an element of a list whose
length differs between numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from autodeploy.frontend.nn.builder import ConversionError
from autodeploy.lowering.onnx_to_nn.size_tables import SizeTable

Evaluate: TypeAlias = Callable[[Sequence[SizeTable]], Sequence[SizeTable] | None]
"""Returns the results for operands, ``None`` if these are not known."""


class FollowedOp:
    """Results of an op whose operands are known for all numbers, or followed.

    ``text`` names the op in an error.
    """

    def __init__(self, evaluate: Evaluate, operands: Sequence[SizeTable | Followed], text: str):
        self._evaluate, self._operands, self._text = evaluate, operands, text
        self._is_done = False
        self._tables: Sequence[SizeTable] | None = None
        self._error: str | None = None
        """A text, as an exception keeps the frames that it was raised in, and all their tables."""

    @property
    def tables(self) -> Sequence[SizeTable] | None:
        """The results, ``None`` if they are not known.

        Raises ``ConversionError`` if only some numbers have a result, or there are too many.
        """
        waiting = [self]
        while waiting:
            further = [
                operand.op
                for operand in waiting[-1]._operands
                if isinstance(operand, Followed) and not operand.op._is_done
            ]
            if further:
                waiting += further
            else:
                waiting.pop()._finish()
        if self._error is not None:
            raise ConversionError(self._error)
        return self._tables

    def _finish(self) -> None:
        """Evaluate the op, whose operands are evaluated."""
        if self._is_done:
            return
        self._is_done = True
        operands: list[SizeTable] = []
        for operand in self._operands:
            if isinstance(operand, SizeTable):
                operands.append(operand)
                continue
            self._error = operand.op._error
            if operand.op._tables is None:
                return
            operands.append(operand.op._tables[operand.index])
        try:
            self._tables = self._evaluate(operands)
        except ConversionError as error:
            self._error = f"{self._text}: {error}"


@dataclass(frozen=True)
class Followed:
    """One of the results of an op."""

    op: FollowedOp
    index: int = 0

    @property
    def table(self) -> SizeTable | None:
        """The result, as ``FollowedOp.tables`` has it."""
        tables = self.op.tables
        return None if tables is None else tables[self.index]
