"""The weight file as Python writes it; what C makes of it is tested with the driver."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from c_program import LARGE_WEIGHTS, WEIGHTS, new_folder, parse, planned
from hypothesis import given
from hypothesis import strategies as st

from autodeploy.codegen.bundle.weight_file import (
    HEADER_BYTES,
    Checksum,
    WeightFileHeader,
    write_weight_file,
)
from autodeploy.codegen.c.read_program import read_program
from autodeploy.diagnostics import UserError, WeightsError
from autodeploy.toolchain.compiler import find_c_compiler, run

MASK = 2**64 - 1

SUM = r"""
#include "autodeploy_weights.h"
#include <stdio.h>
int main(void)
{
    static uint8_t data[1 << 20];
    const size_t bytes = fread(data, 1, sizeof data, stdin);
    printf("%llu\n", (unsigned long long)autodeploy_weights_sum(data, bytes, 0));
    return 0;
}
"""


def plain_sum(data: bytes) -> int:
    """The definition, word by word."""
    total = 0
    padded = data + bytes(-len(data) % 8)
    for index in range(len(padded) // 8):
        word = int.from_bytes(padded[8 * index : 8 * index + 8], "little")
        word ^= (index + 1) * 0x9E3779B97F4A7C15 & MASK
        for _ in range(2):
            word = word * 0xD6E8FEB86659FD93 & MASK
            word ^= word >> 32
        total = total + word & MASK
    return total


def sum_of(*pieces: bytes) -> int:
    checksum = Checksum()
    for piece in pieces:
        checksum.update(piece)
    return checksum.value()


@given(st.binary(max_size=100))
def test_sum_is_as_defined(data: bytes) -> None:
    assert sum_of(data) == plain_sum(data)


@given(st.lists(st.binary(max_size=30), max_size=6))
def test_sum_does_not_depend_on_pieces(pieces: list[bytes]) -> None:
    assert sum_of(*pieces) == plain_sum(b"".join(pieces))


def test_sum_over_many_chunks() -> None:
    data = np.random.default_rng(0).integers(0, 256, 300_001, dtype=np.uint8).tobytes()
    assert sum_of(data[:7], data[7:200_000], data[200_000:]) == plain_sum(data)


def test_sum_agrees_with_c(tmp_path: Path) -> None:
    folder = new_folder(tmp_path)
    folder.write("sum.c", SUM)
    command = [*find_c_compiler(), "sum.c", *folder.sources, "-o", "sum"]
    run(command, tmp_path)
    data = np.random.default_rng(1).integers(0, 256, 1 << 20, dtype=np.uint8).tobytes()
    (tmp_path / "data").write_bytes(data)
    found = run(["sh", "-c", "./sum < data"], tmp_path)
    assert int(found) == sum_of(data)


def test_layout(tmp_path: Path) -> None:
    ctx, module = planned("m")
    program = read_program(module)
    path = tmp_path / "m.weights"
    header = write_weight_file(ctx, program, path)
    data = path.read_bytes()
    assert data[:8] == b"\x89ADW\r\n\x1a\n"
    assert data[8:24] == b"\x04\x03\x02\x01\x01\0\0\0\x40\0\0\0\0\0\0\0"
    assert WeightFileHeader.unpack(data) == header
    assert header == WeightFileHeader(256, program.fingerprint(), plain_sum(data[64:]))
    assert len(data) == HEADER_BYTES + 256
    body = data[HEADER_BYTES:]
    assert body[:64] == WEIGHTS.tobytes() + bytes(32)
    assert body[64:] == LARGE_WEIGHTS.tobytes() + bytes(32)


def test_splats_and_small_types_are_written_in_full(tmp_path: Path) -> None:
    ctx, module = parse(
        """
        driver.program @m inputs [] outputs ["y"] arena 0 weights 130 {
        ^bb0(%y: memref<8xf32>):
          %a = driver.weight #nn.dense<2.0 : tensor<2x8xf32>> {offset = 0 : i64} : memref<2x8xf32>
          %b = driver.weight #nn.dense<"0x8040" : tensor<bf16>> {offset = 64 : i64} : memref<bf16>
          %c = driver.weight #nn.dense<[1, 0] : tensor<2xi1>> {offset = 128 : i64} : memref<2xi1>
        }
        """
    )
    write_weight_file(ctx, read_program(module), tmp_path / "w")
    body = (tmp_path / "w").read_bytes()[HEADER_BYTES:]
    assert np.frombuffer(body[:64], np.float32).tolist() == [2.0] * 16
    assert body[64:128] == b"\x80\x40" + bytes(62)
    assert body[128:] == b"\x01" + bytes(63)


def test_shared_weights_are_written_once(tmp_path: Path) -> None:
    weight = "driver.weight #nn.dense<2.0 : tensor<8xf32>> {offset = 0 : i64} : memref<8xf32>"
    ctx, module = parse(
        f"""
        driver.program @m inputs [] outputs ["y"] arena 0 weights 32 {{
        ^bb0(%y: memref<8xf32>):
          %a = {weight}
          %b = {weight}
        }}
        """
    )
    program = read_program(module)
    assert len(program.weights) == 1
    write_weight_file(ctx, program, tmp_path / "w")
    assert (tmp_path / "w").stat().st_size == HEADER_BYTES + 64


def test_an_empty_weight_takes_no_place(tmp_path: Path) -> None:
    ctx, module = parse(
        """
        driver.program @m inputs [] outputs ["y"] arena 0 weights 32 {
        ^bb0(%y: memref<8xf32>):
          %a = driver.weight #nn.dense<"0x" : tensor<3x0xf32>> {offset = 0 : i64} : memref<3x0xf32>
          %b = driver.weight #nn.dense<2.0 : tensor<8xf32>> {offset = 0 : i64} : memref<8xf32>
          %c = driver.weight #nn.dense<"0x" : tensor<0xi64>> {offset = 0 : i64} : memref<0xi64>
        }
        """
    )
    program = read_program(module)
    assert [weight.bytes for weight in program.weights] == [32]
    write_weight_file(ctx, program, tmp_path / "w")
    body = (tmp_path / "w").read_bytes()[HEADER_BYTES:]
    assert np.frombuffer(body[:32], np.float32).tolist() == [2.0] * 8


def fingerprint(text: str) -> bytes:
    return read_program(parse(text)[1]).fingerprint()


BASE = """
driver.program @m inputs ["x"] outputs ["y"] arena 64 weights 128 {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %w = driver.weight #nn.dense<2.0 : tensor<8xf32>> {offset = 0 : i64} : memref<8xf32>
  %b = driver.buffer {offset = 0 : i64} : memref<8xf32>
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@m", "@n"),
        ('"x"', '"z"'),
        ("%x: memref<8xf32>", "%x: memref<2x4xf32>"),
        ("%x: memref<8xf32>", "%x: memref<8xi32>"),
        ("dense<2.0", "dense<3.0"),
        ("{offset = 0 : i64} : memref<8xf32>\n  %b", "{offset = 64 : i64} : memref<8xf32>\n  %b"),
        ("weights 128", "weights 192"),
    ],
)
def test_fingerprints_of_programs_differ(old: str, new: str) -> None:
    assert old in BASE
    assert fingerprint(BASE.replace(old, new, 1)) != fingerprint(BASE)


