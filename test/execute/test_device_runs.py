"""Long sums on a device, in runs: as exact as they are said to be, by each template.

Kernels for CUDA are simulated.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fake_cuda import fake_cuda, needs_linux
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from opencl import needs_opencl
from webgpu import needs_webgpu, run_pages

from autodeploy import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

pytestmark = [needs_linux, pytest.mark.xdist_group("device-cuda")]

ERROR = 5e-6
"""The largest relative error of a sum of equal numbers."""

LONG = {
    "product": ("MatMul", [2, 25088], [25088, 8], {}),
    "one column": ("MatMul", [2, 9216], [9216, 1], {}),
    "no divisor": ("MatMul", [2, 1297], [1297, 4], {}),
    "conv": ("Conv", [1, 256, 3, 3], [4, 256, 3, 3], {"pads": [1, 1, 1, 1]}),
    "groups": ("Conv", [1, 512, 3, 4], [8, 256, 3, 3], {"group": 2}),
    "one channel": ("Conv", [1, 1, 3000], [8, 1, 2000], {"strides": [40]}),
    "transposed": ("ConvTranspose", [1, 512, 3, 3], [512, 4, 4, 4], {"strides": [2, 2]}),
}


def model(case: str, element: int) -> bytes:
    """Return a layer of two inputs."""
    operator, x, w, attributes = LONG[case]
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node(operator, ["x", "w"], ["y"], **attributes)],
        "long",
        [value("x", element, x), value("w", element, w)],
        [value("y", element, None)],
    )
    opset = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opset, ir_version=9).SerializeToString()


def inputs(case: str) -> dict[str, np.ndarray]:
    """Return equal numbers, which are rounded in one direction for long."""
    _, x, w, _ = LONG[case]
    return {"x": np.full(x, 0.7, np.float32), "w": np.full(w, 0.3, np.float32)}


def right(case: str) -> np.ndarray:
    """Return the sums in 64 bits."""
    wide = {name: value.astype(np.float64) for name, value in inputs(case).items()}
    return ReferenceEvaluator(model(case, TensorProto.DOUBLE)).run(None, wide)[0]


@pytest.mark.parametrize(
    "device", [pytest.param("opencl", marks=needs_opencl), pytest.param("cuda")]
)
@pytest.mark.parametrize("case", LONG)
def test_sums_of_equal_numbers_are_right(case: str, device: str, tmp_path: Path):
    simulated, values = fake_cuda(), inputs(case)
    machine = f"host:device={device}"
    compile_model(model(case, TensorProto.FLOAT), tmp_path, CompileOptions(machine=machine, jobs=1))
    with load_bundle(tmp_path) as session:
        (y,) = session.run(values).values()
    assert simulated.faults == []
    np.testing.assert_allclose(y, right(case), rtol=ERROR)


@needs_webgpu
@pytest.mark.exhaustive
def test_sums_of_a_page_are_right(tmp_path: Path):
    options = CompileOptions(machine="wasm32-simd128:device=webgpu", jobs=1)
    for case in LONG:
        compile_model(model(case, TensorProto.FLOAT), tmp_path / case, options)
    pages = run_pages([(tmp_path / case, [inputs(case)]) for case in LONG], tmp_path / "runs")
    for case, page in zip(LONG, pages, strict=True):
        assert page.error == ""
        (y,) = page.outputs[0].values()
        np.testing.assert_allclose(y.ravel(), right(case).ravel(), rtol=ERROR)
