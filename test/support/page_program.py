"""Pages as programs of tests: a session of one runs it in Node."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, helper
from webgpu import run_pages

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.diagnostics import ToolchainError
from autodeploy.frontend.onnx.structures import element_names

MACHINE = "wasm32-simd128:device=webgpu"
"""The machine of pages."""
SECONDS = 100
"""Seconds that a page may take."""


class NotForPages(Exception):  # noqa: N818
    """An input has integers of more than 32 bits, which a page does not take."""


@dataclass(frozen=True)
class BuiltPage:
    """The bundle of a page, and the model that it was compiled from."""

    bundle: Path
    model: bytes

    @property
    def manifest(self) -> Manifest:
        return Manifest.load(self.bundle)

    def session(self, threads: int = 1) -> PageSession:
        """Return a session; a page has one thread."""
        return PageSession(self)


class PageSession:
    """Runs a page as the session of a program does; each run opens the page again.

    Integers of 64 bits and booleans are 32 bits wide in the page, and what the model says outside.
    """

    def __init__(self, page: BuiltPage):
        self._page = page
        self._dtypes: dict[str, np.dtype] = {}
        for value in ModelProto.FromString(page.model).graph.output:
            type_, names = value.type, [value.name]
            while (kind := type_.WhichOneof("value")) in ("sequence_type", "optional_type"):
                if kind == "sequence_type":
                    names = element_names(value.name, len(self.outputs))
                type_ = getattr(type_, kind).elem_type
            if kind == "tensor_type":
                dtype = helper.tensor_dtype_to_np_dtype(type_.tensor_type.elem_type)
                self._dtypes |= dict.fromkeys(names, dtype)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    @property
    def outputs(self) -> Sequence[TensorEntry]:
        return self._page.manifest.outputs

    def run(self, inputs: Mapping[str, npt.ArrayLike]) -> dict[str, np.ndarray]:
        """Return the outputs by name; raises ``NotForPages`` and ``ToolchainError``."""
        feed = {name: np.asarray(value) for name, value in inputs.items()}
        for name, array in feed.items():
            if array.dtype.itemsize == 8 and (array != array.astype(np.int32)).any():
                raise NotForPages(f"input '{name}' has numbers that 32 bits do not hold")
        with tempfile.TemporaryDirectory() as folder:
            (page,) = run_pages([(self._page.bundle, [feed])], Path(folder), seconds=SECONDS)
        if page.error:
            raise ToolchainError(page.error)
        return {
            name: array.astype(self._dtypes.get(name, array.dtype))
            for name, array in page.outputs[0].items()
        }


def is_no_page(error: Exception) -> bool:
    """Return whether a model has no page, whatever a program with a processor does."""
    return (
        isinstance(error, NotForPages)
        or str(error).startswith("a page runs all of a network on its device, and cannot:")
        or str(error).endswith("computes nothing, and so needs no device")
    )
