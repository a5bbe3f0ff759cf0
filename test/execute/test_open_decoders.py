"""Decoders with a cache, as exporters write them: past and sequence stay open."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import onnx
import pytest
from closeness import assert_close
from onnx import ModelProto
from onnx.reference import ReferenceEvaluator
from onnxruntime import InferenceSession
from open_decoders import attention, drawn, gpt2, greedy, llama, stored
from open_inner import Inner
from open_runs import assert_all_close
from opencl import needs_opencl
from sanitized_program import make_sanitized, run_sanitized

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import OpenSpec, RangeLike
from autodeploy.toolchain.session import load_bundle
from autodeploy.tools.comparison import compare

Run = Callable[[dict[str, np.ndarray]], Mapping[str, np.ndarray]]

OPEN = {"past_sequence_length": (0, 13), "sequence_length": (1, 7)}
NUMBERS = [(13, 7), (0, 1), (0, 7), (13, 1), (1, 2), (6, 3), (0, 2), (12, 5)]


def reference(model: ModelProto) -> Run:
    if model.opset_import[0].version > 23:  # onnxruntime does not have it yet
        evaluator, outputs = ReferenceEvaluator(model), [o.name for o in model.graph.output]
        return lambda values: dict(zip(outputs, evaluator.run(None, values), strict=True))
    session = InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return lambda values: dict(zip(names, session.run(None, values), strict=True))


def compiled(model: ModelProto, folder, dynamic: Mapping[str, RangeLike], **options) -> None:
    given = {"dims": {"batch_size": 1}, **options}
    dynamic = OpenSpec.of(dynamic)
    compile_model(model.SerializeToString(), folder, CompileOptions(dynamic=dynamic, **given))


def values_of(model: ModelProto, past: int, length: int, seed: int) -> dict[str, np.ndarray]:
    numbers = {"past_sequence_length": past, "sequence_length": length}
    return drawn(model, numbers, seed, masked=seed % 3)


def check(model: ModelProto, run: Run, numbers) -> None:
    """What the arena holds beyond a run, and from runs before, is nan."""
    right = reference(model)
    most = tuple(map(max, zip(*numbers, strict=True)))
    for seed, (past, length) in enumerate(numbers):
        nan = values_of(model, *most, 0)
        for value in nan.values():
            if value.dtype.kind == "f":
                value[...] = np.nan
        run(nan)
        values = values_of(model, past, length, seed)
        expected = right(values)
        for name, found in run(values).items():
            assert found.shape == expected[name].shape
            assert_close(found, expected[name])


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [0, 2, 3])
@pytest.mark.parametrize("make", [gpt2, llama, attention])
def test_past_and_sequence_are_right(make, level, tmp_path):
    model = make()
    compiled(model, tmp_path / "b", OPEN, level=level)
    with load_bundle(tmp_path / "b") as session:
        check(model, session.run, NUMBERS)
        right = greedy(reference(model), model, [3, 4, 5], 10)
        assert greedy(session.run, model, [3, 4, 5], 10) == right


@needs_opencl
@pytest.mark.exhaustive
@pytest.mark.xdist_group("device")
@pytest.mark.parametrize("make", [gpt2, llama])
def test_a_device_takes_caches_without_rows(make, tmp_path):
    model = make()
    compiled(model, tmp_path / "b", OPEN, machine="host:device=opencl")
    reasons = {kernel.on_host for kernel in Manifest.load(tmp_path / "b").kernels}
    assert reasons == {None, "an open axis of an input is inside of others"}
    with load_bundle(tmp_path / "b") as session:
        check(model, session.run, NUMBERS)


@pytest.mark.exhaustive
@pytest.mark.parametrize("length", [1, 4])
def test_a_sequence_of_one_length_joins_an_open_past(length, tmp_path):
    model, dims = gpt2(), {"batch_size": 1, "sequence_length": length}
    compiled(model, tmp_path / "b", {"past_sequence_length": (0, 13)}, dims=dims)
    with load_bundle(tmp_path / "b") as session:
        mask = session.inputs[1]
        assert mask.shape == (1, 13 + length)
        assert mask.at(session.extents, [5]).shape == (1, 5 + length)
        check(model, session.run, [(past, length) for past in (13, 0, 1, 7)])
        wrong = values_of(model, 5, length, 0)
        wrong["attention_mask"] = wrong["attention_mask"][:, 1:]
        shapes = f"takes shape 1x{5 + length}, found 1x{4 + length}"
        with pytest.raises(UserError, match=shapes):
            session.run(wrong)
    header = (tmp_path / "b" / "gpt2.h").read_text()
    assert f"1x(GPT2_EXTENT_PAST_SEQUENCE_LENGTH+{length})" in header


@pytest.mark.exhaustive
def test_parts_have_a_program_for_one_token_and_one_for_several(tmp_path):
    model = gpt2()
    dynamic = {"past_sequence_length": [0, (1, 13)], "sequence_length": [1, (2, 7)]}
    compiled(model, tmp_path / "b", dynamic)
    with load_bundle(tmp_path / "b") as session:
        check(model, session.run, NUMBERS)


@pytest.mark.exhaustive
def test_sanitizers_find_nothing_in_the_c_program(tmp_path):
    """The shapes of files tell both numbers, also where the cache has no rows."""
    model = gpt2()
    compiled(model, tmp_path / "b", OPEN, emit="c")
    make_sanitized(tmp_path / "b")
    manifest = Manifest.load(tmp_path / "b")
    assert Manifest.from_json(manifest.to_json()) == manifest
    for seed, (past, length) in enumerate(NUMBERS[:5]):
        values = values_of(model, past, length, seed)
        right = reference(model)(values)
        found = run_sanitized(tmp_path / "b", values)
        assert_all_close(found, [right[entry.name] for entry in manifest.outputs])


@pytest.mark.exhaustive
def test_an_extent_follows_the_option(tmp_path):
    """Where the model has another name for the sum, or has fixed the extent."""
    model = gpt2()
    model.graph.input[1].type.tensor_type.shape.dim[1].dim_param = "total"
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    dims = {"batch_size": 1, "sequence_length": 1}
    for name, text in (
        ("total", "past_sequence_length+1"),
        ("attention_mask:1", "past_sequence_length + sequence_length"),
    ):
        dynamic = {"past_sequence_length": (0, 9), name: text}
        compiled(model, tmp_path / name[:5], dynamic, dims=dims, level=0)
        manifest = Manifest.load(tmp_path / name[:5])
        assert manifest.inputs[1].at(manifest.extents, [4]).shape == (1, 5)
    follows = r"such as --dynamic total=past_sequence_length\+1"
    with pytest.raises(UserError, match=f"leaves extents.*{follows}"):
        compiled(model, tmp_path / "c", {"past_sequence_length": (0, 9)}, dims=dims)
    further = r"'attention_mask' \[batch_size, 9\].*--dynamic batch_size=attention_mask:1\+1"
    with pytest.raises(UserError, match=further):
        compiled(model, tmp_path / "c", {"attention_mask:1": (1, 9)}, dims={})
    with pytest.raises(UserError, match="follows from others, but none stays open"):
        compiled(model, tmp_path / "c", {"total": "past_sequence_length+1"}, dims=dims)
    with pytest.raises(UserError, match="but 'pasd' is neither open nor given"):
        compiled(model, tmp_path / "c", {"past_sequence_length": (0, 9), "total": "pasd+1"})


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("level", [0, 3])
def test_changes_of_a_cache_without_rows(level, threads, tmp_path):
    model, dynamic = stored(), {"n": (0, 19), "m": (1, 6)}
    machine = "host:parallel_work=1" if threads > 1 else "host"
    options = {"dims": {}, "level": level, "threads": threads, "machine": machine}
    compiled(model, tmp_path / "b", dynamic, **options)
    random, right = np.random.default_rng(2), reference(model)
    with load_bundle(tmp_path / "b", threads=threads) as session:
        for n, m in ((19, 6), (0, 1), (0, 6), (19, 1), (1, 2), (8, 5), (0, 3)):
            values = {
                "past": random.standard_normal((n, 3, 24)).astype(np.float32),
                "new": random.standard_normal((m, 24, 3)).astype(np.float32),
                "halves": random.standard_normal((1, n, 5)).astype(np.float16),
                "tail": random.standard_normal((1, 2, 5)).astype(np.float32),
            }
            expected = right(values)
            for name, found in session.run(values).items():
                assert_close(found, expected[name])


def without_rows(fold: str) -> ModelProto:
    """A network that computes something of the cache alone."""
    net = Inner()
    net.takes("x", "n", 4)
    y = net.add(fold, "x", net.integers(0), keepdims=1)
    net.gives(net.add("Concat", "x", y, axis=0), None, 4)
    return net.model("net")


def decides(op_type: str) -> ModelProto:
    """A network that computes something else where there are no rows."""
    net = Inner()
    x, z = net.takes("x", "n", 4), net.takes("z", 3, 4)
    is_none = net.add("Equal", net.add("Shape", x, end=1), net.integers(0))
    if op_type == "If":
        graphs = {}
        for branch, kind in (("then_branch", "Add"), ("else_branch", "Mul")):
            inner = onnx.helper.make_node(kind, [z, z], [f"{branch}_y"])
            value = onnx.helper.make_tensor_value_info(f"{branch}_y", 1, [3, 4])
            graphs[branch] = onnx.helper.make_graph([inner], branch, [], [value])
        y = net.add("If", is_none, **graphs)
    else:
        y = net.add("Where", is_none, z, net.add("Neg", z))
    net.gives(y, 3, 4)
    net.gives(net.add("Concat", x, z, axis=0), "n + 3", 4)
    return net.model("net")


@pytest.mark.parametrize("op_type", ["Where", "If"])
def test_a_choice_by_whether_there_are_rows_is_made_in_each_run(op_type, tmp_path):
    model = decides(op_type)
    compiled(model, tmp_path / "b", {"n": (0, 8)}, dims={})
    right = reference(model)
    with load_bundle(tmp_path / "b") as session:
        for n in (8, 0, 1, 0, 5):
            values = {
                name: np.ones(shape, np.float32) for name, shape in (("x", (n, 4)), ("z", (3, 4)))
            }
            expected = right(values)
            for name, found in session.run(values).items():
                assert_close(found, expected[name])


@pytest.mark.parametrize("fold", ["ReduceMax", "ReduceMean"])
def test_a_fold_of_no_rows_is_refused(fold, tmp_path):
    model, text = without_rows(fold), "node 't0': for some numbers it computes elements from none"
    with pytest.raises(UserError, match=text):
        compiled(model, tmp_path / "b", {"n": (0, 8)}, dims={})
    assert not (tmp_path / "b").exists()
    compiled(model, tmp_path / "b", {"n": (1, 8)}, dims={}, level=0)


@pytest.mark.exhaustive
def test_programs_are_verified_for_numbers_of_both_ranges(tmp_path):
    model = llama()
    onnx.save(model, tmp_path / "llama.onnx")
    compiled(model, tmp_path / "b", OPEN)
    dims = {"batch_size": 1}
    found = list(compare(tmp_path / "llama.onnx", tmp_path / "b", [], CompileOptions(dims=dims)))
    assert any("past_sequence_length 0, sequence_length 7" in one.run for one in found)
    assert all(one.agrees for one in found)
