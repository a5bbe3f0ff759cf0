"""The weight file ``<model>.weights`` that the C program reads.

Its layout and its checksum are described in ``runtime/autodeploy_weights.h``. The file is written
array by array from the weight store: no second copy of the weights is made.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from autodeploy.diagnostics import UserError, io_errors
from autodeploy.dialects.memref import ALIGNMENT, weight_bytes

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from xdsl.context import Context

    from autodeploy.codegen.c.program import Program, Weight

MAGIC = b"\x89ADW\r\n\x1a\n"
VERSION = 1
HEADER_BYTES = 64
_HEADER = struct.Struct("<8sIIQQ16sQQ")
_BYTE_ORDER_MARK = 0x01020304
_STEP = 0x9E3779B97F4A7C15
_MIX = 0xD6E8FEB86659FD93
_CHUNK_WORDS = 1 << 14


@dataclass(frozen=True)
class WeightFileHeader:
    """The first 64 bytes of a weight file; sizes in bytes."""

    data_bytes: int
    fingerprint: bytes
    checksum: int

    def pack(self) -> bytes:
        """Return the header as it is in the file."""
        return _HEADER.pack(
            MAGIC,
            _BYTE_ORDER_MARK,
            VERSION,
            HEADER_BYTES,
            self.data_bytes,
            self.fingerprint,
            self.checksum,
            0,
        )

    @classmethod
    def unpack(cls, data: bytes) -> WeightFileHeader:
        """Read a header; raises ``UserError`` if ``data`` does not begin with one."""
        if len(data) < HEADER_BYTES or not data.startswith(MAGIC):
            raise UserError("this is not a weight file of autodeploy")
        fields = _HEADER.unpack(data[:HEADER_BYTES])
        _, mark, version, _, size, fingerprint, checksum, reserved = fields
        if (mark, version) != (_BYTE_ORDER_MARK, VERSION):
            raise UserError(f"the weight file has format version {version}, expected {VERSION}")
        if reserved:
            raise UserError("the weight file is damaged: the end of its header is not zero")
        return cls(size, fingerprint, checksum)


class Checksum:
    """The checksum of a stream of bytes, given in pieces of any size.

    Every 64-bit little-endian word is mixed with its index, and the results are added modulo 2^64;
    a last piece that is no whole word is filled up with zeros. The words are counted from
    ``first_word``, so that the sums of parts add up to the sum of the whole.
    """

    def __init__(self, first_word: int = 0) -> None:
        import numpy as np

        self._sum = 0
        self._words = first_word
        self._rest = b""
        self._indices = np.arange(_CHUNK_WORDS, dtype=np.uint64) * np.uint64(_STEP)
        self._mixed = np.empty_like(self._indices)
        self._shifted = np.empty_like(self._indices)

    def update(self, data: bytes | memoryview | npt.NDArray[np.uint8]) -> None:
        """Add the bytes that follow."""
        import numpy as np

        raw = np.frombuffer(data, np.uint8) if not isinstance(data, np.ndarray) else data
        if self._rest:
            missing = min(8 - len(self._rest), raw.size)
            self._rest += raw[:missing].tobytes()
            raw = raw[missing:]
            if len(self._rest) < 8:
                return
            self._add(np.frombuffer(self._rest, "<u8"))
            self._rest = b""
        whole = raw.size // 8 * 8
        words = raw[:whole].view("<u8")
        for start in range(0, words.size, _CHUNK_WORDS):
            self._add(words[start : start + _CHUNK_WORDS])
        self._rest = raw[whole:].tobytes()

    def value(self) -> int:
        """Return the checksum of all bytes so far."""
        if not self._rest:
            return self._sum
        last = Checksum(self._words)
        last.update(self._rest.ljust(8, b"\0"))
        return (self._sum + last._sum) % 2**64

    def _add(self, words: npt.NDArray[np.uint64]) -> None:
        import numpy as np

        first = np.uint64((self._words + 1) * _STEP % 2**64)
        mixed = self._mixed[: words.size]
        shifted = self._shifted[: words.size]
        np.add(self._indices[: words.size], first, out=mixed)
        np.bitwise_xor(mixed, words, out=mixed)
        for _ in range(2):
            np.multiply(mixed, np.uint64(_MIX), out=mixed)
            np.right_shift(mixed, np.uint64(32), out=shifted)
            np.bitwise_xor(mixed, shifted, out=mixed)
        self._sum = (self._sum + int(mixed.sum(dtype=np.uint64))) % 2**64
        self._words += words.size


def write_weight_file(ctx: Context, program: Program, path: Path) -> WeightFileHeader:
    """Write the weights of a program and return the header.

    Raises ``WeightsError`` if the store of ``ctx`` lacks a weight, ``UserError`` if the file
    cannot be written.
    """
    with io_errors(f"cannot write '{path}'"), path.open("wb") as file:
        file.write(bytes(HEADER_BYTES))
        checksum = _write_data(ctx, program, file)
        header = WeightFileHeader(program.data_bytes, program.fingerprint(), checksum)
        file.seek(0)
        file.write(header.pack())
    return header


def _write_data(ctx: Context, program: Program, file: BinaryIO) -> int:
    checksum = Checksum()
    for piece in weight_pieces(ctx, program):
        file.write(piece.data)
        checksum.update(piece)
    return checksum.value()


def part_sums(ctx: Context, program: Program) -> list[int]:
    """Return the checksum of the parts of a weight file that each program of several reads.

    Raises ``WeightsError`` if the store of ``ctx`` lacks a weight.
    """
    sums: dict[int, int] = {}
    for weight in program.weights:
        checksum = Checksum(weight.offset // 8)
        checksum.update(_bytes_of(ctx, weight))
        for zeros in _zeros(weight_bytes(weight.bytes) - weight.bytes):
            checksum.update(zeros)
        sums[weight.offset] = checksum.value()
    return [
        sum(sums[offset] for offset in {weight.offset for weight in variant.weights}) % 2**64
        for variant in program.variants
    ]


def weight_pieces(ctx: Context, program: Program) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield the data of the weights in order, the zeros between them included.

    Raises ``WeightsError`` if the store of ``ctx`` lacks a weight.
    """
    at = 0
    for weight in program.weights:
        yield from _zeros(weight.offset - at)
        yield _bytes_of(ctx, weight)
        at = weight.offset + weight.bytes
    yield from _zeros(program.data_bytes - at)


def _bytes_of(ctx: Context, weight: Weight) -> npt.NDArray[np.uint8]:
    import numpy as np

    from autodeploy.weights import WeightStore, dense

    return dense(WeightStore.of(ctx).array(weight.value)).reshape(-1).view(np.uint8)


def _zeros(count: int) -> Iterator[npt.NDArray[np.uint8]]:
    import numpy as np

    block = np.zeros(min(count, 1 << 16), np.uint8)
    while count > 0:
        yield block[: min(count, block.size)]
        count -= block.size


assert _HEADER.size == HEADER_BYTES and HEADER_BYTES % ALIGNMENT == 0
