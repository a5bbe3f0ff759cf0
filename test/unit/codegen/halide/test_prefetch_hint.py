"""The hint of prefetches in object code, and what becomes of a kernel where it cannot be set."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path

import pytest
from fetching_kernel import FETCHING

from autodeploy.codegen.halide import compile_kernel as compiling
from autodeploy.codegen.halide.compile_kernel import compile_kernel
from autodeploy.codegen.halide.kernel_code import KernelRequest
from autodeploy.codegen.halide.prefetch_hint import fetch_to_second_level
from autodeploy.machine import Machine

LISTING = """f:
\tprefetchnta\t(%rax)
\tmovl\t$1, %eax  # prefetchnta
\tprefetchnta\t64(%r8,%rbx)
"""


def request(target: str = "x86-64-avx2") -> KernelRequest:
    return KernelRequest(FETCHING, "sum", Machine.parse(target).kernel_target(), "object")


def test_each_prefetch_fetches_to_the_second_level() -> None:
    code = b"\x90\x0f\x18\x00\xc3\x41\x0f\x18\x44\x18\x40\x0f\x18\xc0"
    changed = b"\x90\x0f\x18\x10\xc3\x41\x0f\x18\x54\x18\x40\x0f\x18\xc0"
    assert fetch_to_second_level(code, LISTING) == changed


@pytest.mark.parametrize("extra", [b"\x0f\x18\x05", b""])
def test_bytes_that_may_be_something_else_are_left(extra: bytes) -> None:
    code = b"\x0f\x18\x00" + extra * 2
    assert fetch_to_second_level(code, LISTING) is None


@pytest.mark.parametrize("place", [0, 1, 2])
def test_bytes_that_look_like_a_prefetch_with_another_operand_are_left(place: int) -> None:
    parts = [b"\x0f\x18\x00\xc3", b"\x41\x0f\x18\x44\x18\x40\xc3"]
    changed = [b"\x0f\x18\x10\xc3", b"\x41\x0f\x18\x54\x18\x40\xc3"]
    other = b"\x0f\x18\x44\x18\x41"
    code = b"".join([*parts[:place], other, *parts[place:]])
    wanted = b"".join([*changed[:place], other, *changed[place:]])
    assert fetch_to_second_level(code, LISTING) == wanted


def test_bytes_that_look_like_a_prefetch_with_its_operand_leave_all() -> None:
    code = b"\x0f\x18\x00\xc3\x0f\x18\x00\xc3\x41\x0f\x18\x44\x18\x40\xc3"
    assert fetch_to_second_level(code, LISTING) is None


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the assembler is not one for x86-64")
@pytest.mark.parametrize(
    "operand",
    [
        f"{displacement}({base}{index})"
        for displacement in ("", "8", "-128", "127", "128", "-4096")
        for base in ("%rax", "%rsp", "%rbp", "%r8", "%r12", "%r13")
        for index in ("", ",%rbp,8", ",%r12,2", ",%rcx")
    ],
)
def test_each_operand_has_the_bytes_of_the_assembler(operand: str, tmp_path: Path) -> None:
    listing = f"\tprefetchnta\t{operand}\n"
    source, code = tmp_path / "f.s", tmp_path / "f.o"
    source.write_text(listing)
    subprocess.run(["cc", "-c", source, "-o", code], check=True)
    # In front of it lies what looks like one with another operand.
    looks_so = b"\x0f\x18\x07" + code.read_bytes()
    assert fetch_to_second_level(looks_so, listing) is not None


def test_a_kernel_has_the_hint() -> None:
    code = compile_kernel(request()).code
    assert b"\x0f\x18" in code
    assert fetch_to_second_level(code, "") == code


def test_a_kernel_whose_hint_cannot_be_set_fetches_nothing(monkeypatch) -> None:
    monkeypatch.setattr(compiling, "fetch_to_second_level", lambda code, listing: None)
    assert b"\x0f\x18" not in compile_kernel(request()).code


def test_on_other_machines_code_stays_as_it_is() -> None:
    assert compile_kernel(request("aarch64-neon")).code
