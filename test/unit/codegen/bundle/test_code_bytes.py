"""Bytes of code in object files, against the compiler's own words."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autodeploy.codegen.bundle.code_bytes import code_bytes
from autodeploy.machine import Machine
from autodeploy.toolchain.compiler import find_c_compiler

SOURCE = """
    .section .text.a,"ax"
    .zero 48
    .section .rodata.b,"a"
    .zero 100
    .section .eh_frame,"a"
    .zero 800
    .section .comment
    .zero 5000
"""


@pytest.fixture
def object_file(tmp_path: Path) -> Path:
    if Machine.host().os != "linux":
        pytest.skip("made for ELF")
    source, made = tmp_path / "a.s", tmp_path / "a.o"
    source.write_text(SOURCE)
    subprocess.run([*find_c_compiler(), "-c", source, "-o", made], check=True)
    return made


def test_code_and_constants_count_and_nothing_else(object_file: Path) -> None:
    assert code_bytes([object_file]) == 148
    assert code_bytes([object_file, object_file]) == 296
    assert code_bytes([]) == 0


@pytest.mark.parametrize("cut", [0, 3, 60, 200])
def test_a_damaged_object_file_has_no_size(object_file: Path, cut: int) -> None:
    broken = object_file.with_name("broken.o")
    broken.write_bytes(object_file.read_bytes()[:cut])
    assert code_bytes([object_file, broken]) is None
    assert code_bytes([object_file.with_name("missing.o")]) is None


@pytest.mark.parametrize("order", ["little", "big"])
def test_an_object_of_32_bits(tmp_path: Path, order: str) -> None:
    def number(value: int, size: int = 4) -> bytes:
        return value.to_bytes(size, order)

    def section(name: int, flags: int, offset: int, size: int) -> bytes:
        return b"".join(map(number, (name, 1, flags, 0, offset, size, 0, 0, 1, 0)))

    head = b"\x7fELF\x01" + bytes([1 if order == "little" else 2]) + bytes(26)
    head += number(52) + bytes(10) + number(40, 2) + number(3, 2) + number(0, 2)
    names = b"\0.text\0.ARM.exidx\0"
    table = section(0, 0, 52 + 120, len(names)) + section(1, 6, 0, 77) + section(7, 2, 0, 9)
    (tmp_path / "a.o").write_bytes(head + table + names)
    assert code_bytes([tmp_path / "a.o"]) == 77
