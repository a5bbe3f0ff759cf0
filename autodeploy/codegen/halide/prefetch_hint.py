"""Choose the cache to which prefetches fetch, which Halide does not let choose.

Halide 21 emits ``prefetchnta`` on x86, which bypasses L2. The lines that are prefetched here are
read several times, and later than L1 keeps them. The instructions differ in three bits: 0F 18 /0 is
``prefetchnta``, 0F 18 /2 ``prefetcht1`` (Intel 64 and IA-32 Architectures Software Developer's
Manual, volume 2B).
"""

from __future__ import annotations

import re

_OPCODE = re.compile(rb"\x0f\x18[\x00-\x07\x40-\x47\x80-\x87]")
"""Opcode and ModRM byte of ``prefetchnta`` with an operand in memory."""

_MNEMONIC = re.compile(r"^\s+prefetchnta\b(.*)$", re.MULTILINE)

_OPERAND = re.compile(r"\s+(-?\d+)?\((%\w+)(?:,(%\w+)(?:,([1248]))?)?\)")
"""An operand in memory: a displacement, a base, an index and its scale."""

_REGISTERS = ("%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi")
"""By their numbers in an operand; those of ``%r8`` and following begin again with 0."""

_INDEXED, _NO_INDEX = 4, 4
"""The code for the base of an operand with an index, and for the index of one without."""

_NEEDS_DISPLACEMENT = 5
"""The base that an operand cannot have without a displacement."""

_T1 = 2 << 3


def fetch_to_second_level(code: bytes, assembly: str) -> bytes | None:
    """Return an object file with a ``prefetcht1`` for each ``prefetchnta``.

    ``assembly`` is the listing of the same code. Data or a displacement may look like a
    ``prefetchnta`` by chance. Then those are taken that have the operands of the listing, in its
    order. ``None`` if these are not as many as the listing has.
    """
    found = [match.end() - 1 for match in _OPCODE.finditer(code)]
    listed = _MNEMONIC.findall(assembly)
    if len(found) != len(listed):
        operands = [_encoded(text) for text in listed]
        found = [i for i in found if any(o and code.startswith(o, i) for o in operands)]
        if len(found) != len(listed) or not all(
            operand and code.startswith(operand, i)
            for i, operand in zip(found, operands, strict=True)
        ):
            return None
    patched = bytearray(code)
    for position in found:
        patched[position] |= _T1
    return bytes(patched)


def _encoded(operand: str) -> bytes | None:
    """Return the bytes of an operand after the opcode of a ``prefetchnta``: ModRM, SIB,
    displacement (the same manual, volume 2A, chapter 2). ``None`` of another kind of operand."""
    match = _OPERAND.match(operand)
    if match is None:
        return None
    displacement, scale = int(match[1] or 0), int(match[4] or 1)
    base, index = _number(match[2]), _number(match[3]) if match[3] else _NO_INDEX
    if base is None or index is None:
        return None
    if displacement == 0 and base != _NEEDS_DISPLACEMENT:
        mode, tail = 0, b""
    elif -128 <= displacement <= 127:
        mode, tail = 1, displacement.to_bytes(1, "little", signed=True)
    else:
        mode, tail = 2, displacement.to_bytes(4, "little", signed=True)
    if match[3] is None and base != _INDEXED:
        return bytes([mode << 6 | base]) + tail
    sib = (scale.bit_length() - 1) << 6 | index << 3 | base
    return bytes([mode << 6 | _INDEXED, sib]) + tail


def _number(register: str) -> int | None:
    """Return the lowest three bits of the number of a register of 64 bits, which an operand has."""
    if register in _REGISTERS:
        return _REGISTERS.index(register)
    further = re.fullmatch(r"%r([89]|1[0-5])", register)
    return int(further[1]) % 8 if further else None
