"""Programs for other machines: built by a cross compiler, run in an emulator."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from cross import MODELS, QUANTISED, ROOT, SAMPLE, TARGETS, NotHereError, build_and_run

from autodeploy import CompileOptions, compile_model

TOLERANCE = 1e-5


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("network", [SAMPLE, QUANTISED])
def test_programs_agree_with_onnxruntime(name: str, network: str, tmp_path: Path) -> None:
    """A code that is one step off is an error of 1/255 at least."""
    model = MODELS[network](tmp_path)
    assert model is not None
    try:
        outcome = build_and_run(TARGETS[name], model, tmp_path)
    except NotHereError as missing:
        pytest.skip(str(missing))
    assert outcome.error is None or outcome.error < TOLERANCE


FAKE = """\
#!/bin/sh
if [ "$1" = -dumpmachine ]; then echo x86_64-w64-mingw32; exit; fi
for word; do
  case "$word" in -Wl,--out-implib,*) echo > "${word#-Wl,--out-implib,}";; esac
  if [ "$before" = -o ]; then echo > "$word"; fi
  before="$word"
done
"""
"""A compiler that makes the files that it is told to make."""

FOUND = """\
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES NONE)
set(CMAKE_STATIC_LIBRARY_PREFIX lib)
set(CMAKE_STATIC_LIBRARY_SUFFIX .a)
set(CMAKE_SHARED_LIBRARY_PREFIX lib)
set(CMAKE_SHARED_LIBRARY_SUFFIX .dll)
set(CMAKE_IMPORT_LIBRARY_PREFIX lib)
set(CMAKE_IMPORT_LIBRARY_SUFFIX .dll.a)
find_package(mnist REQUIRED)
get_target_property(static mnist::mnist IMPORTED_LOCATION)
get_target_property(shared mnist::mnist_shared IMPORTED_LOCATION)
get_target_property(import mnist::mnist_shared IMPORTED_IMPLIB)
foreach(file ${static} ${shared} ${import} ${mnist_WEIGHTS})
  get_filename_component(file "${file}" REALPATH)
  message(STATUS "found ${file}")
endforeach()
"""


def test_an_installation_for_windows_is_found(tmp_path: Path) -> None:
    """Where files lie does not depend on the compiler, so a fake one serves."""
    if shutil.which("cmake") is None:
        pytest.skip("cmake is wanted")
    model = ROOT / "examples" / "mnist" / "mnist.onnx"
    bundle, made = tmp_path / "out", tmp_path / "made"
    compile_model(model, bundle, CompileOptions(machine="x86-64-avx2:os=windows"))
    compiler = tmp_path / "cc"
    compiler.write_text(FAKE)
    compiler.chmod(0o755)
    command = ["make", "-s", "-C", bundle, "install", f"CC={compiler}", f"PREFIX={made}", "AR=true"]
    (bundle / "libmnist.a").touch()
    subprocess.run([*command, "-o", "libmnist.a"], check=True)
    (tmp_path / "CMakeLists.txt").write_text(FOUND)
    options = ["-DCMAKE_SYSTEM_NAME=Windows", f"-DCMAKE_PREFIX_PATH={made}"]
    done = subprocess.run(
        ["cmake", "-S", tmp_path, "-B", tmp_path / "b", *options], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = [Path(line.split()[-1]) for line in done.stdout.splitlines() if "found " in line]
    places = [path.relative_to(made.resolve()).as_posix() for path in found if path.exists()]
    assert places == [
        *("lib/libmnist.a", "bin/libmnist.dll", "lib/libmnist_shared.dll.a"),
        "share/mnist/mnist.weights",
    ]
    subprocess.run(["make", "-s", "-C", bundle, "clean", f"CC={compiler}"], check=True)
    assert not list(bundle.glob("*.dll*"))


FUNCTIONS = {
    *("context_bytes", "init", "run", "predict", "free", "input_info", "output_info"),
    *("status_message", "error_message"),
}
MINGW = "x86_64-w64-mingw32"


def test_a_dll_has_the_interface_alone(tmp_path: Path) -> None:
    if shutil.which("cmake") is None or shutil.which(f"{MINGW}-gcc") is None:
        pytest.skip(f"cmake and {MINGW}-gcc are wanted")
    model = ROOT / "examples" / "mnist" / "mnist.onnx"
    compile_model(model, tmp_path / "out", CompileOptions(machine="x86-64-avx2:os=windows"))
    tools = ["-DCMAKE_SYSTEM_NAME=Windows", f"-DCMAKE_C_COMPILER={MINGW}-gcc"]
    build = ["cmake", "--build", "made", "--target", "mnist_shared", "mnist_static", "mnist_demo"]
    for command in (["cmake", "-S", "out", "-B", "made", *tools], build):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    made = {path.name for path in (tmp_path / "made").iterdir()}
    assert {"libmnist.dll", "libmnist_shared.dll.a", "libmnist.a", "mnist.exe"} <= made
    listing = [f"{MINGW}-nm", tmp_path / "made" / "libmnist_shared.dll.a"]
    said = subprocess.run(listing, check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1] for line in said.splitlines() if " T " in line}
    assert exported == {f"mnist_{name}" for name in FUNCTIONS}
