"""Which compiler the Makefile of a bundle takes, and which one it refuses."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from c_program import planned

from autodeploy.codegen.bundle.build_files import makefile
from autodeploy.codegen.c.read_program import read_program
from autodeploy.machine import Machine


def build(
    folder: Path, machine: str | None, *words: str, **compilers: str
) -> subprocess.CompletedProcess[str]:
    """Ask make for its plan, where the compilers are those given, by what each compiles for."""
    for name, prints in compilers.items():
        file = folder / name.replace("_", "-").replace("clang-", "clang")
        file.write_text(f"#!/bin/sh\necho {prints}\n")
        file.chmod(0o755)
    kernel = folder / "kernels" / "k.o"
    kernel.parent.mkdir()
    kernel.touch()
    described = None if machine is None else Machine.parse(machine)
    text = makefile(read_program(planned("net")[1]), ["kernels/k.o"], machine=described)
    (folder / "Makefile").write_text(text)
    path = f"{folder}:{os.environ['PATH']}"
    return subprocess.run(
        ["make", "-n", *(words or ("build/objects/main.o",))],
        cwd=folder,
        env={"PATH": path},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("machine", "files"),
    [
        (None, "libnet.a libnet.so"),
        ("x86-64", "libnet.a libnet.so"),
        ("aarch64-neon:os=osx", "libnet.a libnet.dylib"),
        ("wasm32-simd128", "libnet.a"),
        ("arm-neon:os=noos", "libnet.a"),
    ],
)
def test_shared_libraries_are_made_and_installed_where_there_are_any(
    machine: str | None, files: str
) -> None:
    described = None if machine is None else Machine.parse(machine)
    text = makefile(read_program(planned("net")[1]), ["kernels/k.o"], machine=described)
    assert f"\nlib: {files}\n" in text
    assert f'\n\tcp {files} "$(PLACE)/lib"\n' in text
    for file in files.split():
        assert f"\n{file}: " in text


NATIVE = {"aarch64_linux_gnu_gcc": "aarch64-linux-gnu", "cc": "x86_64-linux-gnu"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a bundle of which only what ``main.o`` needs is there."""
    program = read_program(planned("net")[1])
    text = makefile(program, [])
    headers = text.split("\nHEADERS = ")[1].split("\n")[0].split()
    for name in ("main.c", *headers):
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("machine", "found"),
    [
        ("x86-64-avx2", "x86_64-linux-gnu"),
        ("x86-64", "x86_64-pc-linux-musl"),
        ("x86-64:os=windows", "x86_64-w64-mingw32"),
        ("x86-64:os=windows", "x86_64-unknown-windows-gnu"),
        ("aarch64-neon", "aarch64-redhat-linux"),
        ("aarch64-neon:os=osx", "arm64-apple-darwin23.1.0"),
        ("arm-neon", "armv7l-unknown-linux-gnueabihf"),
        ("riscv64-rvv128", "riscv64-unknown-linux-gnu"),
        ("wasm32-simd128", "wasm32-unknown-wasi"),
    ],
)
def test_a_compiler_that_fits_is_taken(folder: Path, machine: str, found: str) -> None:
    done = build(folder, machine, cc=found)
    assert done.returncode == 0, done.stderr
    assert "\ncc -std=c99" in f"\n{done.stdout}"


def test_the_cross_compiler_is_taken_where_cc_does_not_fit(folder: Path) -> None:
    done = build(folder, "aarch64-neon", **NATIVE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "aarch64-linux-gnu-gcc -std=c99" in done.stdout


@pytest.mark.parametrize(
    ("machine", "found"),
    [
        ("aarch64-neon", "x86_64-linux-gnu"),
        ("aarch64-neon", "aarch64-apple-darwin"),
        ("x86-64:os=windows", "x86_64-linux-gnu"),
        ("x86-64", "x86_64-w64-mingw32"),
        ("arm-neon", "aarch64-linux-gnu"),
    ],
)
def test_a_compiler_that_does_not_fit_is_refused(folder: Path, machine: str, found: str) -> None:
    done = build(folder, machine, "CC=mine", "build/objects/main.o", mine=found)
    platform = Machine.parse(machine).platform
    assert (done.returncode, done.stdout) == (2, "")
    assert f"*** the kernels are for {platform}, 'mine' compiles for {found}; give" in done.stderr
    assert done.stderr.count("\n") == 1


def test_cleaning_needs_no_compiler(folder: Path) -> None:
    assert build(folder, "aarch64-neon", "CC=mine", "clean", mine="x86_64").returncode == 0


@pytest.mark.parametrize("machine", ["aarch64-neon", None])
def test_a_silent_compiler_is_accepted(folder: Path, machine: str | None) -> None:
    done = build(folder, machine, "CC=mine", "build/objects/main.o", mine="")
    assert (done.returncode, done.stderr) == (0, "")
