"""Group normalisations behind convolutions, as exporters write them and as an operator."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import ModelProto, helper
from open_inner import Inner
from own_numbers import OwnNumbers

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

RANDOM = OwnNumbers(11)

CASES = {
    "groups of four": (1, 3, 32, 8, (16, 16)),
    "a batch of odd images": (2, 5, 12, 3, (7, 9)),
    "one group": (1, 4, 6, 1, (5, 1)),
    "a group for each channel": (2, 4, 7, 7, (3, 11)),
    "long sums": (1, 3, 33, 11, (40, 37)),
    "a line": (1, 2, 16, 4, (50,)),
    "a volume": (1, 2, 8, 2, (3, 4, 5)),
}
"""Batch, channels of the input and behind the convolution, groups, and space."""


def network(case: str, *, operator: bool = False) -> ModelProto:
    """Two convolutions with a normalisation and SiLU each, and a residual."""
    batch, inputs, channels, groups, space = CASES[case]
    net, rank = Inner(), len(space)
    x = net.takes("x", batch, inputs, *space)
    window, ones = (3,) * rank, (1,) * rank

    def normalised(y: str) -> str:
        if operator:
            parameters = net.weight(channels), net.weight(channels)
            y = net.add("GroupNormalization", y, *parameters, num_groups=groups)
        else:
            joined = net.add("Reshape", y, net.integers(0, groups, -1))
            each = [net.constant(np.full(groups, n, np.float32)) for n in (1, 0)]
            joined = net.add("InstanceNormalization", joined, *each)
            y = net.add("Reshape", joined, net.integers(batch, channels, *space))
            y = net.add("Mul", y, net.weight(channels, *ones))
            y = net.add("Add", y, net.weight(channels, *ones))
        return net.add("Mul", y, net.add("Sigmoid", y))

    def convolved(y: str, of: int) -> str:
        weights = net.weight(channels, of, *window), net.weight(channels)
        return net.add("Conv", y, *weights, pads=[1] * (2 * rank))

    first = normalised(convolved(x, inputs))
    second = normalised(convolved(first, channels))
    net.gives(net.add("Add", first, second), batch, channels, *space)
    model = net.model("network")
    del model.opset_import[:]
    model.opset_import.append(helper.make_opsetid("", 21))
    model.ir_version = 10
    return model


def check(model: ModelProto, folder, options: CompileOptions, x: np.ndarray | None = None) -> None:
    compile_model(model.SerializeToString(), folder, options)
    shape = [dim.dim_value for dim in model.graph.input[0].type.tensor_type.shape.dim]
    if x is None:
        # A mean far from 0, whose square the variance must not lose.
        x = (RANDOM.standard_normal(shape) + 3).astype(np.float32)
    (expected,) = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    ).run(None, {"x": x})
    with load_bundle(folder, threads=options.threads) as session:
        (found,) = session.run(x).values()
    assert_close(found, expected)


@pytest.mark.parametrize("operator", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_cases(case, operator, tmp_path):
    check(network(case, operator=operator), tmp_path / "b", CompileOptions(level=2))


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 1, 3])
@pytest.mark.parametrize("case", ["a batch of odd images", "a group for each channel"])
def test_levels(case, level, tmp_path):
    options = CompileOptions(level=level, winograd="off" if level == 3 else None)
    check(network(case), tmp_path / "b", options)


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", ["groups of four", "long sums"])
@pytest.mark.parametrize("machine", ["host:parallel_work=1", "x86-64"])
def test_threads_and_narrow_vectors(case, machine, tmp_path):
    threads = 2 if "parallel" in machine else 1
    check(network(case), tmp_path / "b", CompileOptions(level=2, machine=machine, threads=threads))


@pytest.mark.exhaustive
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_stay_in_their_image(value, tmp_path):
    x = RANDOM.standard_normal((2, 5, 7, 9)).astype(np.float32)
    x[1, 2, 3, 4] = value
    check(network("a batch of odd images"), tmp_path / "b", CompileOptions(level=2), x)


def test_nothing_is_copied(tmp_path):
    """All of it works on images with channels last: folds, and what is computed before them."""
    compile_model(network("groups of four").SerializeToString(), tmp_path, CompileOptions(level=2))
    names = [kernel.name for kernel in Manifest.load(tmp_path).kernels]
    assert not [name for name in names if "transpose" in name]
    assert [name for name in names if name.startswith("sub_mul_reduce")]
    # That of the result alone, which is channels first.
    assert sum(name.startswith("copy") for name in names) <= 1
