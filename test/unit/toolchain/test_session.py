"""Bundles run from Python, with kernels by Halide."""

from __future__ import annotations

import json
import os
import pydoc
import re
import shutil
import signal
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from onnx import helper, numpy_helper
from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.universe import Universe

import autodeploy
from autodeploy.codegen.bundle.bundle import write_bundle
from autodeploy.codegen.c.read_program import read_program
from autodeploy.codegen.halide.kernels import Emit, compile_pipelines
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.machine import Machine
from autodeploy.toolchain.profile import profile_bundle
from autodeploy.toolchain.session import load_bundle

ADD = """
driver.program @{name} inputs ["x", "n"] outputs ["y", "m"] arena 64 weights 32 {{
^bb0(%x: memref<2x4xf32>, %n: memref<3xbf16>, %y: memref<2x4xf32>, %m: memref<3xbf16>):
  %w = driver.weight #nn.dense<{weight} : tensor<8xf32>> {{offset = 0 : i64}} : memref<8xf32>
  %flat = driver.view %x : memref<2x4xf32> to memref<8xf32>
  %b = driver.buffer {{offset = 0 : i64}} : memref<8xf32>
  %out = driver.view %y : memref<2x4xf32> to memref<8xf32>
  driver.call @add(%flat, %w) to (%b) : (memref<8xf32>, memref<8xf32>) to (memref<8xf32>)
  driver.call @add(%b, %b) to (%out) : (memref<8xf32>, memref<8xf32>) to (memref<8xf32>)
  driver.copy %n to %m : memref<3xbf16> to memref<3xbf16>
}}
halide.pipeline @add(%a: !halide.buffer<f32, [8]>, %b: !halide.buffer<f32, [8]>)
    to (%o: !halide.buffer<f32, [8]>) {{
  %f = halide.func "f"(x %x) : f32 {{
    %0 = halide.load %a[%x] : !halide.buffer<f32, [8]> to f32
    %1 = halide.load %b[%x] : !halide.buffer<f32, [8]> to f32
    %2 = halide.add %0, %1 : f32
    halide.yield %2 : f32
  }}
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}}
"""

X = np.arange(8, dtype=np.float32).reshape(2, 4)
N = np.array([1.5, -2, 3], ml_dtypes.bfloat16)

