"""The findings of ``autodeploy inspect``, as a value and as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from autodeploy.analysis.memory_sizes import MemorySizes, readable_bytes


@dataclass(frozen=True)
class InspectedTensor:
    """An input or output: an extent that is open has the name that the model gives it, or ``?``.

    ``dtype`` and ``shape`` are ``None`` for a value of unknown rank.
    """

    name: str
    dtype: str | None = None
    shape: tuple[int | str, ...] | None = None

    def __str__(self) -> str:
        if self.shape is None:
            return f"{self.name}: of unknown rank"
        return f"{self.name}: {self.dtype} [{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True)
class Needs:
    """The needs of a program, as far as they are known before it is compiled.

    ``unsupported`` are lines about nodes that cannot be compiled. ``open`` says why sizes are not
    known. Otherwise there are ``multiply_adds`` of convolutions and products in a run,
    ``arena_bytes`` without scratch memory of kernels, ``weight_bytes``, those of each of the
    ``pools``, and lines about ``integers``.
    """

    unsupported: tuple[str, ...] = ()
    open: str | None = None
    multiply_adds: int | None = None
    integers: tuple[str, ...] = ()
    arena_bytes: int | None = None
    weight_bytes: int | None = None
    pools: Mapping[str, int] = field(default_factory=dict[str, int])

    def lines(self) -> Iterator[str]:
        """Yield the lines of the command."""
        if self.unsupported:
            first, *listed = self.unsupported
            yield from (f"not supported: {first}", *listed)
        else:
            yield "all operators are supported"
        if self.open is not None:
            yield f"multiply-adds and memory depend on the extents of the inputs: {self.open}"
        if self.multiply_adds is not None:
            yield f"multiply-adds of convolutions and products: {self.multiply_adds:,}"
        yield from self.integers
        if self.arena_bytes is not None and self.weight_bytes is not None:
            yield from MemorySizes(self.weight_bytes, self.arena_bytes, pools=self.pools).lines()


@dataclass(frozen=True)
class Inspection:
    """The contents and the needs of a model; its text has the lines of the command.

    ``operators`` are the numbers of nodes by operator, ``weights`` the elements of all constants,
    which take ``weight_bytes`` in the model.
    """

    name: str | None
    opsets: Mapping[str, int]
    inputs: tuple[InspectedTensor, ...]
    outputs: tuple[InspectedTensor, ...]
    operators: Mapping[str, int]
    weights: int
    weight_bytes: int
    needs: Needs
    doc_string: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Yield the lines of the command."""
        title = "a model without a name" if self.name is None else f"model '{self.name}'"
        if self.opsets:
            title += f", opset {', '.join(f'{d} {v}' for d, v in self.opsets.items())}"
        yield title
        texts = {"doc_string": self.doc_string} if self.doc_string else {}
        for name, text in {**texts, **self.metadata}.items():
            yield f"{name}: {' '.join(text.split())}"
        yield from (f"input   {one}" for one in self.inputs)
        yield from (f"output  {one}" for one in self.outputs)
        nodes = sum(self.operators.values())
        yield f"{_number(nodes, 'node')} of {_number(len(self.operators), 'operator')}"
        width = max(map(len, self.operators), default=0)
        for operator, count in self.operators.items():
            yield f"  {operator:{width}}  {count:5}"
        yield f"weights: {_number(self.weights, 'number')}, {readable_bytes(self.weight_bytes)}"
        yield from self.needs.lines()


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
