"""The compiler takes what was made of the header of kernels, once that is worth while."""

from __future__ import annotations

import shutil

import compiled_header
import pytest
from compiled_header import WORTH, offer_header_to_make
from onnx_cases import CASES

from autodeploy.codegen.halide.kernel_code import HEADERS
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import ToolchainError
from autodeploy.toolchain.compiler import run_make

HEADER = HEADERS["c++"]


@pytest.fixture
def bundle(tmp_path, monkeypatch):
    if shutil.which("g++") is None:
        pytest.skip("other compilers read the header")
    monkeypatch.setenv("CXX", "g++")
    monkeypatch.setattr(compiled_header, "_asked", type(compiled_header._asked)())
    folder = tmp_path / "out"
    compile_model(CASES[0].model().SerializeToString(), folder, CompileOptions(emit="c"))
    return folder


@pytest.mark.exhaustive
def test_it_is_made_once_that_is_worth_while(bundle):
    made = bundle / "kernels" / f"{HEADER}.gch"
    for _ in range(WORTH - 1):
        offer_header_to_make(bundle, {})
        assert not made.exists()
    offer_header_to_make(bundle, {})
    assert made.exists()


@pytest.mark.exhaustive
@pytest.mark.parametrize("flags", ["-O0", "-O2"])
def test_make_takes_it_where_the_options_are_the_same(bundle, flags):
    for _ in range(WORTH):
        offer_header_to_make(bundle, {"CXXFLAGS": "-O0"})
    assert (bundle / "kernels" / f"{HEADER}.gch").exists()
    with (bundle / "kernels" / HEADER).open("a") as file:
        file.write("#error this is read\n")
    (kernel,) = bundle.glob("kernels/*.cpp")
    targets, variables = [f"build/objects/kernels/{kernel.stem}.o"], {"CXXFLAGS": flags}
    if flags == "-O0":
        run_make(bundle, targets, variables)
    else:
        with pytest.raises(ToolchainError, match="this is read"):
            run_make(bundle, targets, variables)