Make = Callable[..., Path]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Return what writes a bundle of (x + weight) * 2 into a folder."""

    def write(folder: Path, name: str = "plus", weight: float = 1.0, emit: Emit = "object") -> Path:
        ctx = Context()
        for dialect, factory in Universe.get_multiverse().all_dialects.items():
            ctx.register_dialect(dialect, factory)
        module = Parser(ctx, ADD.format(name=name, weight=weight)).parse_module()
        module.verify()
        kernels = compile_pipelines(
            module,
            Machine.host(),
            directory=tmp_path_factory.mktemp("kernels"),
            emit=emit,
            symbols=read_program(module).symbols,
        )
        write_bundle(ctx, module, kernels, folder)
        return folder

    return write


@pytest.fixture(scope="module")
def bundle(make: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("bundles") / "my bundle")


def test_run(bundle: Path) -> None:
    with load_bundle(bundle) as session:
        assert session.name == "plus"
        assert [(t.name, t.dtype, t.shape) for t in session.inputs] == [
            ("x", "float32", (2, 4)),
            ("n", "bfloat16", (3,)),
        ]
        assert [t.name for t in session.outputs] == ["y", "m"]
        found = session.run({"n": N, "x": X})
    assert list(found) == ["y", "m"]
    assert np.array_equal(found["y"], (X + 1) * 2) and found["y"].dtype == np.float32
    assert np.array_equal(found["m"], N) and found["m"].dtype == ml_dtypes.bfloat16


def test_arrays_of_any_layout(bundle: Path) -> None:
    with load_bundle(bundle) as session:
        for x in (np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], X.tolist()):
            given = np.asarray(x, np.float32) if isinstance(x, list) else x
            assert np.array_equal(session.run({"x": given, "n": N})["y"], (X + 1) * 2)


def test_results_are_the_callers(bundle: Path) -> None:
    with load_bundle(bundle) as session:
        first = session.run({"x": X, "n": N})["y"]
        session.run({"x": X + 1, "n": N})
    assert np.array_equal(first, (X + 1) * 2)


def test_kernels_as_cxx_source(make: Make, tmp_path: Path) -> None:
    folder = make(tmp_path / "b", emit="c")
    assert (folder / "kernels" / "plus_add.cpp").is_file()
    with load_bundle(folder) as session:
        assert np.array_equal(session.run({"x": X, "n": N})["y"], (X + 1) * 2)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (
            {"X": X, "n": N},
            "'plus' has no input 'X', expected 'x', 'n'; one that has a default in the model is a "
            "constant unless it was compiled with a shape (--shape)",
        ),
        ({"x": X}, "missing input 'n' of 'plus'"),
        ({}, "missing input 'x', 'n' of 'plus'"),
        ({"x": X.astype(np.float64), "n": N}, "input 'x' takes float32, found float64"),
        ({"x": X[0], "n": N}, "input 'x' takes shape 2x4, found 4"),
        ({"x": np.float32(1), "n": N}, "input 'x' takes shape 2x4, found scalar"),
        ({"x": X, "n": [1, 2, 257]}, "input 'n' takes bfloat16, found int64"),
        ({"x": [["a"] * 4] * 2, "n": N}, "input 'x' takes float32, found <U1"),
        (X, "'plus' takes inputs by name ('x', 'n'), found a value without one"),
    ],
)
def test_inputs_that_do_not_fit(bundle: Path, inputs: dict[str, object], message: str) -> None:
    with load_bundle(bundle) as session, pytest.raises(UserError) as error:
        session.run(inputs)  # type: ignore
    assert str(error.value) == message


class _Exported:
    """An array that is known by DLPack alone."""

    def __init__(self, array: np.ndarray):
        self._array = array

    def __dlpack__(self, **options: object) -> object:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()


def test_arrays_of_the_caller_for_outputs(bundle: Path) -> None:
    y = np.empty((2, 4), np.float32)
    with load_bundle(bundle) as session:
        found = session.run({"x": X, "n": N}, out={"y": y})
        assert found["y"] is y and np.array_equal(y, (X + 1) * 2)
        assert list(found) == ["y", "m"] and np.array_equal(found["m"], N)
        for out, message in (
            ({"z": y}, "'plus' has no output 'z', expected 'y', 'm'"),
            (y, r"'plus' takes outputs by name \('y', 'm'\), found one without"),
            ({"y": y[0]}, "output 'y' takes an array of float32 2x4, found float32 4"),
            ({"y": y.astype(float)}, "output 'y' takes an array of float32 2x4, found float64 2x4"),
            ({"y": [1]}, "output 'y' takes an array of float32 2x4, found list"),
            ({"y": np.asfortranarray(y)}, "the array for output 'y' is not C-contiguous and wri"),
        ):
            with pytest.raises(UserError, match=message):
                session.run({"x": X, "n": N}, out=out)


def test_a_bound_call_reads_and_writes_its_arrays(bundle: Path) -> None:
    y = np.empty((2, 4), np.float32)
    with load_bundle(bundle) as session:
        bound = session.bind({"n": N}, {"y": y})
        assert np.array_equal(bound.inputs["x"], np.zeros((2, 4), np.float32))
        bound.inputs["x"][...] = X
        found = bound.run()
        assert found["y"] is y and np.array_equal(y, (X + 1) * 2)
        assert np.array_equal(found["m"], N)
        bound.inputs["x"] += 1
        assert np.array_equal(bound.run()["y"], (X + 2) * 2)
        with pytest.raises(UserError, match="input 'x' takes an array of float32 2x4, found list"):
            session.bind({"x": X.tolist()})
    with pytest.raises(UserError, match="the session of 'plus' is closed"):
        bound.run()


def test_a_run_looks_nothing_up(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with load_bundle(bundle) as session:
        bound = session.bind({"x": X, "n": N})
        with monkeypatch.context() as patch:
            for name in ("_function", "_checked", "_told"):
                patch.delattr(f"autodeploy.toolchain.session.Session.{name}")
            found = session.run({"x": X, "n": N})
            assert np.array_equal(found["y"], bound.run()["y"])


@pytest.mark.parametrize("large", [False, True])
def test_a_large_tensor_is_written_where_the_caller_wants_it(large: bool) -> None:
    count = 50000 if large else 50
    x, y = (helper.make_tensor_value_info(name, 1, [count]) for name in "xy")
    graph = helper.make_graph([helper.make_node("Neg", ["x"], ["y"])], "minus", [x], [y])
    values = np.arange(2 * count, dtype=np.float32)
    out = np.empty(count + 1, np.float32)[1:]  # not aligned
    with autodeploy.compile(helper.make_model(graph)) as session:
        for given in (values[:count], values[1 : count + 1], values[::2]):
            assert np.array_equal(session.run(given, out=out)["y"], -given)
            assert np.array_equal(out, -given)
            first = session.run(given)["y"]
            session.run(given + 1)
            assert np.array_equal(first, -given)


def test_clones_share_weights_and_outlive_each_other(bundle: Path) -> None:
    session = load_bundle(bundle)
    other = session.clone()
    assert other._weights[0] is session._weights[0] is not None
    session.close()
    last = other.clone()
    other.close()
    with last:
        assert np.array_equal(last.run({"x": X, "n": N})["y"], (X + 1) * 2)


def test_one_input_needs_no_name() -> None:
    weight = numpy_helper.from_array(np.array(2, np.float32), "w")
    x, y = (helper.make_tensor_value_info(name, 1, [2, 4]) for name in "xy")
    node = helper.make_node("Mul", ["x", "w"], ["y"])
    model = helper.make_model(helper.make_graph([node], "twice", [x], [y], [weight]))
    with autodeploy.compile(model.SerializeToString(), level=0) as session:
        assert np.array_equal(session.run(X)["y"], X * 2)
        assert np.array_equal(session.run({"x": X})["y"], X * 2)
        with pytest.raises(UserError, match="input 'x' takes shape 2x4, found 4"):
            session.run(X[0])
        assert np.array_equal(session.run(X.tolist())["y"], X * 2)
        assert np.array_equal(session.run(X.astype(">f4"))["y"], X * 2)
        assert np.array_equal(session.run(_Exported(X))["y"], X * 2)


def test_a_session_has_a_repr(bundle: Path) -> None:
    session = load_bundle(bundle)
    tensors = "(x: float32 2x4, n: bfloat16 3) -> (y: float32 2x4, m: bfloat16 3)"
    assert repr(session) == f"<Session 'plus': {tensors}>"
    session.close()
    assert repr(session) == f"<Session 'plus': {tensors}, closed>"


def test_help_shows_the_functions() -> None:
    text = pydoc.plaintext.document(autodeploy)
    assert all(re.search(rf"\b{name}\b", text) for name in autodeploy.__all__)
    assert "flush_subnormals: " in text
    assert set(autodeploy.__all__) <= set(dir(autodeploy))


def test_closed_session(bundle: Path) -> None:
    session = load_bundle(bundle)
    session.close()
    session.close()
    with pytest.raises(UserError, match="the session of 'plus' is closed"):
        session.run({"x": X, "n": N})


def test_sessions_side_by_side(make: Make, bundle: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "b", name="other", weight=10.0)
    with load_bundle(bundle) as first, load_bundle(other) as second, load_bundle(bundle) as third:
        for session, weight in ((first, 1), (second, 10), (third, 1)):
            assert np.array_equal(session.run({"x": X, "n": N})["y"], (X + weight) * 2)


def test_one_session_in_many_threads(bundle: Path) -> None:
    wrong: list[int] = []

    def work(session_index: int) -> None:
        for i in range(50):
            x = X + session_index * 100 + i
            if not np.array_equal(session.run({"x": x, "n": N})["y"], (x + 1) * 2):
                wrong.append(session_index)

    with load_bundle(bundle) as session:
        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("computing", [False, True])
def test_the_child_of_a_fork(bundle: Path, computing: bool) -> None:
    """The child runs and closes its copy, and only closes one that computed at the fork."""
    with load_bundle(bundle) as session:
        if computing:
            session._lock.acquire()  # as another thread does in ``run``
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            ended = 1
            try:
                assert np.array_equal(session.run({"x": X, "n": N})["y"], (X + 1) * 2)
                ended = 2
            except UserError as error:
                ended = 3 if "was computing when the process forked" in str(error) else 4
            finally:
                session.close()
                os._exit(ended)
        _, status = os.waitpid(child, 0)
        if computing:
            session._lock.release()
        assert os.waitstatus_to_exitcode(status) == (3 if computing else 2)
        assert np.array_equal(session.run({"x": X, "n": N})["y"], (X + 1) * 2)


def test_library_is_built_once(make: Make, tmp_path: Path) -> None:
    folder = make(tmp_path / "b")
    load_bundle(folder).close()
    library = folder / "libplus.so"
    built = library.stat().st_mtime_ns
    load_bundle(folder).close()
    assert library.stat().st_mtime_ns == built
    os.utime(folder / "plus.c")
    load_bundle(folder).close()
    assert library.stat().st_mtime_ns > built


def test_a_new_bundle_in_the_same_place_is_loaded(make: Make, tmp_path: Path) -> None:
    folder = make(tmp_path / "b")
    with load_bundle(folder) as old:
        make(folder, weight=5.0)
        with load_bundle(folder) as new:
            assert np.array_equal(new.run({"x": X, "n": N})["y"], (X + 5) * 2)
        assert np.array_equal(old.run({"x": X, "n": N})["y"], (X + 1) * 2)


def test_damaged_weights(make: Make, tmp_path: Path) -> None:
    folder = make(tmp_path / "b")
    data = bytearray((folder / "plus.weights").read_bytes())
    data[70] ^= 1
    (folder / "plus.weights").write_bytes(data)
    with pytest.raises(
        UserError, match=r"'plus' cannot be loaded: weight file '.*/plus.weights' is"
    ):
        load_bundle(folder)


def test_missing_tools(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make(tmp_path / "b")
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    with pytest.raises(ToolchainError, match=r"the C compiler 'no-such-compiler' of \$CC is miss"):
        load_bundle(folder)
    monkeypatch.setenv("CC", "'")
    with pytest.raises(ToolchainError, match=r"the value of \$CC is malformed"):
        load_bundle(folder)
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolchainError, match="'make' is not on the path"):
        load_bundle(folder)


def test_library_that_is_none(bundle: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(bundle, tmp_path / "b")
    load_bundle(folder).close()
    (folder / "libplus.so").write_text("no library")
    with pytest.raises(ToolchainError, match=r"library '.*libplus\.so' cannot be loaded"):
        load_bundle(folder)


@pytest.mark.parametrize("use", [load_bundle, profile_bundle])
def test_kernels_for_another_machine(
    make: Make, use: Callable[[Path], object], tmp_path: Path
) -> None:
    folder = make(tmp_path / "b")
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["machine"] = asdict(Machine.named("arm-neon"))
    path.write_text(json.dumps(manifest))
    with pytest.raises(UserError) as error:
        use(folder)
    words = f"bundle '{folder}' cannot run on this machine: its kernels are for arm-32-linux, this "
    assert str(error.value).startswith(words) and "\n" not in str(error.value)
    assert not (folder / "build").exists()


def test_kernels_as_source_run_on_any_machine(make: Make, tmp_path: Path) -> None:
    folder = make(tmp_path / "b", emit="c")
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["machine"] = asdict(Machine.named("arm-neon"))
    path.write_text(json.dumps(manifest))
    with load_bundle(folder) as session:
        assert np.array_equal(session.run({"x": X, "n": N})["y"], (X + 1) * 2)


def test_no_bundle_and_no_threads(bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not a bundle"):
        load_bundle(tmp_path)
    with pytest.raises(UserError, match="the number of threads is at least 1, found 0"):
        load_bundle(bundle, threads=0)
    with pytest.raises(UserError, match=r"'plus' cannot be loaded: .* at most 1 thread, not for 2"):
        load_bundle(bundle, threads=2)
