"""Reductions over outer axes: each element of a row has a fold of its own."""

from __future__ import annotations

import numpy as np
import pytest
from closeness import assert_close
from onnx import ModelProto, TensorProto
from open_inner import Inner, expected
from own_numbers import OwnNumbers

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.session import load_bundle

RANDOM = OwnNumbers(5)

KINDS = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd")

SHAPES = {
    "vectors and a rest": (2, 5, 7, 33),
    "long sums": (1, 40, 41, 17),
    "a row of one": (3, 1, 9, 64),
    "an axis in blocks": (1, 1500, 3, 48),
    "a long inner axis": (2, 3, 2000, 16),
    "many vectors": (1, 3, 5, 400),
    "a prime number of rows": (1, 37, 64, 20),
}


def network(kind: str, shape: tuple[int, ...], *, keepdims: int, computed: bool) -> ModelProto:
    net = Inner()
    x = net.takes("x", *shape)
    if computed:
        less = net.add("Sub", x, net.weight(shape[-1]))
        x = net.add("Mul", less, less)
        net.gives(net.add("Relu", less), *shape)
    y = net.add(kind, x, net.integers(1, 2), keepdims=keepdims)
    net.gives(net.add("Sqrt", net.add("Abs", y)), *(None,) * (4 if keepdims else 2))
    return net.model("network")


def check(model: ModelProto, folder, shape: tuple[int, ...], options: CompileOptions) -> None:
    compile_model(model.SerializeToString(), folder, options)
    values = {"x": (RANDOM.standard_normal(shape) * 0.1 + 1).astype(np.float32)}
    with load_bundle(folder, threads=options.threads) as session:
        results = session.run(values).values()
        for found, right in zip(results, expected(model, values), strict=True):
            assert_close(found, right)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SHAPES)
def test_kinds(kind, name, tmp_path):
    shape = SHAPES[name]
    keepdims = int(kind != "ReduceSum")
    model = network(kind, shape, keepdims=keepdims, computed=False)
    check(model, tmp_path / "b", shape, CompileOptions(level=2))


@pytest.mark.parametrize("kind", KINDS)
def test_cores_share_rows(kind, tmp_path):
    shape = SHAPES["long sums"]
    model = network(kind, shape, keepdims=0, computed=False)
    options = CompileOptions(level=2, threads=2, machine="host:parallel_work=1")
    check(model, tmp_path / "b", shape, options)
    text = (tmp_path / "b" / "network.mlir").read_text(encoding="utf-8")
    assert "rows = [5]" in text


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", SHAPES)
def test_folds_are_right(name, threads, tmp_path):
    machine = "host:parallel_work=1" if threads > 1 else "host"
    model = network("ReduceMean", SHAPES[name], keepdims=0, computed=True)
    options = CompileOptions(level=2, threads=threads, machine=machine)
    check(model, tmp_path / "b", SHAPES[name], options)


@pytest.mark.parametrize("machine", ["x86-64", "x86-64-avx2"])
def test_narrow_vectors(machine, tmp_path):
    shape = SHAPES["a prime number of rows"]
    model = network("ReduceSum", shape, keepdims=1, computed=True)
    check(model, tmp_path / "b", shape, CompileOptions(level=2, machine=machine))


@pytest.mark.parametrize("columns", [32, 48, 160])
def test_results_are_narrower_than_folded_elements(columns):
    """A vector of the codes of means has four times the elements of a vector of floats."""
    net = Inner()
    x = net.takes("x", 1, 9, columns)
    mean = net.add("ReduceMean", x, net.integers(1), keepdims=1)
    net.gives(net.add("Cast", mean, to=TensorProto.INT8), 1, 1, columns, element=TensorProto.INT8)
    model = net.model("narrow")
    values = {"x": (RANDOM.standard_normal((1, 9, columns)) * 100).astype(np.float32)}
    (right,) = expected(model, values)
    with autodeploy.compile(model, level=2) as session:
        (found,) = session.run(values).values()
    assert found.dtype == np.int8
    assert np.array_equal(found, right)
