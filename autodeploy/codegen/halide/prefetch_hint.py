"""Choose the cache to which prefetches fetch, which Halide does not let choose.

Halide 21 emits ``prefetchnta`` on x86, which passes by the second-level cache. What is fetched here
is read several times, and later than the first-level cache keeps it. The instructions differ in
three bits: 0F 18 /0 is ``prefetchnta``, 0F 18 /2 ``prefetcht1`` (Intel 64 and IA-32 Architectures
Software Developer's Manual, volume 2B).
"""

from __future__ import annotations

import re

_OPCODE = re.compile(rb"\x0f\x18[\x00-\x07\x40-\x47\x80-\x87]")
"""Opcode and ModRM byte of ``prefetchnta`` with an operand in memory."""

_MNEMONIC = re.compile(r"^\s+prefetchnta\b", re.MULTILINE)

_T1 = 2 << 3


def fetch_to_second_level(code: bytes, assembly: str) -> bytes | None:
    """Return an object file with a ``prefetcht1`` for each ``prefetchnta``.

    ``assembly`` is the listing of the same code. ``None`` where it has fewer of them than
    the file has bytes that look like one: data or a displacement may look so by chance.
    """
    found = [match.end() - 1 for match in _OPCODE.finditer(code)]
    if len(found) != len(_MNEMONIC.findall(assembly)):
        return None
    patched = bytearray(code)
    for position in found:
        patched[position] |= _T1
    return bytes(patched)
