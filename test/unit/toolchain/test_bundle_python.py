"""The Python module of a bundle, which needs ctypes and NumPy alone."""

import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from onnx import parser

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model

MODELS = {
    "kinds": """<ir_version: 10, opset_import: ["" : 21]>
        kinds (bfloat16[3] a, int4[5] b, string[2] c) => (float[3] x, uint8[5] y, string[2] z) {
          x = Cast<to = 1>(a)
          y = Cast<to = 2>(b)
          z = StringConcat(c, c)
        }""",
    "open": """<ir_version: 10, opset_import: ["" : 21]>
        open (float[batch, 3] a, float[rows, 2] b) => (float[batch, 3] x, float[rows, 2] y) {
          x = Neg(a)
          y = Abs(b)
        }""",
    "code": """<ir_version: 10, opset_import: ["" : 21]>
        code (float[6] a) => (int64[1, n] x) {
          x = NonZero(a)
        }""",
    "parts": """<ir_version: 10, opset_import: ["" : 21]>
        parts (float[batch, 3] a, bool[batch] c) => (float[n, 3] x) {
          x = Compress<axis = 0>(a, c)
        }""",
}
OPEN = {
    "open": {"batch": (1, 8), "rows": (2, 6)},
    "parts": {"batch": [1, (3, 8)]},
}

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
import {module} as bundle

given = dict(np.load(sys.argv[2]))
try:
    with bundle.load() as network:
        np.savez(sys.argv[3], **network.run(given))
        network.run(given)
except bundle.Error as error:
    sys.exit(str(error))
foreign = {{"autodeploy", "xdsl", "halide", "onnx", "ml_dtypes"}} & sys.modules.keys()
assert not foreign, foreign
"""

STATEFUL = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
import {module} as bundle

x = np.array([1, 2], np.float32)
with bundle.load() as network, bundle.load() as other:
    first = network.run(x)["y"]
    saved = network.save_state()
    second = network.run(x)["y"]
    other.load_state(saved)
    assert (other.run(x)["y"] == second).all() and (first != second).all()
    network.reset()
    assert (network.run(x)["y"] == first).all()
    network.load_state(saved)
    for wrong in (saved[1:], b""):
        try:
            network.load_state(wrong)
        except bundle.Error as error:
            print(error)
    assert (network.run(x)["y"] == second).all()
for call in (network.reset, network.save_state, lambda: network.load_state(saved)):
    try:
        call()
    except bundle.Error as error:
        print(error)
"""


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundles")
    for name, text in MODELS.items():
        dynamic = OPEN.get(name)
        model = parser.parse_model(text)
        autodeploy.compile(model, folder / name, dynamic=dynamic, string_bytes=8, level=1).close()
    return folder


def run(bundles: Path, name: str, folder: Path, **given: np.ndarray) -> dict[str, np.ndarray]:
    """Run a bundle in a process of its own; an error is a ``ValueError`` of its text."""
    module = f"{name}_network" if name in sys.stdlib_module_names else name
    np.savez(folder / "given.npz", **given)
    code = PROGRAM.format(module=module)
    paths = [bundles / name, folder / "given.npz", folder / "found.npz"]
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, paths)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ValueError(done.stderr.strip())
    with np.load(folder / "found.npz") as found:
        return dict(found)


def test_types_that_numpy_has_and_lacks(bundles: Path, tmp_path: Path) -> None:
    a = np.array([1.5, -2, 0], ml_dtypes.bfloat16)
    # Two elements a byte, the first in the low bits.
    b = np.array([0x21, 0x43, 0x05], np.uint8)
    c = np.array([b"ab", b""], "S4")
    found = run(bundles, "kinds", tmp_path, a=a.view(np.uint16), b=b, c=c)
    assert found["x"].tolist() == [1.5, -2, 0]
    assert found["y"].tolist() == [1, 2, 3, 4, 5]
    assert found["z"].tolist() == [b"abab", b""]


