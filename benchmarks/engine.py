"""What the suite asks of an engine, our own among them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from benchmarks.models import Model

Array = npt.NDArray[np.generic]

ALIGNMENT = 64
"""Bytes to which inputs and outputs are aligned, for every engine alike."""


@dataclass(frozen=True)
class Setup:
    """How an engine computes: its threads; if it is ours, the level and machine to compile for.

    ``precision`` is ``bf16`` where OpenVINO may compute in these, and ours if the machine is faster
    with them; the other engines use 32 bits.
    """

    threads: int
    level: int = 3
    machine: str = "host"
    precision: str = "f32"


class Engine(ABC):
    """A network loaded by one engine, in a process of its own that is pinned to its cores.

    The constructor does all that happens once: conversion, compilation, weights, memory.
    """

    PRECISION: ClassVar[str] = "fp32"

    @abstractmethod
    def __init__(self, model: Model, setup: Setup, folder: Path):
        """Load ``model`` to compute as ``setup`` says; files may be made in ``folder``."""

    @abstractmethod
    def version(self) -> str:
        """Return the version of the engine."""

    @abstractmethod
    def bind(self, inputs: Mapping[str, Array]) -> None:
        """Put the inputs where the engine reads them; ``run`` then reads them there each time."""

    @abstractmethod
    def run(self, count: int) -> float:
        """Compute ``count`` times with the bound inputs; return the seconds of all together."""

    @abstractmethod
    def outputs(self) -> dict[str, Array]:
        """Return the outputs of the last run by name."""

    def program(self, seconds: float) -> Mapping[str, float]:
        """Return further times that only this engine has, by name; ``seconds`` is the budget."""
        return {}


def aligned(shape: tuple[int, ...], dtype: np.dtype[np.generic]) -> Array:
    """Return an array of zeros whose data begins at a multiple of ``ALIGNMENT``."""
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    block = np.zeros(size + ALIGNMENT, np.uint8)
    start = -block.ctypes.data % ALIGNMENT
    return block[start : start + size].view(dtype).reshape(shape)


def output_arrays(model: Model) -> dict[str, Array]:
    """Return memory for the outputs of a network, by name; see ``Model.one_output``."""
    arrays = {
        t.name: aligned(t.shape, t.dtype) for t in model.outputs[: 1 if model.one_output else None]
    }
    if model.one_output:
        (array,) = arrays.values()
        return {tensor.name: array for tensor in model.outputs}
    return arrays


def aligned_copy(array: Array) -> Array:
    """Return a copy of an array whose data begins at a multiple of ``ALIGNMENT``."""
    copy = aligned(array.shape, array.dtype)
    copy[...] = array
    return copy
