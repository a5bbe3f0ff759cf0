"""Models that are too large for the repository, with the numbers that they compute."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx import numpy_helper

ROOT = Path(__file__).parents[2].parent / "shared" / "data"


def shared(path: str) -> Path:
    """Return a file of the shared data; skips the test where it is not there."""
    found = ROOT / path
    if not found.exists():
        pytest.skip(f"the file '{path}' of the shared data is not there")
    return found


def zoo_test_set(folder: str, output: str = "output_0.pb") -> tuple[npt.NDArray, npt.NDArray]:
    """Return input and output of a test set of the ONNX model zoo."""
    tensors = [onnx.load_tensor(shared(f"{folder}/{name}")) for name in ("input_0.pb", output)]
    given, expected = map(numpy_helper.to_array, tensors)
    return given, expected


def reference_run(
    path: str, inputs: int = 1
) -> tuple[Mapping[str, npt.NDArray], Mapping[str, npt.NDArray]]:
    """Return inputs and outputs by name of a file that holds both, the inputs first."""
    with np.load(shared(path)) as file:
        arrays = [(name.split("/", 1)[-1], file[name]) for name in file.files]
    return dict(arrays[:inputs]), dict(arrays[inputs:])
