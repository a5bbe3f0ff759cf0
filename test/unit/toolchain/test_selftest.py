"""The self-test that verify adds to a bundle."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.folder import check_target
from autodeploy.diagnostics import UserError
from autodeploy.toolchain import selftest
from autodeploy.toolchain.selftest import check_selftest, write_selftest
from autodeploy.tools.comparison import compare
from autodeploy.tools.named_options import parse_dynamic

pytestmark = pytest.mark.one_case

MODEL = Path(__file__).parents[3] / "examples" / "mnist" / "mnist.onnx"
CHECKED = "CFLAGS=-O1 -Werror -fsanitize=address,undefined"


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bundle = tmp_path_factory.mktemp("selftest") / "bundle"
    compile_model(MODEL, bundle, CompileOptions())
    assert all(one.agrees for one in compare(MODEL, bundle, [], CompileOptions(), selftest=True))
    return bundle


def made(bundle: Path) -> subprocess.CompletedProcess[str]:
    command = ["make", "-s", "-C", bundle, "selftest", CHECKED, "LDFLAGS=-fsanitize=address"]
    return subprocess.run(
        [*map(str, command), "LDLIBS=-fsanitize=undefined"], capture_output=True, text=True
    )


def altered(bundle: Path, change: Callable[[str], str]) -> subprocess.CompletedProcess[str]:
    file = bundle / "selftest" / "selftest.c"
    text = file.read_text()
    assert change(text) != text
    file.write_text(change(text))
    try:
        return made(bundle)
    finally:
        file.write_text(text)


def test_it_tells_right_outputs_from_wrong_ones(tested: Path) -> None:
    done = made(tested)
    assert (done.returncode, done.stdout, done.stderr) == (0, "selftest: passed\n", "")
    # One of the elements, then the mean of all.
    element = altered(
        tested, lambda text: re.sub(r"(double values0\[\] = \{\n    )", r"\g<1>1000.0 + ", text)
    )
    mean = altered(tested, lambda text: re.sub(r"(values0, )(\S+, \S+\},)", r"\g<1>9.0 + \2", text))
    for done in (element, mean):
        assert done.returncode != 0 and done.stdout == "selftest: output 'logits' differs\n"


def test_a_bundle_with_one_is_replaced_and_gets_another(tested: Path) -> None:
    check_target(tested)
    image = np.zeros((1, 1, 28, 28), np.float32)
    before = (tested / "selftest" / "selftest.c").read_text()
    write_selftest(tested, "another", {"image": image}, [np.zeros((1, 10))], [1e-4])
    assert (tested / "selftest" / "selftest.c").read_text() != before
    assert [path.name for path in (tested / "selftest").iterdir()] == ["selftest.c"]
    done = made(tested)
    assert done.returncode != 0 and "output 'logits' differs" in done.stdout


def test_a_bundle_without_one(tmp_path: Path) -> None:
    compile_model(MODEL, tmp_path / "b", CompileOptions())
    done = made(tmp_path / "b")
    assert done.returncode != 0 and done.stdout == ""
    assert done.stderr.startswith("there is no self-test: autodeploy verify MODEL BUNDLE")


def test_numbers_that_cannot_be_compared(tested: Path) -> None:
    image = np.zeros((1, 1, 28, 28), np.float32)
    with pytest.raises(UserError, match="'logits' is infinite or nan"):
        write_selftest(tested, "x", {"image": image}, [np.full((1, 10), np.nan)], [1e-4])


OPEN = CompileOptions(dynamic=parse_dynamic(["n=1..4"]))


@pytest.mark.parametrize(
    ("element", "extent", "options", "said"),
    [
        (TensorProto.FLOAT16, 4, CompileOptions(), "'x' is float16, which a self-test cannot"),
        (TensorProto.FLOAT, "n", OPEN, "'x' has open extents"),
        (TensorProto.FLOAT, 4, CompileOptions(machine="scalar:os=noos"), "there is no board for"),
    ],
)
def test_bundles_that_can_have_none(
    element: int, extent: int | str, options: CompileOptions, said: str, tmp_path: Path
) -> None:
    infos = [helper.make_tensor_value_info(name, element, [extent]) for name in "xy"]
    graph = helper.make_graph([helper.make_node("Abs", ["x"], ["y"])], "g", infos[:1], infos[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    compile_model(model.SerializeToString(), tmp_path / "b", options)
    with pytest.raises(UserError, match=said):
        check_selftest(tmp_path / "b")


def test_inputs_that_are_too_large(tested: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "MOST_BYTES", 3000)
    with pytest.raises(UserError, match="stores at most 3000 bytes of inputs, found 3136"):
        check_selftest(tested)
