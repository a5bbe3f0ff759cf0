"""What the emitters of C need to know of a planned ``driver.program``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal, TypeAlias

from xdsl.ir import Attribute

from autodeploy.dialects.memref import aligned
from autodeploy.dialects.nn.constant import ConstantValue, DenseAttr
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    ELEMENT_NAMES,
)
from autodeploy.machine.settings import MAX_CORES

MAX_THREADS = MAX_CORES
"""The most threads of a program (``AUTODEPLOY_POOL_MAX_THREADS`` of the runtime)."""

Region: TypeAlias = Literal["caller", "weights", "arena"]


@dataclass(frozen=True)
class Threads:
    """The threads that a program computes with: at most ``count``.

    ``scratch_bytes`` is what kernels take of each but the calling one, ``None`` where none of them
    has a parallel loop, so that the program needs no other thread.
    """

    count: int = 1
    scratch_bytes: int | None = None

    @property
    def has_pool(self) -> bool:
        """Tell whether the program starts threads."""
        return self.count > 1 and self.scratch_bytes is not None


@dataclass(frozen=True)
class Tensor:
    """A tensor: its name in the network, in ASCII (``original_text`` gives back what that was), its
    element type, its extents, outermost first.
    """

    name: str
    element: Attribute
    shape: tuple[int, ...]

    @property
    def dtype(self) -> str:
        """Return NumPy's name of the element type."""
        return ELEMENT_NAMES[self.element]

    @property
    def bytes(self) -> int:
        """Return the bytes of the whole."""
        return prod(self.shape) * ELEMENT_BYTES[self.element]


@dataclass(frozen=True)
class Buffer:
    """A tensor that a kernel or a copy touches: ``offset`` bytes into its region.

    ``tensor.name`` is the C enumerator by which the program knows it; ``strides`` count elements,
    outermost axis first.
    """

    tensor: Tensor
    region: Region
    offset: int
    strides: tuple[int, ...]

    @property
    def label(self) -> str:
        """Return the C enumerator."""
        return self.tensor.name

    @property
    def layout(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return extents and strides, outermost axis first."""
        return self.tensor.shape, self.strides


@dataclass(frozen=True)
class Scratch:
    """What a kernel works in while it runs: ``bytes`` at ``offset`` in the arena."""

    offset: int
    bytes: int

    @property
    def end(self) -> int:
        """Return the first byte behind it."""
        return self.offset + self.bytes


@dataclass(frozen=True)
class Call:
    """Run a kernel on buffers, named by their labels: its inputs, then its outputs.

    A function of the library gets ``parameters`` behind them.
    """

    symbol: str
    operands: tuple[str, ...]
    nodes: tuple[str, ...]
    scratch: Scratch | None = None
    parameters: tuple[int, ...] = ()


@dataclass(frozen=True)
class Copy:
    """Copy all bytes of a buffer to another one."""

    source: str
    target: str
    bytes: int
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class Alias:
    """Let a view of an input or output of the caller start ``offset`` bytes behind its source."""

    view: str
    source: str
    offset: int = 0


@dataclass(frozen=True)
class Row:
    """Let ``view`` start at the row of ``source`` that the step of the loop ``depth`` is about.

    Row 0 starts at the first byte of the source, and each next one ``bytes`` behind; ``backwards``
    is the number of the last row where the loop begins with that.
    """

    view: str
    source: str
    bytes: int
    depth: int
    backwards: int | None


@dataclass(frozen=True)
class Loop:
    """Run steps again and again, then exchange the memory of pairs of buffers each time.

    ``depth`` is the number of loops around; ``limit`` the most times; ``trips`` holds how many, and
    ``condition`` whether there is another one; ``counter`` is given the number of the step.
    """

    steps: tuple[Step, ...]
    depth: int
    limit: int | None
    trips: str | None
    condition: str | None
    counter: str | None
    exchanged: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Choice:
    """Run one of two lists of steps, the first where ``condition`` holds."""

    condition: str
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...]


Step: TypeAlias = Call | Copy | Alias | Row | Loop | Choice


def all_steps(steps: Sequence[Step]) -> Iterator[Step]:
    """Yield steps, and those within loops and choices."""
    for step in steps:
        yield step
        match step:
            case Loop():
                yield from all_steps(step.steps)
            case Choice():
                yield from all_steps((*step.then, *step.otherwise))
            case _:
                pass


@dataclass(frozen=True)
class Weight:
    """Constant data ``offset`` bytes into the data of the weight file."""

    value: ConstantValue
    offset: int

    @property
    def bytes(self) -> int:
        """Return the bytes that the value takes."""
        type_ = self.value.type
        return prod(type_.get_shape()) * ELEMENT_BYTES[type_.get_element_type()]

    @property
    def content(self) -> str:
        """Return what tells its numbers from others: themselves, or the key of the store."""
        value = self.value
        return value.data.data.hex() if isinstance(value, DenseAttr) else value.key.data


@dataclass(frozen=True)
class Program:
    """A planned ``driver.program``.

    ``symbols`` gives the C function of every kernel that the module defines, ``arities`` the number
    of buffers of each kernel that is called; ``functions`` are those of the library. Sizes are in
    bytes; ``arena_bytes`` holds buffers and the working memory of kernels.
    """

    name: str
    prefix: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    buffers: tuple[Buffer, ...]
    steps: tuple[Step, ...]
    weights: tuple[Weight, ...]
    symbols: dict[str, str]
    arities: dict[str, int]
    functions: tuple[str, ...]
    arena_bytes: int
    weight_bytes: int
    threads: Threads
    embeds_weights: bool
    flushes_subnormals: bool
    x86_sets: tuple[str, ...]

    @property
    def has_scratch(self) -> bool:
        """Tell whether any kernel works in the arena."""
        return any(isinstance(s, Call) and s.scratch for s in all_steps(self.steps))

    @property
    def has_exchange(self) -> bool:
        """Tell whether a loop exchanges the memory of buffers."""
        return any(isinstance(s, Loop) and s.exchanged for s in all_steps(self.steps))

    @property
    def data_bytes(self) -> int:
        """Return the bytes of the weight file's data: what the weights take, rounded up."""
        return aligned(self.weight_bytes)

    def fingerprint(self) -> bytes:
        """Return 16 bytes that differ where the same weight file does not serve both programs.

        They depend on the name, the inputs and outputs, and the place, type and content of every
        weight, and not on kernels or schedules.
        """

        def described(tensors: Sequence[Tensor]) -> list[object]:
            return [[t.name, t.dtype, list(t.shape)] for t in tensors]

        text = json.dumps(
            [
                self.name,
                described(self.inputs),
                described(self.outputs),
                [[w.offset, str(w.value.type), w.content] for w in self.weights],
                self.data_bytes,
            ]
        )
        return hashlib.sha256(text.encode()).digest()[:16]


def function_symbol(name: str) -> str:
    """Return the C function of a name of the library; its file is called like it."""
    return f"autodeploy_{name}"
