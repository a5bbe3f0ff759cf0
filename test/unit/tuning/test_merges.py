"""Which kernels become one: what may be reversed, what a measured program decides, what is kept."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from onnx import TensorProto, helper

import autodeploy
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.records.record import Record
from autodeploy.records.record_file import read_records
from autodeploy.tuning.merges import MergeSearch
from autodeploy.tuning.network_timer import Compared

OPTIONS = CompileOptions(machine="x86-64-avx2")


def _attention() -> bytes:
    """Return a network of two products and the softmax between them, which become one kernel."""
    shapes = {"q": [8, 512, 32], "k": [8, 32, 512], "v": [8, 512, 32], "y": [8, 512, 32]}
    q, k, v, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in shapes.items()
    )
    nodes = [
        helper.make_node("MatMul", ["q", "k"], ["s"]),
        helper.make_node("Softmax", ["s"], ["p"]),
        helper.make_node("MatMul", ["p", "v"], ["y"]),
    ]
    graph = helper.make_graph(nodes, "attention", [q, k, v], [y])
    opset = helper.make_opsetid("", 17)
    return helper.make_model(graph, opset_imports=[opset], ir_version=8).SerializeToString()


class _Timer:
    """Says how fast programs are, one after the other, without running them."""

    def __init__(self, *gains: float, error: str | None = None):
        self._gains = iter(gains)
        self._error = error
        self.compared: list[tuple[int, int]] = []

    def gain(self, before: Sequence[Record], after: Sequence[Record]) -> Compared:
        self.compared.append((len(before), len(after)))
        if self._error is not None:
            return Compared(0.0, self._error)
        return Compared(next(self._gains), seconds=(1e-3, 2e-3))


def _search(path: Path) -> MergeSearch:
    return MergeSearch(_attention(), OPTIONS, path)


def test_proposals_that_change_the_program_may_be_reversed(tmp_path: Path) -> None:
    search = _search(tmp_path / "a.jsonl")
    whole, part = search.reversible({})
    assert (whole.merged, whole.title) == (False, "matmul softmax matmul 8x512x32 -> 8x512x32")
    assert (part.merged, part.title) == (True, "matmul softmax 8x512x32 -> 8x512x512")
    assert list(search.reversible({whole.signature: True})) == []
    assert [m.merged for m in search.reversible({whole.signature: False})] == [False]


def test_a_faster_merge_is_kept_and_not_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    timer = _Timer(1.25, 0.9)
    found = _search(path).run(timer, trials=9)
    assert (found.measured, found.gain) == (2, 1.25)
    assert timer.compared == [(0, 1), (1, 2)]
    kept, left = read_records(path)
    assert list(found.records) == [kept]
    assert (kept.config, kept.costs, kept.error) == ("apart", (1e-3, 2e-3), None)
    assert (left.config, left.costs) == ("apart", ())
    assert left.error == "the network is 0.900 times as fast"
    again = _search(path).run(timer, trials=9)
    assert (again.measured, again.gain, list(again.records)) == (0, 1.0, [kept])


@pytest.mark.parametrize(
    ("timer", "count"),
    [
        (_Timer(1.005, 1.005), 2),
        (_Timer(error="the program was killed"), 2),
    ],
)
def test_a_small_gain_or_a_failure_is_left(timer, count: int, tmp_path: Path) -> None:
    found = _search(tmp_path / "a.jsonl").run(timer, trials=9)
    assert (found.measured, found.gain, list(found.records)) == (count, 1.0, [])
    assert all(record.error for record in read_records(tmp_path / "a.jsonl"))


@pytest.mark.parametrize(("trials", "end"), [(0, math.inf), (9, 0.0)])
def test_nothing_is_measured_beyond_the_budget(trials: int, end: float, tmp_path: Path) -> None:
    found = _search(tmp_path / "a.jsonl").run(_Timer(), trials, end)
    assert found.measured == 0


def test_a_compilation_uses_the_results(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    _search(path).run(_Timer(1.25, 0.9), trials=9)
    for name, records in (("rules", None), ("measured", path)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compile_model(_attention(), tmp_path / name, replace(OPTIONS, records=records))
    kernels = [len(Manifest.load(tmp_path / name).kernels) for name in ("rules", "measured")]
    assert kernels == [1, 2]


@pytest.mark.exhaustive
def test_a_search_measures_merges_for_a_part_of_its_trials(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    found = autodeploy.tune(_attention(), records=path, trials=20, tuner="random", level=2)
    kinds = [record.kind for record in read_records(path)]
    assert kinds[0] == "merge"
    assert kinds.count("merge") == 1
    assert kinds.count("merge") + kinds.count("trial") == found.trials == 20
