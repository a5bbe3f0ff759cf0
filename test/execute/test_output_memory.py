"""Programs that keep intermediate tensors in outputs until these are written."""

from __future__ import annotations

import re

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import ModelProto, TensorProto, helper, numpy_helper
from own_numbers import OwnNumbers
from sanitized_program import check_sanitized

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.dialects.nn.parts import Part
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain import fixed_call
from autodeploy.toolchain.session import load_bundle
from autodeploy.tools import cli

RANDOM = OwnNumbers(17)
INSIDE = 64
"""Columns of the residual of a network, which is its largest tensor but for the output."""


def normal(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape, np.float32) / np.float32(np.sqrt(shape[-2]))


def network(rows: int | str, columns: int, *, early: bool = False) -> ModelProto:
    """Two perceptrons with residuals, then a product of many columns.

    With ``early`` there is an output of the first layer, too, which is as large.
    """
    wide = 8 * INSIDE
    weights = {
        "w0": normal(INSIDE, wide), "w1": normal(wide, INSIDE),
        "w2": normal(INSIDE, wide), "w3": normal(wide, INSIDE), "last": normal(INSIDE, columns),
    }  # fmt: skip
    nodes = [
        helper.make_node("MatMul", ["x", "w0"], ["a"]),
        helper.make_node("Relu", ["a"], ["b"]),
        helper.make_node("MatMul", ["b", "w1"], ["c"]),
        helper.make_node("Add", ["c", "x"], ["d"]),
        helper.make_node("MatMul", ["d", "w2"], ["e"]),
        helper.make_node("Tanh", ["e"], ["f"]),
        helper.make_node("MatMul", ["f", "w3"], ["g"]),
        helper.make_node("Add", ["g", "d"], ["h"]),
        helper.make_node("MatMul", ["h", "last"], ["y"]),
    ]
    if early:
        nodes.insert(0, helper.make_node("MatMul", ["x", "last"], ["z"]))
    made = [("y", [rows, columns])] + [("z", [rows, columns])] * early
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, INSIDE])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in made],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def expected(model: ModelProto, x: np.ndarray) -> list[np.ndarray]:
    return onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})


def compiled(model: ModelProto, folder, **options):
    given = CompileOptions(machine="x86-64-avx2", **options)
    return compile_model(model.SerializeToString(), folder, given).manifest


