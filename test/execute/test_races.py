"""No two threads write the same element: ThreadSanitizer finds no race in kernels as C++ source.

With ``RACES=all`` in the environment (``make races``) all networks of ``threaded_models`` and all
cases of operators are tried, otherwise a few. Kernels of these cases have parallel loops, however
small they are.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from onnx_case import OnnxCase
from onnx_cases import CASES
from thread_sanitizer import REPORT, reports, why_unavailable
from threaded_models import MODELS, SAMPLE, ThreadedModel

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError

pytestmark = pytest.mark.skipif(bool(why_unavailable()), reason=why_unavailable())

ALL = os.environ.get("RACES") == "all"

THREADS = 2


def check(
    folder: Path,
    proto: bytes,
    inputs: list[np.ndarray],
    level: int,
    machine: str = "host",
) -> None:
    """Compile a model to C++ and run it; one without a parallel loop has no races."""
    options = CompileOptions(level=level, machine=machine, threads=THREADS, emit="c", cache=False)
    compile_model(proto, folder, options)
    if (folder / "autodeploy_pool.c").exists():
        found = reports(folder, inputs, THREADS)
        assert found == "" or REPORT not in found, found


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "model",
    [pytest.param(model, id=name) for name, model in (MODELS if ALL else SAMPLE).items()],
)
def test_networks(model: ThreadedModel, tmp_path: Path) -> None:
    inputs = list(model.inputs.values())
    check(tmp_path / "bundle", model.proto().SerializeToString(), inputs, model.level)
    assert (tmp_path / "bundle" / "autodeploy_pool.c").exists()


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("example", CASES if ALL else CASES[:2], ids=lambda example: example.name)
def test_operators(example: OnnxCase, level: int, tmp_path: Path) -> None:
    try:
        proto = example.model().SerializeToString()
        inputs = list(example.inputs.values())
        check(tmp_path / "bundle", proto, inputs, level, "host:parallel_work=1")
    except UserError as error:
        pytest.skip(f"cannot be compiled to C++: {error}")