@pytest.mark.parametrize(("batch", "rows"), [(1, 2), (3, 6), (8, 3)])
def test_numbers_of_open_extents_follow_from_inputs(
    bundles: Path, tmp_path: Path, batch: int, rows: int
) -> None:
    a, b = np.arange(3.0 * batch, dtype=np.float32), -np.arange(2.0 * rows, dtype=np.float32)
    given = {"a": a.reshape(batch, 3), "b": b.reshape(rows, 2)}
    found = run(bundles, "open", tmp_path, **given)
    assert np.array_equal(found["x"], -given["a"]) and np.array_equal(found["y"], -given["b"])


def test_a_shape_that_depends_on_values(bundles: Path, tmp_path: Path) -> None:
    given = np.array([0, 1, 0, 2, 0, 3], np.float32)
    assert run(bundles, "code", tmp_path, a=given)["x"].tolist() == [[1, 3, 5]]


@pytest.mark.parametrize("kept", ["1", "0", "101", "00000000", "11111111", "0110"])
def test_parts_of_a_shape_that_depends_on_values(bundles: Path, tmp_path: Path, kept: str) -> None:
    condition = np.array([digit == "1" for digit in kept])
    given = np.arange(3.0 * len(kept), dtype=np.float32).reshape(-1, 3)
    found = run(bundles, "parts", tmp_path, a=given, c=condition)["x"]
    assert np.array_equal(found, given[condition])


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        (
            "open",
            {"a": (9, 3), "b": (2, 2)},
            "input 'a' takes float32 [8, 3], found float32 [9, 3]",
        ),
        (
            "open",
            {"a": (1, 3), "b": (1, 2)},
            "input 'b' takes float32 [2, 2], found float32 [1, 2]",
        ),
        ("open", {"a": (1, 3)}, "inputs that are missing: ['b']; that there are not: []"),
        ("code", {"z": (6,)}, "inputs that are missing: ['a']; that there are not: ['z']"),
    ],
)
def test_wrong_inputs(bundles: Path, tmp_path: Path, name: str, given: dict, said: str) -> None:
    arrays = {key: np.zeros(shape, np.float32) for key, shape in given.items()}
    with pytest.raises(ValueError) as error:
        run(bundles, name, tmp_path, **arrays)
    assert str(error.value) == said


def test_a_missing_library_is_an_error(bundles: Path, tmp_path: Path) -> None:
    library = next((bundles / "kinds").glob("libkinds.*"))
    hidden = library.rename(tmp_path / library.name)
    try:
        with pytest.raises(ValueError, match=r"^cannot load .*; build it with: make lib$"):
            run(bundles, "kinds", tmp_path, a=np.zeros(3))
    finally:
        hidden.rename(library)


def test_no_module_of_python_is_hidden(bundles: Path) -> None:
    assert [path.name for path in (bundles / "code").glob("*.py")] == ["code_network.py"]


def test_machines_without_shared_libraries_have_no_module(tmp_path: Path) -> None:
    compile_model(parser.parse_model(MODELS["code"]), tmp_path, CompileOptions(machine="scalar"))
    assert [path.name for path in tmp_path.glob("*.py")] == ["code_network.py"]
    board = CompileOptions(machine="cortex-m4")
    compile_model(parser.parse_model(MODELS["code"]), tmp_path, board)
    assert list(tmp_path.glob("*.py")) == []


def test_states_are_saved_and_loaded(tmp_path: Path) -> None:
    model = parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
        counter (float[2] x, float[2] sum) => (float[2] y, float[2] new_sum) {
          new_sum = Add(sum, x)
          y = Neg(new_sum)
        }""")
    autodeploy.compile(model, tmp_path / "b", state={"new_sum": "sum"}, level=1).close()
    code = STATEFUL.format(module="counter")
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "b")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    wrong, empty, *closed = done.stdout.splitlines()
    assert "state" in wrong and "state" in empty
    assert closed == ["the network is closed"] * 3


def test_a_network_without_a_state_has_none_to_save(bundles: Path) -> None:
    code = """
import sys
sys.path.insert(0, sys.argv[1])
import open
with open.load() as network:
    network.save_state()
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(bundles / "open")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Error: the network has no state" in done.stderr
