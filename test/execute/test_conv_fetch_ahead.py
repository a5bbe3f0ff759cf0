"""Convolutions that fetch their filter ahead compute what others do, through the generated C.

Small caches are assumed, so that small filters come from beyond them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.machine import Machine
from autodeploy.toolchain.session import load_bundle

RANDOM = OwnNumbers(12)

CACHES = "l1=8K:l2=32K"

HAS_LINES = Machine.host().vector_bytes == 64
"""Of narrower vectors, tiles that fetch whole lines need not be what is chosen."""

needs_x86 = pytest.mark.skipif(
    not Machine.host().fetches_ahead, reason="nothing is fetched ahead on this kind of machine"
)


@dataclass(frozen=True)
class Case:
    """A convolution; ``fetches`` is whether lines can be fetched by vectors of a whole line."""

    inputs: int
    outputs: int
    window: int
    stride: int
    pad: int
    places: tuple[int, ...]
    batch: int = 1
    fetches: bool = False
    groups: int = 1

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the image."""
        return (self.batch, self.inputs, *self.places)


CASES = {
    "rows": Case(32, 96, 3, 1, 1, (14, 14), fetches=True),
    "two_tiles_of_a_row": Case(16, 64, 3, 1, 1, (9, 28), fetches=True),
    "points": Case(64, 160, 1, 2, 0, (16, 28), fetches=True),
    "strided": Case(128, 64, 3, 2, 1, (13, 13), fetches=True),
    "inputs_by_four": Case(100, 64, 3, 1, 0, (9, 9)),
    "few_rows": Case(256, 32, 1, 2, 0, (5, 13)),
    "one_row": Case(128, 96, 3, 1, 1, (28,)),
    "batch": Case(16, 96, 3, 2, 1, (13, 13), batch=3),
    "boxes": Case(16, 32, 3, 1, 1, (4, 5, 12), batch=2),
    "odd_inputs": Case(18, 96, 3, 1, 1, (7, 14)),
    "odd_outputs": Case(16, 100, 3, 1, 1, (7, 14)),
    "prime_width": Case(16, 64, 3, 1, 1, (7, 17)),
    "groups": Case(32, 32, 3, 1, 1, (6, 28), fetches=True, groups=2),
    "groups_in_bands": Case(128, 128, 3, 1, 1, (14, 17), groups=8),
    "groups_of_few": Case(64, 64, 3, 2, 1, (13, 13), groups=8),
    "groups_of_several": Case(64, 128, 3, 1, 1, (6, 9), batch=2, groups=4),
}


def normal(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape, np.float32)


def model(case: Case) -> bytes:
    rank = len(case.places)
    weights = {
        "w": normal(case.outputs, case.inputs // case.groups, *[case.window] * rank),
        "b": normal(case.outputs),
    }
    attributes = {"strides": [case.stride] * rank, "pads": [case.pad] * (2 * rank)}
    attributes["group"] = case.groups
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["s"], **attributes),
        helper.make_node("Relu", ["s"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "convolution",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, case.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, key) for key, array in weights.items()],
    )
    imports = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()


@needs_x86
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("name", CASES)
def test_convolutions_that_fetch_ahead_are_right(tmp_path, name, cores):
    case = CASES[name]
    made = model(case)
    options = CompileOptions(machine=f"host:cores={cores}:{CACHES}", threads=cores)
    compile_model(made, tmp_path / "bundle", options)
    text = next((tmp_path / "bundle").glob("*.mlir")).read_text()
    assert "halide.prefetch" in text or not (HAS_LINES and case.fetches)
    inputs = {"x": normal(*case.shape)}
    (expected,) = onnxruntime.InferenceSession(made).run(None, inputs)
    with load_bundle(tmp_path / "bundle", threads=cores) as program:
        assert_close(program.run(inputs)["y"], expected)


@needs_x86
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.fetches])
def test_halide_parts_the_loop_that_fetches(tmp_path, name):
    """Where it cannot, kernels are compiled to fetch nothing."""
    options = CompileOptions(machine=f"host:cores=1:{CACHES}", emit="c")
    compile_model(model(CASES[name]), tmp_path / "bundle", options)
    sources = [path.read_text() for path in tmp_path.glob("bundle/kernels/*.cpp")]
    fetches = "halide.prefetch" in next((tmp_path / "bundle").glob("*.mlir")).read_text()
    assert fetches or not HAS_LINES
    assert fetches == any("__builtin_prefetch" in source for source in sources)
