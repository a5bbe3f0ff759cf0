"""Networks that compute with several threads give the numbers that they give with one."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.session import load_bundle

pytestmark = pytest.mark.xdist_group("threads")
"""All tests share what one worker has compiled."""

RNG = OwnNumbers(7)


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, np.float32)


INPUTS = {
    "image": normal(1, 64, 24, 24),
    "large": normal(1, 64, 80, 80),
    "row": normal(1, 2304),
    "rows": normal(1, 101, 204),
    "heads": normal(197, 1152),
    "long": normal(20003),
    "band": normal(1, 211, 3, 47),
    "deep": normal(1, 1500, 7, 7),
    "small": normal(4, 40),
}
WEIGHTS = {
    "filter": normal(64, 64, 3, 3),
    "bias": normal(64),
    "filter_1x1": normal(96, 64, 1, 1),
    "filter_each": normal(64, 1, 3, 3),
    "filter_groups": normal(80, 16, 3, 3),
    "matrix": normal(2304, 256),
    "axes": np.array([1], np.int64),
    "scale": normal(204),
    "begin": np.array([3], np.int64),
    "end": np.array([384], np.int64),
}
# Every output is computed by another kind of kernel, with enough work for a parallel loop, but
# the last one.
NODES = [
    helper.make_node("Conv", ["image", "filter", "bias"], ["sums"], pads=[1, 1, 1, 1]),
    helper.make_node("Relu", ["sums"], ["conv"]),
    helper.make_node("Conv", ["image", "filter_1x1"], ["gemm"]),
    helper.make_node("Conv", ["image", "filter_each"], ["depthwise"], group=64, pads=[1, 1, 1, 1]),
    helper.make_node("Conv", ["image", "filter_groups"], ["groups"], group=4, pads=[1, 1, 0, 1]),
    helper.make_node("MaxPool", ["large"], ["pool"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    helper.make_node("MatMul", ["row", "matrix"], ["gemv"]),
    helper.make_node("Softmax", ["large"], ["softmax"], axis=1),
    helper.make_node("Softmax", ["large"], ["softmax_last"], axis=-1),
    helper.make_node("Tanh", ["large"], ["pointwise"]),
    helper.make_node("ReduceMean", ["large", "axes"], ["mean"], keepdims=0),
    helper.make_node("LayerNormalization", ["rows", "scale"], ["normal"], axis=-1),
    helper.make_node("Transpose", ["rows"], ["columns"], perm=[0, 2, 1]),
    helper.make_node("Slice", ["heads", "begin", "end", "axes"], ["head"]),
    helper.make_node("Transpose", ["head"], ["head_columns"], perm=[1, 0]),
    helper.make_node("Neg", ["long"], ["one_loop"]),
    helper.make_node("GlobalAveragePool", ["deep"], ["one_pixel"]),
    helper.make_node("MaxPool", ["band"], ["tiles"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    helper.make_node("LRN", ["image"], ["lrn"], size=5),
    helper.make_node("Cos", ["small"], ["serial"]),
]
OUTPUTS = [node.output[0] for node in NODES if node.output[0] not in ("sums", "head")]
THREADS = 2


@pytest.fixture(scope="module")
def model() -> bytes:
    graph = helper.make_graph(
        NODES,
        "threads",
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape)
            for name, value in INPUTS.items()
        ],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in OUTPUTS],
        [numpy_helper.from_array(value, name) for name, value in WEIGHTS.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    return made.SerializeToString()


@pytest.fixture(scope="module")
def expected(model: bytes) -> Mapping[str, np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options)
    return dict(zip(OUTPUTS, session.run(OUTPUTS, INPUTS), strict=True))


@pytest.fixture(scope="module")
def bundle(model: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("threads") / "bundle"
    compile_model(model, folder, CompileOptions(threads=THREADS, cache=False))
    return folder


@pytest.mark.exhaustive
def test_one_thread_and_more_agree(bundle: Path, expected: Mapping[str, np.ndarray]) -> None:
    with load_bundle(bundle) as alone, load_bundle(bundle, threads=THREADS) as together:
        first = alone.run(INPUTS)
        assert list(first) == OUTPUTS
        for name, value in first.items():
            assert_close(value, expected[name])
        for _ in range(20):
            for name, value in together.run(INPUTS).items():
                np.testing.assert_array_equal(value, first[name], err_msg=name)


def test_the_child_of_a_fork_computes_alone(bundle: Path) -> None:
    with load_bundle(bundle, threads=THREADS) as session:
        first = session.run(INPUTS)
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            same = False
            try:
                found = session.run(INPUTS)
                same = all(np.array_equal(found[name], first[name]) for name in OUTPUTS)
                session.close()
            finally:
                os._exit(0 if same else 1)
        assert os.waitpid(child, 0)[1] == 0
        np.testing.assert_array_equal(session.run(INPUTS)["conv"], first["conv"])


def test_large_kernels_are_parallel_and_small_ones_are_not(bundle: Path) -> None:
    (text,) = (path.read_text() for path in bundle.glob("*.mlir"))
    kernels = text.split("halide.pipeline ")[1:]
    serial = [kernel for kernel in kernels if "halide.parallel" not in kernel]
    assert len(kernels) - len(serial) >= len(OUTPUTS) - 1
    assert all("halide.parallel" in kernel for kernel in kernels if "halide.cos" not in kernel)
    assert len(serial) == 1


def test_few_rows_are_shared_with_their_tiles(bundle: Path) -> None:
    (text,) = (path.read_text() for path in bundle.glob("*.mlir"))
    kernels = text.split("halide.pipeline ")[1:]
    (tiles,) = (k for k in kernels if k.startswith("@max_pool") and "[211, 47, 3, 1]" in k)
    assert 'halide.parallel %out "y_xog"' in tiles


def test_more_threads_than_compiled_for(bundle: Path) -> None:
    with pytest.raises(UserError, match=r"compiled for at most 2 threads, not for 3"):
        load_bundle(bundle, threads=3)


@pytest.mark.exhaustive
def test_one_thread_needs_no_pool(model: bytes, tmp_path: Path) -> None:
    compile_model(model, tmp_path / "b", CompileOptions())
    names = {path.name for path in (tmp_path / "b").rglob("*")}
    assert not {"autodeploy_pool.c", "autodeploy_pool.h", "autodeploy_shared.h"} & names
    assert "pthread" not in (tmp_path / "b" / "Makefile").read_text()
    (text,) = (path.read_text() for path in (tmp_path / "b").glob("*.mlir"))
    assert "halide.parallel" not in text


@pytest.mark.parametrize("threads", [0, 1025])
def test_threads_out_of_range(model: bytes, tmp_path: Path, threads: int) -> None:
    with pytest.raises(UserError, match=f"threads are 1 to 1024, found {threads}"):
        compile_model(model, tmp_path / "b", CompileOptions(threads=threads))
    assert not (tmp_path / "b").exists()
