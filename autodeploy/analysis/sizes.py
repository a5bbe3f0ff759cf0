"""Sizes of memory as people read them."""

from __future__ import annotations


def readable_bytes(count: int) -> str:
    """Return a number of bytes in units of 1000 bytes, 1000 of these, or 1000 of those."""
    size, units = float(count), ["KB", "MB", "GB"]
    unit = ""
    while size >= 999.95 and units:  # what would be rounded to 1000.0
        size, unit = size / 1000, units.pop(0)
    return f"{size:.1f} {unit}" if unit else f"{count} bytes"


def exact_bytes(count: int) -> str:
    """Return a number of bytes, followed by the same in larger units if there are many."""
    return f"{count} bytes" if count < 1000 else f"{count} bytes ({readable_bytes(count)})"
