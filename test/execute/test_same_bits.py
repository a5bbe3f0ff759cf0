"""Results have the same bits with any number of threads, and each time that they are computed."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from guarded_kernels import bundle_faults
from threaded_models import MODELS

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

RUNS = 12
"""Runs with each number of threads. Of results that two threads write, half had other bits."""

RELATIVE = {3: 1e-4}
"""What is promised at a level, relative to the largest result; elsewhere what tests promise."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_threads_and_runs_change_no_bit(name: str, threads: int, tmp_path: Path) -> None:
    model = MODELS[name]
    proto = model.proto().SerializeToString()
    compile_model(proto, tmp_path / "b", CompileOptions(level=model.level, threads=threads))
    with load_bundle(tmp_path / "b", threads=1) as session:
        first = session.run(model.inputs)
    for used in range(1, threads + 1):
        with load_bundle(tmp_path / "b", threads=used) as session:
            for _ in range(RUNS):
                for output, value in session.run(model.inputs).items():
                    assert value.tobytes() == first[output].tobytes(), (output, used)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    expected = onnxruntime.InferenceSession(proto, options).run(model.outputs, model.inputs)
    for output, value in zip(model.outputs, expected, strict=True):
        if model.level in RELATIVE:
            largest = np.abs(value).max()
            np.testing.assert_allclose(
                first[output], value, rtol=0, atol=RELATIVE[model.level] * largest, err_msg=output
            )
        else:
            assert_close(first[output], value)


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="pages are guarded by mmap")
@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_nothing_beyond_the_buffers_is_touched(name: str, threads: int, tmp_path: Path) -> None:
    model = MODELS[name]
    options = CompileOptions(level=model.level, threads=threads)
    compile_model(model.proto().SerializeToString(), tmp_path / "b", options)
    assert bundle_faults(tmp_path / "b") == {}
