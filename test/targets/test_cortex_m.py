"""The example for microcontrollers: built for each, run on a board of QEMU, without a C library."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest

import autodeploy
from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.c.program import STACK_OF_CALLS, STACK_OF_FUNCTIONS
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.machine import Machine
from autodeploy.toolchain import board
from autodeploy.toolchain.board import board_options
from autodeploy.toolchain.evaluate import evaluate_bundle
from autodeploy.toolchain.launched import launched_run
from autodeploy.toolchain.session import load_bundle
from autodeploy.tools import cli

EXAMPLES = Path(__file__).parents[2] / "examples"
MODEL = EXAMPLES / "mnist" / "mnist.onnx"
LIBRARY = Path(autodeploy.__file__).parent / "runtime" / "library"
PICTURE_BYTES = 28 * 28 * 4
NOT_WANTED = {"malloc", "free", "printf", "snprintf", "fopen", "fread", "pthread_create"}


def needs(tool: str, package: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(
        shutil.which(tool) is None, reason=f"the Debian package {package} is not installed"
    )


@needs("arm-none-eabi-gcc", "gcc-arm-none-eabi")
@needs("qemu-system-arm", "qemu-system-arm")
@pytest.mark.parametrize("cpu", ["cortex-m3", "cortex-m4", "cortex-m7"])
def test_a_digit_is_read_on_a_microcontroller(cpu: str, tmp_path: Path) -> None:
    bundle, picture = tmp_path / "bundle", tmp_path / "digit.bin"
    compile_model(MODEL, bundle, CompileOptions(machine=cpu))
    assert not [path for path in bundle.rglob("*") if path.suffix == ".hpp"]
    draw = [sys.executable, EXAMPLES / "mnist" / "draw_digit.py"]
    digit = EXAMPLES / "mnist" / "digits" / "6.png"
    subprocess.run([*draw, digit, "--raw", picture], check=True, capture_output=True)
    subprocess.run(["make", "-s", "-C", bundle, "CFLAGS=-O2 -Werror"], check=True)
    stated = _stated_sizes(bundle)
    variables = [f"CPU={cpu}", f"BUNDLE={bundle}", f"DIGIT={picture}", f"BUILD={tmp_path}"]
    done = subprocess.run(
        ["make", "-s", "-C", EXAMPLES / "cortex_m", "run", *variables],
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    said = done.stdout + done.stderr
    assert "predicted number is 6" in said
    bits = np.array(re.findall(r"logit bits (\d+)", said), np.uint32)
    data = np.fromfile(picture, np.float32).reshape(1, 1, 28, 28)
    session = ort.InferenceSession(str(MODEL))
    (expected,) = session.run(None, {session.get_inputs()[0].name: data})
    np.testing.assert_allclose(bits.view(np.float32), expected[0], atol=1e-5 * abs(expected).max())
    text, zeros = _check_sizes(tmp_path / "digit.elf", has_floats=cpu != "cortex-m3")
    # The program has little else: its start, its output, functions of the C library.
    assert stated["weights"] < stated["flash"] < text - PICTURE_BYTES + 4_000
    assert text - PICTURE_BYTES < stated["flash"] + 8_000
    assert stated["arena"] + stated["context"] <= zeros < stated["RAM"]


def _stated_sizes(bundle: Path) -> dict[str, int]:
    """Return what ``make size`` prints, checked against the manifest."""
    command = ["make", "-s", "-C", bundle, "size"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = {name: int(number) for name, number in re.findall(r"(\w+) +(\d+)", said)}
    manifest = Manifest.load(bundle)
    assert (found["weights"], found["arena"], found["context"], found["stack"]) == (
        manifest.weights.bytes,
        manifest.arena_bytes,
        manifest.context_bytes,
        manifest.stack_bytes,
    )
    assert found["flash"] == found["code"] + found["weights"]
    assert found["RAM"] == found["arena"] + found["context"] + found["stack"]
    return found


@needs("arm-none-eabi-gcc", "gcc-arm-none-eabi")
@needs("qemu-system-arm", "qemu-system-arm")
def test_the_arena_is_in_two_sections_of_a_program(tmp_path: Path) -> None:
    bundle, picture = tmp_path / "bundle", tmp_path / "digit.bin"
    draw = [sys.executable, EXAMPLES / "mnist" / "draw_digit.py"]
    digit = EXAMPLES / "mnist" / "digits" / "6.png"
    subprocess.run([*draw, digit, "--raw", picture], check=True, capture_output=True)
    variables = [f"BUNDLE={bundle}", f"DIGIT={picture}", f"BUILD={tmp_path}"]
    logits = set[str]()
    for pools in ("fast=14K,slow=1M", "fast=1M,slow=64"):
        options = CompileOptions(machine="cortex-m7", pools=pools)
        shutil.rmtree(bundle, ignore_errors=True)
        manifest = compile_model(MODEL, bundle, options).manifest
        command = ["make", "-s", "-B", "-C", EXAMPLES / "cortex_m", "run", *variables]
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
        assert "predicted number is 6" in done.stdout + done.stderr
        logits.add(" ".join(re.findall(r"logit bits \d+", done.stdout + done.stderr)))
        sizes = _sections(tmp_path / "digit.elf")
        assert manifest.pools["slow"] == sizes.get(".slow", 0)
        assert sum(manifest.pools.values()) <= sizes[".bss"] + sizes.get(".slow", 0)
        assert 0 < manifest.pools["fast"] <= (14 << 10) or not manifest.pools["slow"]
    assert len(logits) == 1


def _sections(program: Path) -> dict[str, int]:
    """Return the bytes of the sections of a program."""
    command = ["arm-none-eabi-size", "-A", program]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {name: int(size) for name, size in re.findall(r"^(\.\S+) +(\d+)", said, re.MULTILINE)}


@needs("cmake", "cmake")
@needs("arm-none-eabi-gcc", "gcc-arm-none-eabi")
@needs("qemu-system-arm", "qemu-system-arm")
@pytest.mark.parametrize("cpu", ["cortex-m3", "cortex-m7"])
def test_cmake_builds_it_for_the_processor_of_the_library(cpu: str, tmp_path: Path) -> None:
    bundle, picture, made = tmp_path / "bundle", tmp_path / "digit.bin", tmp_path / "made"
    compile_model(MODEL, bundle, CompileOptions(machine=cpu))
    np.zeros(28 * 28, np.float32).tofile(picture)
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={bundle}/mnist-toolchain.cmake"
    configure = ["cmake", "-S", EXAMPLES / "cortex_m", "-B", made, f"-DBUNDLE={bundle}"]
    subprocess.run([*configure, f"-DDIGIT={picture}", toolchain], check=True, capture_output=True)
    subprocess.run(["cmake", "--build", made], check=True, capture_output=True)
    command = ["qemu-system-arm", *board_options(Machine.named(cpu)), made / "digit.elf"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert "predicted number is" in done.stdout + done.stderr


@needs("cmake", "cmake")
def test_cmake_refuses_a_compiler_for_another_machine(tmp_path: Path) -> None:
    compile_model(MODEL, tmp_path / "b", CompileOptions(machine="cortex-m4"))
    command = ["cmake", "-S", tmp_path / "b", "-B", tmp_path / "made"]
    done = subprocess.run(command, capture_output=True, text=True)
    said = " ".join(done.stderr.split())
    assert done.returncode != 0 and "the kernels are for arm-32-noos, '" in said
    assert "give its toolchain file, mnist-toolchain.cmake" in said


def _check_sizes(program: Path, *, has_floats: bool) -> tuple[int, int]:
    """Check what is in a program; without a unit for floats it needs functions for them.

    Returns the bytes of code and constants, and those of variables.
    """
    symbols = subprocess.run(
        ["arm-none-eabi-nm", program], check=True, capture_output=True, text=True
    ).stdout
    assert NOT_WANTED.isdisjoint(line.split()[-1] for line in symbols.splitlines())
    sizes = subprocess.run(
        ["arm-none-eabi-size", program], check=True, capture_output=True, text=True
    ).stdout.splitlines()[1]
    text, data, zeros = map(int, sizes.split()[:3])
    assert data == 0  # no global variable has a value that is written
    assert text - PICTURE_BYTES < (38_000 if has_floats else 40_000)
    assert zeros < 32_700
    return text, zeros


def test_such_bundles_do_not_run_here(tmp_path: Path) -> None:
    compile_model(MODEL, tmp_path / "b", CompileOptions(machine="cortex-m4"))
    with pytest.raises(
        UserError, match="is for 'cortex-m4', a machine without an operating system"
    ):
        load_bundle(tmp_path / "b")


def test_memory_is_asked_for(tmp_path: Path) -> None:
    bundle = tmp_path / "b"
    compile_model(MODEL, bundle, CompileOptions(machine="scalar:os=noos"))
    subprocess.run(["make", "-s", "-C", bundle, "CFLAGS=-O1 -Werror"], check=True)
    (tmp_path / "main.c").write_text(
        """
