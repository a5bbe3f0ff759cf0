"""The facts about a planned ``driver.program`` that the emitters of C need."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from math import prod
from typing import Literal, TypeAlias

from xdsl.ir import Attribute, SSAValue

from autodeploy.analysis.memory_map import bytes_in_outputs
from autodeploy.codegen.c.device import DeviceProgram
from autodeploy.codegen.c.names import c_identifier
from autodeploy.codegen.c.open_numbers import OpenNumber
from autodeploy.dialects.driver import CallOp, ProgramOp, TransferOp, ViewOp
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.memref import ALIGNMENT, aligned, weight_bytes
from autodeploy.dialects.nn.constant import ConstantValue, DenseAttr
from autodeploy.dialects.nn.stored import CellType, element_bits, interface_name
from autodeploy.dialects.nn.types import ELEMENT_BYTES
from autodeploy.machine.settings import MAX_CORES

MAX_THREADS = MAX_CORES
"""The most threads of a program (``AUTODEPLOY_POOL_MAX_THREADS`` of the runtime)."""

STACK_OF_CALLS = 640
"""Bytes of the C stack that functions take besides the arrays of kernels: calls, and registers.

No more was found on microcontrollers, by GCC with optimisation (``test/targets``).
"""

STACK_OF_FUNCTIONS = {"text_of_float": 1088, "text_to_float": 1088}
"""Further bytes of functions of the library that compute with long integers."""

Region: TypeAlias = Literal["caller", "weights", "state", "arena"]


@dataclass(frozen=True)
class Threads:
    """The threads that a program computes with: at most ``count``.

    ``scratch_bytes`` is what kernels take of each but the calling one, ``None`` if none of them
    has a parallel loop, so that the program needs no other thread.
    """

    count: int = 1
    scratch_bytes: int | None = None

    @property
    def has_pool(self) -> bool:
        """Return whether the program starts threads."""
        return self.count > 1 and self.scratch_bytes is not None


@dataclass(frozen=True)
class Tensor:
    """A tensor: its name in the network, in ASCII (``original_text`` gives back what that was), its
    element type, its extents, outermost first. Those of ``open`` axes are the largest there can be;
    ``growths`` state how the numbers of a run decide them, if that is known. If its rows are maps,
    ``keys`` are the keys of the columns, strings in ASCII as names are. ``default`` has the bytes
    of an input that a run leaves out; ``None`` if no run may.
    """

    name: str
    element: Attribute
    shape: tuple[int, ...]
    open: tuple[int, ...] = ()
    keys: tuple[str | int, ...] = ()
    growths: tuple[Growth, ...] = ()
    default: bytes | None = None

    @property
    def grown(self) -> Mapping[int, Growth]:
        """Return how open axes grow with the numbers of a run, where that is known."""
        pairs = zip(self.open, self.growths, strict=True) if self.growths else ()
        return {axis: growth for axis, growth in pairs if growth}

    @property
    def dtype(self) -> str:
        """Return NumPy's name of the element type, ``string64`` for cells of 64 bytes."""
        return interface_name(self.element)

    @property
    def cell(self) -> int | None:
        """Return the bytes of the cell of a string, ``None`` if elements are none."""
        return self.element.bytes if isinstance(self.element, CellType) else None

    @property
    def bytes(self) -> int:
        """Return the bytes of the whole."""
        return (prod(self.shape) * element_bits(self.element) + 7) // 8