def test_fingerprint_does_not_depend_on_the_arena() -> None:
    assert fingerprint(BASE.replace("arena 64", "arena 128")) == fingerprint(BASE)


def test_missing_weight(tmp_path: Path) -> None:
    _, module = planned("m")
    other, _ = planned("m", scale=3.0)
    with pytest.raises(WeightsError, match="is in no loaded weight file"):
        write_weight_file(other, read_program(module), tmp_path / "w")


def test_unwritable_path(tmp_path: Path) -> None:
    ctx, module = planned("m")
    with pytest.raises(UserError, match=r"cannot write '.*none/w': No such file"):
        write_weight_file(ctx, read_program(module), tmp_path / "none" / "w")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "this is not a weight file"),
        (b"x" * 64, "this is not a weight file"),
        (
            b"\x89ADW\r\n\x1a\n" + b"\x04\x03\x02\x01\x07" + bytes(51),
            "format version 7, expected 1",
        ),
        (
            b"\x89ADW\r\n\x1a\n" + b"\x04\x03\x02\x01\x01" + bytes(43) + b"\x01" + bytes(7),
            "the end of its header is not zero",
        ),
    ],
)
def test_header_that_is_none(data: bytes, message: str) -> None:
    with pytest.raises(UserError, match=message):
        WeightFileHeader.unpack(data)
