"""Errors of OpenCL's calls: a program says in one line what failed, and gives back all it holds."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from device_programs import build_bundle, build_with_cache, shared, start
from oclgrind import needs_oclgrind, with_oclgrind
from opencl import needs_opencl, opencl_library

from autodeploy import CompileOptions
from autodeploy.codegen.c.template import runtime_file

pytestmark = [
    needs_opencl,
    pytest.mark.skipif(sys.platform != "linux", reason="libraries are exchanged by LD_PRELOAD"),
    pytest.mark.xdist_group("device-errors"),
]

CALLS = re.findall(r" X\(\w+, (cl\w+),", runtime_file("autodeploy_opencl.c"))
"""The functions of OpenCL that the runtime uses."""

NUMBERS = ("", ":1", ":2", ":3")
"""All calls of a function fail, or the first, the second, the third one."""

FOR_THE_CACHE = {"clCreateProgramWithBinary", "clGetProgramInfo"}
"""Those without which a program compiles the kernels, or keeps none."""

WITHOUT_CONSEQUENCES = {
    *(call for call in CALLS if call.startswith("clRelease")),
    *FOR_THE_CACHE,
    *("clGetProgramBuildInfo", "clFinish"),
}
"""A run waits for the tensors that it reads; only a context that is closed waits for all."""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built bundle, with its programs."""
    options = CompileOptions(machine="host:device=opencl", jobs=1)
    made = build_bundle(tmp_path_factory.mktemp("errors") / "b", options)
    build_with_cache(made)
    return made


@pytest.fixture(scope="module")
def variables(bundle: Path) -> dict[str, str | Path]:
    """Return the variables of a program whose calls can fail."""
    linked = ("-Wl,--no-as-needed", str(opencl_library()), "-ldl")
    return {
        "LD_PRELOAD": shared(bundle, "dlopen_of_opencl.c", "-ldl"),
        "OPENCL_IS": shared(bundle, "failing_opencl.c", *linked),
    }


def failed(
    program: Path, word: Path, log: Path, call: str, **variables: str | Path
) -> tuple[int, str, int]:
    """Run a program whose call fails; returns its status, what it says and how often it calls."""
    found = start(program, word, OPENCL_FAIL=call, OPENCL_LOG=log, **variables)
    *names, last = log.read_text().splitlines()
    assert last == "left 0"
    return found[0], found[1] + found[2], names.count(call.partition(":")[0])


@pytest.mark.every_case
@pytest.mark.parametrize("call", CALLS)
def test_an_error_of_each_call_is_survived(
    bundle: Path, variables: dict[str, str | Path], tmp_path: Path, call: str
):
    for number in NUMBERS:
        status, said, count = failed(
            bundle / "net", bundle / "x.npy", tmp_path / "log", call + number, **variables
        )
        if call in WITHOUT_CONSEQUENCES or count < int(number[1:] or 1):
            assert (status, "error" in said) == (0, False)
        elif call == "clGetDeviceInfo":
            # A device without a name, and one whose threads are not known.
            assert status == int(number in ("", ":3"))
        else:
            assert (status, said.count("\n")) == (1, 1)
            assert re.fullmatch(
                r"net: error: (OpenCL finds no device|.*[(]OpenCL error -5[)].*)\n", said
            )


@pytest.mark.parametrize("call", sorted(FOR_THE_CACHE))
def test_without_a_cache_kernels_are_compiled(
    bundle: Path, variables: dict[str, str | Path], tmp_path: Path, call: str
):
    cache = tmp_path / "cache"
    program = bundle / "with_cache"
    for made, fails in ((False, "clGetProgramInfo"), (True, ""), (True, call)):
        status, said, _ = failed(program, cache, tmp_path / "log", fails, **variables)
        assert (status, said.startswith("device "), cache.exists()) == (0, True, made)


def test_each_call_is_reached(bundle: Path, variables: dict[str, str | Path], tmp_path: Path):
    reached: set[str] = set()
    cache = tmp_path / "cache"
    for program, word, fails in (
        ("net", bundle / "x.npy", ""),
        ("net", bundle / "x.npy", "clBuildProgram"),
        ("with_cache", cache, ""),
        ("with_cache", cache, ""),
    ):
        log = tmp_path / "log"
        start(bundle / program, word, OPENCL_FAIL=fails, OPENCL_LOG=log, **variables)
        reached |= {*log.read_text().splitlines()[:-1]}
    assert reached == {*CALLS}


@needs_oclgrind
@pytest.mark.exhaustive
def test_no_call_after_an_error_is_wrong(
    bundle: Path, variables: dict[str, str | Path], tmp_path: Path
):
    reports = tmp_path / "reports"
    words = (bundle / "net", bundle / "x.npy", tmp_path / "log")
    for call in ("", *CALLS):
        failed(*words, call, **variables, **with_oclgrind(reports))
        assert reports.read_text() == "", call
