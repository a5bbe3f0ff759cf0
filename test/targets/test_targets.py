"""Programs for other machines: built by a cross compiler, run in an emulator."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from cross import MODELS, ROOT, SAMPLE, TARGETS, NotHereError, build_and_run

from autodeploy import CompileOptions, compile_model

TOLERANCE = 1e-5


@pytest.mark.parametrize("name", TARGETS)
def test_programs_compute_there_what_onnxruntime_does_here(name: str, tmp_path: Path) -> None:
    model = MODELS[SAMPLE](tmp_path)
    assert model is not None
    try:
        outcome = build_and_run(TARGETS[name], model, tmp_path)
    except NotHereError as missing:
        pytest.skip(str(missing))
    assert outcome.error is None or outcome.error < TOLERANCE


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
