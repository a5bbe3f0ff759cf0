"""Outputs whose extents depend on values: a bound at compile time, what there is after a run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper

import autodeploy
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UnsupportedError, UserError
from autodeploy.toolchain.compiler import run_make
from autodeploy.toolchain.session import load_bundle

_TYPES = {"f": TensorProto.FLOAT, "i": TensorProto.INT64, "b": TensorProto.BOOL}


def _model(nodes, inputs, outputs, constants=()):
    infos = [
        [helper.make_tensor_value_info(name, _TYPES[kind], shape) for name, kind, shape in values]
        for values in (inputs, outputs)
    ]
    graph = helper.make_graph([helper.make_node(*n[:3], **n[3]) for n in nodes], "open", *infos)
    graph.initializer.extend(constants)
    opsets = [helper.make_opsetid("", 18)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()


def _integers(name, *values):
    return helper.make_tensor(name, TensorProto.INT64, [len(values)], values)


SELECT = _model(
    [
        ("NonZero", ["x"], ["places"], {}),
        ("Compress", ["x", "c"], ["taken"], {"axis": 1}),
        ("Unique", ["x"], ["different", "", "which", "counts"], {}),
        ("Neg", ["x"], ["fixed"], {}),
    ],
    [("x", "f", [3, 4]), ("c", "b", [4])],
    [("places", "i", [2, "n"]), ("taken", "f", [3, "k"]), ("different", "f", ["u"]),
     ("which", "i", [12]), ("counts", "i", ["u"]), ("fixed", "f", [3, 4])],
)  # fmt: skip
X = np.array([[1, 0, 2, np.nan], [0, 0, -0.0, 3], [5, 0, 0, np.inf]], np.float32)
CONDITIONS = [np.array(c, bool) for c in ([1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 1])]


def _expected(x, c):
    different, which, counts = np.unique(x, return_inverse=True, return_counts=True)
    return [np.stack(np.nonzero(x)), x[:, c], different, which.reshape(-1), counts, -x]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("open") / "out"
    compile_model(SELECT, folder)
    return folder


@pytest.mark.parametrize("level", range(4))
def test_each_run_has_its_own_extents(level):
    with autodeploy.compile(SELECT, level=level) as session:
        for x in (X, np.zeros_like(X), np.arange(1, 13, dtype=np.float32).reshape(3, 4), X):
            for c in CONDITIONS:
                found = session.run({"x": x, "c": c})
                for ours, theirs in zip(found.values(), _expected(x, c), strict=True):
                    assert ours.shape == theirs.shape
                    np.testing.assert_array_equal(ours, theirs)


def test_the_demo_program_writes_the_valid_elements(bundle, tmp_path):
    manifest = Manifest.load(bundle)
    assert [entry.open for entry in manifest.outputs] == [(1,), (1,), (0,), (), (0,), ()]
    assert Manifest.from_json(manifest.to_json()) == manifest
    run_make(bundle, [])
    demo = bundle / manifest.prefix
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "c.npy", CONDITIONS[0])
    weights = manifest.weights_path(bundle)
    files = [tmp_path / f"{index}.npy" for index in range(len(manifest.outputs))]
    command = [demo, weights, tmp_path / "x.npy", tmp_path / "c.npy"]
    options = [word for file in files for word in ("--output", file)]
    subprocess.run([*map(str, (*command, *options))], check=True)
    for file, theirs in zip(files, _expected(X, CONDITIONS[0]), strict=True):
        np.testing.assert_array_equal(np.load(file), theirs)
        assert np.load(file).shape == theirs.shape
    shown = subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout
    assert "places 2x6: 0 0 0 1 2 2 0 2 3 3 0 3\n" in shown


DETECTOR = _model(
    [
        ("NonMaxSuppression", ["boxes", "scores", "most", "iou", "least"], ["kept"], {}),
        ("Gather", ["kept", "two"], ["column"], {"axis": 1}),
        ("Squeeze", ["column", "one"], ["numbers"], {}),
        ("Squeeze", ["boxes", "zero"], ["flat"], {}),
        ("Gather", ["flat", "numbers"], ["found"], {"axis": 0}),
        ("Mul", ["found", "scale"], ["scaled"], {}),
        ("Slice", ["scaled", "zero", "two", "one"], ["corners"], {}),
        ("Transpose", ["corners"], ["turned"], {"perm": [1, 0]}),
        ("Unsqueeze", ["turned", "zero"], ["result"], {}),
        ("Cast", ["kept"], ["rows"], {"to": TensorProto.FLOAT}),
    ],
    [("boxes", "f", [1, 40, 4]), ("scores", "f", [1, 3, 40]), ("iou", "f", [1]),
     ("least", "f", [1]), ("scale", "f", [4])],
    [("result", "f", None), ("rows", "f", ["n", 3])],
    [_integers("most", 9), _integers("zero", 0), _integers("one", 1), _integers("two", 2)],
)  # fmt: skip


@pytest.mark.parametrize("level", [0, 2])
def test_the_boxes_of_a_detector(level):
    numbers = np.random.default_rng(5)
    theirs = onnxruntime.InferenceSession(DETECTOR)
    with autodeploy.compile(DETECTOR, level=level) as session:
        for least in (-9.0, 0.3, 0.97, 2.0):
            inputs = {
                "boxes": numbers.random((1, 40, 4), np.float32),
                "scores": numbers.random((1, 3, 40), np.float32),
                "iou": np.array([0.3], np.float32),
                "least": np.array([least], np.float32),
                "scale": np.array([1, 2, 3, 4], np.float32),
            }
            for ours, expected in zip(session.run(inputs).values(), theirs.run(None, inputs),
                                      strict=True):  # fmt: skip
                assert ours.shape == expected.shape
                np.testing.assert_allclose(ours, expected, 1e-6)


@pytest.mark.parametrize(
    "nodes",
    [
        [("ArgMax", ["p"], ["y"], {"axis": 1, "select_last_index": 1})],
        [("CumSum", ["p", "one"], ["y"], {"reverse": 1})],
        [("Squeeze", ["p", "one"], ["y"], {})],
        [("Add", ["p", "x"], ["y"], {})],
        [("Gather", ["x", "p"], ["g"], {}), ("Gather", ["g", "p"], ["y"], {"axis": 2})],
        [("Concat", ["p", "square"], ["y"], {"axis": 0})],
        [("Reshape", ["p", "flat"], ["y"], {})],
        [("MatMul", ["p", "square"], ["y"], {})],
        [("Gather", ["one", "p"], ["g"], {}), ("Expand", ["g", "flat"], ["y"], {})],
        [("Split", ["p"], ["y", "z"], {"axis": 1, "num_outputs": 2})],
    ],
)
def test_readers_that_cannot_take_such_a_value_are_refused(nodes, tmp_path: Path):
    first = ("NonZero", ["x"], ["p"], {})
    constants = [_integers("one", 1), _integers("flat", -1), _integers("square", *range(4))]
    model = _model([first, *nodes], [("x", "i", [4, 3])], [("y", "i", None)], constants)
    with pytest.raises(UnsupportedError, match="that depends on values, which is not supported"):
        compile_model(model, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("level", [0, 3])
def test_a_choice_takes_such_a_value(level):
    info = helper.make_tensor_value_info("r", TensorProto.INT64, None)
    branches = {
        f"{name}_branch": helper.make_graph([node], name, [], [info])
        for name, node in (
            ("then", helper.make_node("Neg", ["p"], ["r"])),
            ("else", helper.make_node("Abs", ["p"], ["r"])),
        )
    }
    model = _model(
        [("NonZero", ["x"], ["p"], {}), ("If", ["c"], ["y"], branches)],
        [("x", "i", [4]), ("c", "b", [])],
        [("y", "i", None)],
    )
    with autodeploy.compile(model, level=level) as session:
        for x in ([0, 3, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1]):
            for c, sign in ((True, -1), (False, 1)):
                (found,) = session.run({"x": np.array(x), "c": np.array(c)}).values()
                np.testing.assert_array_equal(found, [sign * np.flatnonzero(x)])


def test_another_number_than_the_model_states_is_an_error():
    model = _model([("NonZero", ["x"], ["y"], {})], [("x", "i", [5])], [("y", "i", [1, 2])])
    with autodeploy.compile(model) as session:
        (found,) = session.run({"x": np.array([0, 3, 0, 0, -1])}).values()
        np.testing.assert_array_equal(found, [[1, 4]])
        for x in ([0, 0, 0, 0, 1], [1, 1, 0, 0, 1]):
            with pytest.raises(UserError, match="another value than the shapes"):
                session.run({"x": np.array(x)})


def test_embedded_weights_and_threads(tmp_path: Path):
    options = CompileOptions(embed_weights=True, threads=2)
    compile_model(SELECT, tmp_path / "out", options)
    with load_bundle(tmp_path / "out", threads=2) as session:
        found = session.run({"x": X, "c": CONDITIONS[3]})
        for ours, theirs in zip(found.values(), _expected(X, CONDITIONS[3]), strict=True):
            np.testing.assert_array_equal(ours, theirs)