#include <stdio.h>
#include "mnist.h"
static unsigned char context[MNIST_CONTEXT_BYTES] __attribute__((aligned(8)));
int main(void) {
    char message[80] = "";
    mnist_options options = {0};
    mnist_context *made;
    options.message = message;
    options.message_bytes = sizeof message;
    printf("%d %s\\n", mnist_init(&made, &options), message);
    options.context = context;
    options.context_bytes = sizeof context;
    printf("%d %s\\n", mnist_init(&made, &options), message);
    return 0;
}
"""
    )
    program = tmp_path / "main"
    command = [
        "cc",
        f"-I{bundle}",
        tmp_path / "main.c",
        bundle / "libmnist.a",
        "-lm",
        "-o",
        program,
    ]
    subprocess.run(command, check=True)
    done = subprocess.run([program], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "1 give memory for the context: there is no heap",
        "1 give memory for the arena: there is no heap",
    ]


@needs("arm-none-eabi-gcc", "gcc-arm-none-eabi")
def test_functions_of_the_library_take_little_stack(tmp_path: Path) -> None:
    """They are on the stack besides the calls that the header counts."""
    sources = sorted(LIBRARY.glob("*.c"))
    machine = Machine.named("cortex-m7")
    options = [*machine.compiler_flags, "-std=gnu99", "-O2", "-fstack-usage", "-c"]
    command = ["arm-none-eabi-gcc", *options, f"-I{LIBRARY.parent}", f"-I{LIBRARY}", *sources]
    subprocess.run(command, cwd=tmp_path, check=True)
    used = {
        path.stem: max(int(line.split("\t")[1]) for line in path.read_text().splitlines())
        for path in tmp_path.glob("*.su")
    }
    assert len(used) == len(sources)
    known = {f"autodeploy_{name}": further for name, further in STACK_OF_FUNCTIONS.items()}
    assert known.keys() <= used.keys()
    over = {name: n for name, n in used.items() if n >= STACK_OF_CALLS - 128 + known.get(name, 0)}
    assert not over


@pytest.mark.parametrize("name", ["startup.c", "mps2.ld"])
def test_verify_and_the_example_start_a_board_alike(name: str) -> None:
    package = Path(autodeploy.__file__).parent / "toolchain" / "board"
    assert (package / name).read_text() == (EXAMPLES / "cortex_m" / name).read_text()


@needs("arm-none-eabi-gcc", "gcc-arm-none-eabi")
@needs("qemu-system-arm", "qemu-system-arm")
@pytest.mark.parametrize("cpu", ["cortex-m3", "cortex-m7"])
def test_verify_runs_a_board(
    cpu: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = tmp_path / "bundle"
    compile_model(MODEL, bundle, CompileOptions(machine=cpu))
    words = ["autodeploy", "verify", MODEL, bundle, "--launch", "qemu-system-arm", "--selftest"]
    monkeypatch.setattr(sys, "argv", [*map(str, words)])
    with pytest.raises(SystemExit) as end:
        cli.main()
    out, err = capsys.readouterr()
    assert (end.value.code, err) == (0, "") and "logits: agrees" in out
    command = ["make", "-s", "-C", str(bundle), "selftest", "CFLAGS=-O1 -Werror"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "selftest: passed" in done.stdout + done.stderr
    file = bundle / "selftest" / "selftest.c"
    file.write_text(file.read_text().replace("values0[] = {\n    ", "values0[] = {\n    1000.0 + "))
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode != 0 and "output 'logits' differs" in done.stdout + done.stderr


@needs("arm-none-eabi-gcc", "gcc-arm-none-eabi")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("no-such-emulator", "cannot run 'no-such-emulator'"),
        ("false", "'false' failed"),
        ("true", "'true' has started no program that wrote its outputs"),
    ],
)
def test_commands_that_start_no_board(command: str, said: str, bundle_m7: Path) -> None:
    with pytest.raises(ToolchainError, match=said):
        launched_run(bundle_m7, command)({"image": np.zeros((1, 1, 28, 28), np.float32)})


def test_boards_have_no_times_and_one_thread(bundle_m7: Path) -> None:
    with pytest.raises(UserError, match="without a clock to read"):
        evaluate_bundle(bundle_m7, launch="qemu-system-arm")
    with pytest.raises(UserError, match="compiled for at most 1 thread, not for 2"):
        launched_run(bundle_m7, "qemu-system-arm", threads=2)


def test_a_network_that_is_too_large_for_the_board(
    bundle_m7: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "RAM_BYTES", 30_000)
    with pytest.raises(UserError, match=r"take 34\d+ bytes, the board has 30000"):
        launched_run(bundle_m7, "qemu-system-arm")


@pytest.fixture(scope="module")
def bundle_m7(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bundle = tmp_path_factory.mktemp("m7") / "bundle"
    compile_model(MODEL, bundle, CompileOptions(machine="cortex-m7"))
    return bundle
