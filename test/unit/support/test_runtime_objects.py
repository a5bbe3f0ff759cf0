"""Objects of the runtime are compiled once, and again where what they are made of changes."""

from __future__ import annotations

from pathlib import Path

import pytest
import runtime_objects
from onnx_cases import CASES

from autodeploy.compiler import compile_model
from autodeploy.toolchain import session


@pytest.fixture
def bundle(tmp_path):
    folder = tmp_path / "out"
    compile_model(CASES[0].model().SerializeToString(), folder)
    return folder


@pytest.fixture
def flags():
    """The C flags that each call of make was given."""
    return []


@pytest.fixture
def made(monkeypatch, tmp_path, flags):
    """Return the objects that each call of make found."""
    found: list[set[str]] = []

    def make(folder: Path, targets=(), variables=None):
        flags.append((variables or {}).get("CFLAGS"))
        objects = folder / "build" / ("sanitize" if "sanitize" in targets else "objects")
        objects.mkdir(parents=True, exist_ok=True)
        found.append({path.name for path in objects.iterdir()})
        for source in folder.glob("*.c"):
            (objects / f"{source.stem}.o").touch()

    monkeypatch.delenv("CFLAGS", raising=False)
    monkeypatch.setattr(runtime_objects, "_make", make)
    monkeypatch.setattr(session, "run_make", session.run_make)
    monkeypatch.setattr(runtime_objects, "_folders", [])
    runtime_objects.share_objects(tmp_path / "cache")
    return found


def forget(bundle: Path) -> None:
    for path in (bundle / "build").glob("*/*.o"):
        path.unlink()


def objects_of_runtime(bundle: Path) -> set[str]:
    own = ("autodeploy_", "halide_")
    return {f"{path.stem}.o" for path in bundle.glob("*.c") if path.name.startswith(own)}


def test_memory_of_the_runtime_is_found(bundle, made):
    session.run_make(bundle)
    forget(bundle)
    session.run_make(bundle)
    assert made == [set(), objects_of_runtime(bundle)]


def test_sanitized_objects_are_kept_separately(bundle, made):
    session.run_make(bundle)
    for _ in range(2):
        forget(bundle)
        runtime_objects.make_bundle(bundle, ["sanitize"], {"CFLAGS": "-O0"})
    assert made == [set(), set(), objects_of_runtime(bundle)]
    forget(bundle)
    with (bundle / "Makefile").open("a") as file:
        file.write("CHECKS += -fsanitize=leak\n")
    runtime_objects.make_bundle(bundle, ["sanitize"], {"CFLAGS": "-O0"})
    assert made[3] == set()


def test_another_compiler_is_another_object(bundle, made, monkeypatch):
    session.run_make(bundle)
    forget(bundle)
    monkeypatch.setattr(runtime_objects, "_compiler", lambda command: (*command, "another"))
    session.run_make(bundle)
    assert made == [set(), set()]


@pytest.mark.parametrize("name", ["autodeploy_memory.h", "Makefile"])
def test_changed_kernels_are_compiled_again(bundle, made, name):
    session.run_make(bundle)
    forget(bundle)
    with (bundle / name).open("a") as file:
        file.write("\n# CFLAGS\n")
    session.run_make(bundle)
    assert made == [set(), set()]


def test_other_flags_are_other_objects(bundle, made, monkeypatch):
    session.run_make(bundle)
    forget(bundle)
    monkeypatch.setenv("CFLAGS", "-O0")
    session.run_make(bundle)
    assert made == [set(), set()]
    forget(bundle)
    session.run_make(bundle, variables={"CFLAGS": "-O3"})
    assert made == [set()] * 3


def test_flags_are_plain_by_default(bundle, made, flags, monkeypatch):
    session.run_make(bundle)
    session.run_make(bundle, variables={"CFLAGS": "-O3"})
    (bundle / "kernels" / "kernel.c").touch()
    session.run_make(bundle)
    (bundle / "kernels" / "kernel.c").unlink()
    monkeypatch.setenv("CFLAGS", "-O1")
    session.run_make(bundle)
    assert flags == ["-O0", "-O3", None, None]
    assert len(made) == 4