WIDE = 40 * 8 * INSIDE * 4
"""Bytes of the largest tensor within a network of 40 rows."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("early", [False, True])
def test_a_network_with_a_large_output_has_a_small_arena(tmp_path, threads: int, early: bool):
    model = network(40, 2000, early=early)
    manifest = compiled(model, tmp_path / "b", threads=threads)
    assert manifest.arena_bytes < WIDE <= manifest.bytes_in_outputs
    assert compiled(model, tmp_path / "own", level=0).bytes_in_outputs == 0
    with load_bundle(tmp_path / "b", threads=threads) as loaded:
        for _ in range(2):  # what the first run leaves behind is nothing to the second
            x = normal(40, INSIDE)
            found = loaded.run({"x": x})
            for name, value in zip(("y", "z"), expected(model, x), strict=False):
                assert_close(found[name], value)


def test_outputs_may_hold_results_only(tmp_path):
    model = network(40, 2000)
    manifest = compiled(model, tmp_path / "b", results_only=True)
    assert manifest.bytes_in_outputs == 0
    assert manifest.arena_bytes > compiled(model, tmp_path / "small").arena_bytes
    x = normal(40, INSIDE)
    with load_bundle(tmp_path / "b") as loaded:
        assert_close(loaded.run({"x": x})["y"], expected(model, x)[0])


@pytest.mark.parametrize(
    ("columns", "fits"), [(8 * INSIDE, False), (8 * INSIDE + 1, True), (20, False)]
)
def test_the_free_bytes_of_an_output(tmp_path, columns: int, fits: bool):
    """An output may begin at a byte that is not aligned: one as large as a tensor is too small."""
    model = network(40, columns)
    manifest = compiled(model, tmp_path / "b")
    assert (manifest.bytes_in_outputs >= WIDE) == fits
    x = normal(40, INSIDE)
    with load_bundle(tmp_path / "b") as loaded:
        assert_close(loaded.run({"x": x})["y"], expected(model, x)[0])


@pytest.mark.parametrize("start", [0, 4, 32, 60])
def test_nothing_around_an_output_is_written(tmp_path, monkeypatch, start: int):
    """Wherever it begins: the header asks for the alignment of an element."""
    model, blocks = network(40, 2000), []
    compiled(model, tmp_path / "b")

    def placed(size: int) -> np.ndarray:
        block = np.full(size + 512, 0xA5, np.uint8)
        first = 128 - block.ctypes.data % 64 + start
        blocks.append((block, first, size))
        return block[first : first + size]

    x = normal(40, INSIDE)
    with load_bundle(tmp_path / "b") as loaded:
        first = loaded.run({"x": x})["y"].copy()
        monkeypatch.setattr(fixed_call, "aligned", placed)
        found = loaded.run({"x": x})["y"]
    assert np.array_equal(found, first) and blocks
    for block, begin, size in blocks:
        assert begin % 64 != 0 or block.ctypes.data % 64 or start == 0
        assert (block[:begin] == 0xA5).all() and (block[begin + size :] == 0xA5).all()


@pytest.mark.exhaustive
def test_sanitizers_find_nothing(tmp_path):
    model = network(40, 2000)
    runs = [({"x": x}, expected(model, x)) for x in (normal(40, INSIDE), normal(40, INSIDE))]

    def check(found, wanted):
        assert_close(found[0], wanted[0])

    check_sanitized(model.SerializeToString(), tmp_path, runs, check)


@pytest.mark.exhaustive
def test_only_outputs_of_known_size_hold_tensors(tmp_path):
    """Of a run with fewer rows the caller may bring less memory for the output."""
    model = network("n", 2000)
    parts = OpenSpec(("n",), 1, 40, parts=(Part(1, 39), Part(40, 40)))
    manifest = compiled(model, tmp_path / "b", dynamic=[OpenSpec(("n",), 1, 40)])
    assert manifest.bytes_in_outputs == 0
    manifest = compiled(model, tmp_path / "parts", dynamic=[parts])
    assert [variant.bytes_in_outputs > 0 for variant in manifest.variants] == [False, True]
    with load_bundle(tmp_path / "parts") as loaded:
        for rows in (40, 7, 40):
            x = normal(rows, INSIDE)
            assert_close(loaded.run({"x": x})["y"], expected(model, x)[0])


def recurrent(steps: int, columns: int) -> ModelProto:
    """An LSTM of 24 numbers, an output of many columns, and a layer of 60 behind it.

    The 480 bytes of that layer stay in the arena, and beside them two of the three states of the
    LSTM: to let one more leave makes the arena smaller, to let two leave does not.
    """
    weights = {
        "w": normal(1, 96, INSIDE), "r": normal(1, 96, 24),
        "a": normal(24, 12), "b": normal(12, columns), "c": normal(columns, 60), "d": normal(60, 3),
    }  # fmt: skip
    nodes = [
        helper.make_node("LSTM", ["x", "w", "r"], ["", "h", ""], hidden_size=24),
        helper.make_node("MatMul", ["h", "a"], ["e"]),
        helper.make_node("MatMul", ["e", "b"], ["y"]),
        helper.make_node("MatMul", ["y", "c"], ["f"]),
        helper.make_node("MatMul", ["f", "d"], ["z"]),
    ]
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [steps, 2, INSIDE])],
        [
            helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2, columns]),
            helper.make_tensor_value_info("z", TensorProto.FLOAT, [1, 2, 3]),
        ],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.parametrize("steps", [4, 5])
def test_states_that_a_loop_exchanges_outlast_a_run(tmp_path, monkeypatch, steps: int):
    """Behind an odd number of steps each state has the memory of the other one.

    So none has the memory of an output: the next run may have the same memory for it, or other
    memory, and then what was the output before is no longer the program's.
    """
    model = recurrent(steps, 4000)
    assert compiled(model, tmp_path / "b").bytes_in_outputs
    aligned = fixed_call.aligned
    first, second = aligned(2 * 4000 * 4), aligned(2 * 4000 * 4)
    with load_bundle(tmp_path / "b") as loaded:
        for memory in (first, first, second, first):

            def placed(size: int, memory: np.ndarray = memory) -> np.ndarray:
                return memory if size == memory.size else aligned(size)

            monkeypatch.setattr(fixed_call, "aligned", placed)
            other = second if memory is first else first
            other[:] = 0xA5
            x = RANDOM.standard_normal((steps, 2, INSIDE)).astype(np.float32)
            assert_close(loaded.run({"x": x})["y"], expected(model, x)[0])
            assert (other == 0xA5).all()


def test_the_report_states_it(tmp_path, monkeypatch, capsys):
    compiled(network(40, 2000), tmp_path / "b")
    words = ["autodeploy", "report", str(tmp_path / "b"), "--rounds", "0"]
    monkeypatch.setattr("sys.argv", [*words, "-o", str(tmp_path / "page.html")])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 0, capsys.readouterr()
    page = (tmp_path / "page.html").read_text()
    assert re.search(r"[\d.]+ KB of outputs hold further tensors\.", page)