@dataclass(frozen=True)
class StateTensor:
    """A tensor that a context keeps: ``left`` is what a run leaves, by the name of the output.

    ``input`` is the name of the input that finds it. ``shape`` is that of the memory, ``offset``
    bytes into the memory of states. If it has rows, they are along ``axis``, and the number at
    ``place`` of a run is how many it finds.
    """

    input: str
    left: Tensor
    shape: tuple[int, ...]
    offset: int
    axis: int | None = None
    place: int | None = None


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
    """A planned ``driver.program``, with the facts about its values and calls that C needs.

    ``buffers`` are the places of its values, those of the caller first; ``moving`` are the values
    whose address changes from run to run, or from step to step. ``symbols`` gives the C function of
    every kernel that the module defines, ``arities`` the number of buffers of each kernel that is
    called; ``functions`` are those of the library. ``scratch`` is the bytes that calls work in.
    ``states`` are kept from run to run, in ``state_bytes`` of memory. ``device`` is what the
    program does on a device, if it has one.
    ``extents`` are the values that hold what a run finds the extents of an output to be.
    ``x86_sets`` are the instruction sets that kernels use besides the basics of x86-64. ``numbers``
    are those that each run is told; growths of tensors name them by their places. A context has
    memory for ``derived_count`` numbers that follow from them.

    If there are ``variants``, programs of one network for several machines or for parts of its
    open extents, this one stands for all of them (``several_programs``): it says what they have in
    common, and has no calls itself. The first one of several machines may have a device.
    """

    op: ProgramOp
    prefix: str
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    buffers: Mapping[SSAValue, Buffer]
    moving: Set[SSAValue]
    weights: tuple[Weight, ...]
    symbols: Mapping[str, str]
    arities: Mapping[str, int]
    functions: tuple[str, ...]
    scratch: Mapping[CallOp, int]
    arena_bytes: int
    weight_bytes: int
    threads: Threads
    x86_sets: tuple[str, ...]
    extents: Mapping[int, SSAValue]
    numbers: tuple[OpenNumber, ...] = ()
    variants: tuple[Program, ...] = ()
    states: tuple[StateTensor, ...] = ()
    state_bytes: int = 0
    device: DeviceProgram | None = None
    derived_count: int = 0

    @property
    def name(self) -> str:
        """Return the name of the network, in ASCII."""
        return self.op.sym_name.data

    @property
    def variant(self) -> str | None:
        """Return the name of this program of several; ``None`` if it is alone."""
        return None if self.op.variant is None else self.op.variant.data

    @property
    def pools(self) -> Mapping[str, int]:
        """Return the bytes of each pool, the last one with those of states; none without pools."""
        starts = [start for _, start in self.op.pools]
        end = max(aligned(self.arena_bytes), ALIGNMENT) + aligned(self.state_bytes)
        ends = [*starts[1:], end]
        return {
            name: last - start for (name, start), last in zip(self.op.pools, ends, strict=False)
        }

    @property
    def is_for_part(self) -> bool:
        """Return whether this is one of several programs for parts, or stands for them."""
        return self.op.part is not None

    def is_told(self, growth: Growth) -> bool:
        """Return whether an extent grows with ``numbers`` alone."""
        return all(place < len(self.numbers) for place in growth.places)

    @property
    def for_machines(self) -> tuple[Program, ...]:
        """Return the programs among which the processor decides when a context begins."""
        return () if self.is_for_part else self.variants

    @property
    def for_parts(self) -> tuple[Program, ...]:
        """Return the programs among which the numbers of a run decide."""
        return self.variants if self.is_for_part else ()

    def growths(self, value: SSAValue) -> Mapping[int, Growth]:
        """Return how open axes of a value of the program grow with ``numbers``."""
        return {axis: self.op.told(growth) for axis, growth in self.op.growths(value).items()}

    def stride_growths(self, value: SSAValue) -> Mapping[int, Growth]:
        """Return how those strides of a value, in elements, grow that follow from ``numbers``."""
        strides = self.op.strides_of_run(value) if self.op.is_packed(value) else None
        return {
            axis: self.op.told(growth.scaled(constant))
            for axis, (constant, growth) in enumerate(strides or ())
            if growth
        }

    @property
    def variant_name(self) -> str:
        """Return what the names of a program that is one of several have in them."""
        return c_identifier(self.variant or "")

    @property
    def only_transferred(self) -> Sequence[bool]:
        """Return for inputs, then outputs, whether programs only copy them to a device or back."""
        on_device = [one for one in self.variants or (self,) if one.device is not None]
        count = len(self.inputs) + len(self.outputs)
        columns = zip(*(one.op.body.block.args[:count] for one in on_device), strict=True)
        return [all(map(_is_only_transferred, column)) for column in columns]

    @property
    def keeps_kernels(self) -> bool:
        """Return whether a file can keep the compiled kernels; CUDA's driver keeps its own."""
        return self.device is not None and self.device.api == "opencl"

    @property
    def embeds_weights(self) -> bool:
        """Return whether the weights are linked in."""
        return self.op.embedded is not None

    @property
    def is_freestanding(self) -> bool:
        """Return whether there is no operating system: no heap, no files."""
        return self.op.freestanding is not None

    @property
    def bytes_in_outputs(self) -> int:
        """Return how many bytes of outputs hold intermediate tensors before these are written."""
        if self.variants:
            return max(variant.bytes_in_outputs for variant in self.variants)
        return bytes_in_outputs(self.op)

    @property
    def stack_bytes(self) -> int:
        """Return about how much of the C stack a run takes: the arrays of kernels, and calls."""
        arrays = 0 if self.op.stack_bytes is None else self.op.stack_bytes.value.data
        further = max((STACK_OF_FUNCTIONS.get(name, 0) for name in self.functions), default=0)
        return arrays + STACK_OF_CALLS + further

    @property
    def has_shapes(self) -> bool:
        """Return whether extents of outputs may differ from run to run."""
        return bool(self.extents) or bool(self.numbers)

    @property
    def flushes_subnormals(self) -> bool:
        """Return whether the program takes subnormal numbers for zero."""
        return self.op.flush_subnormals is not None

    @property
    def weight_parts(self) -> tuple[tuple[int, int], ...]:
        """Return the parts of the weight file's data that the program reads: offsets and bytes."""
        parts: list[tuple[int, int]] = []
        for weight in self.weights:
            size = weight_bytes(weight.bytes)
            if parts and sum(parts[-1]) == weight.offset:
                parts[-1] = (parts[-1][0], parts[-1][1] + size)
            elif size:
                parts.append((weight.offset, size))
        return tuple(parts)

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


def _is_only_transferred(value: SSAValue) -> bool:
    return all(
        isinstance(use.operation, TransferOp)
        or (isinstance(use.operation, ViewOp) and _is_only_transferred(use.operation.result))
        for use in value.uses
    )
