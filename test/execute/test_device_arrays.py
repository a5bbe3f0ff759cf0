"""Arrays in memory of a device as inputs and outputs: DLPack, CUDA's driver, what is refused."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fake_cuda import FakeCuda, fake_cuda, needs_linux
from onnx import TensorProto, helper

from autodeploy import CompileOptions, Session, UserError, compile_model
from autodeploy.toolchain.compiler import run_make
from autodeploy.toolchain.session import load_bundle

pytestmark = [needs_linux, pytest.mark.xdist_group("device-cuda")]

OPTIONS = CompileOptions(machine="host:device=cuda", jobs=1)
A = np.arange(12, dtype=np.float32).reshape(3, 4)
B = A[::-1] * 2 - 5


def model() -> bytes:
    """Return a network whose sum is computed on the device, and the cosine by the processor."""
    value = helper.make_tensor_value_info
    nodes = [
        helper.make_node("Add", ["a", "b"], ["sum"]),
        helper.make_node("CumSum", ["b", "axis"], ["scan"]),
    ]
    graph = helper.make_graph(
        nodes,
        "two",
        [value(name, TensorProto.FLOAT, [3, 4]) for name in "ab"],
        [value(name, TensorProto.FLOAT, [3, 4]) for name in ("sum", "scan")],
        [helper.make_tensor("axis", TensorProto.INT64, [], [0])],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return made.SerializeToString()


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    fake_cuda()
    folder = tmp_path_factory.mktemp("arrays") / "b"
    compile_model(model(), folder, OPTIONS)
    run_make(folder)
    return folder


@pytest.fixture
def device() -> FakeCuda:
    return fake_cuda()


@pytest.fixture
def session(bundle: Path, device: FakeCuda) -> Iterator[Session]:
    with load_bundle(bundle) as session:
        yield session
    assert (device.left, device.faults) == (0, [])


def test_arrays_stay_on_the_device(session: Session, device: FakeCuda):
    a, result = device.array(A), device.array(np.zeros_like(A))
    waits = device.legacy_waits
    call = session.bind({"a": a, "b": B}, {"sum": result})
    found = call.run()
    assert found["sum"] is result
    np.testing.assert_array_equal(result.values, A + B)
    np.testing.assert_array_equal(found["scan"], np.cumsum(B, 0))
    a.values[...] = 2 * A
    call.run()
    np.testing.assert_array_equal(result.values, 2 * A + B)
    assert device.legacy_waits == waits + 2
    a.close()
    result.close()


def test_the_manifest_states_what_may_be_on_the_device(session: Session):
    assert [(e.name, e.on_device) for e in (*session.inputs, *session.outputs)] == [
        *(("a", True), ("b", False)),
        *(("sum", True), ("scan", False)),
    ]
    assert session.device == "Fake GPU A"


def test_what_the_processor_uses_is_refused(session: Session, device: FakeCuda):
    array = device.array(B)
    for inputs, outputs, name in (
        ({"b": array}, {}, "input 'b'"),
        ({}, {"scan": array}, "output 'scan'"),
    ):
        with pytest.raises(
            UserError, match=f"{name} cannot be an array of a device: the processor"
        ):
            session.bind(inputs, outputs)
    # The program looks at the pointers of callers in C, too.
    call = session.bind()
    call.pointers[0][1] = array.values.ctypes.data
    with pytest.raises(UserError, match="tensor 'b' is in memory of the device, and the processor"):
        call.run()
    array.close()


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (A.astype(np.float64), "takes an array of float32 3x4, found float64 3x4"),
        (A.astype(np.int32), "takes an array of float32 3x4, found int32 3x4"),
        (np.zeros((4, 4), np.float32), "takes an array of float32 3x4, found float32 4x4"),
    ],
)
def test_other_types_and_shapes_are_refused(session: Session, device: FakeCuda, values, text):
    array = device.array(values)
    with pytest.raises(UserError, match=f"input 'a' {text}"):
        session.bind({"a": array})
    array.close()


def test_an_array_with_gaps_is_refused(session: Session, device: FakeCuda):
    array = device.array(np.zeros((3, 8), np.float32))
    array.values = array.values[:, ::2]
    with pytest.raises(UserError, match="the array for input 'a' is not C-contiguous"):
        session.bind({"a": array})
    array.close()


def test_a_program_of_the_processor_has_no_such_arrays(tmp_path: Path, device: FakeCuda):
    array = device.array(A)
    compile_model(model(), tmp_path / "b", CompileOptions(jobs=1))
    with load_bundle(tmp_path / "b") as session:
        assert session.device == ""
        with pytest.raises(UserError, match="the array for input 'a' is on a device"):
            session.bind({"a": array})
    array.close()


def test_a_binding_keeps_its_arrays(session: Session, device: FakeCuda):
    array = device.array(A)
    counts = [sys.getrefcount(array.values)]
    call = session.bind({"a": array})
    counts.append(sys.getrefcount(array.values))
    del call
    counts.append(sys.getrefcount(array.values))
    array.close()
    assert counts == [counts[0], counts[0] + 1, counts[0]]


@pytest.mark.parametrize(
    ("name", "fails", "text"),
    [
        ("a", "cuMemcpyDtoDAsync_v2", "a tensor cannot be written to the device"),
        ("a", "cuStreamSynchronize", "a tensor cannot be written to the device"),
        ("sum", "cuMemcpyDtoDAsync_v2", "a tensor cannot be read from the device"),
    ],
)
def test_errors_of_copies_are_one_line(
    session: Session, device: FakeCuda, monkeypatch: pytest.MonkeyPatch, name, fails, text
):
    array = device.array(A)
    call = session.bind(*({}, {"sum": array}) if name == "sum" else ({"a": array},))
    monkeypatch.setenv("FAKE_CUDA_FAIL", fails)
    with pytest.raises(UserError, match=rf"{text} \(CUDA error 999\)"):
        call.run()
    monkeypatch.delenv("FAKE_CUDA_FAIL")
    call.run()
    array.close()
