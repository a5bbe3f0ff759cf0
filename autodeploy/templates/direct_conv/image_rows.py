"""For how many rows of a convolution its image is padded, copied or computed at a time: the rule.

As a whole it is made by one thread, before all else; in bands by all of them, and rows between two
bands twice.
"""

from __future__ import annotations

from autodeploy.machine import Machine


def image_rows(
    machine: Machine,
    height: int,
    row_bytes: int,
    *,
    step: int,
    read: int,
    shared: bool,
    whole: bool = False,
) -> int:
    """Return for how many of ``height`` rows of the result at a time; 0 for all of the image.

    The rows of a band stay in the L2 cache. ``row_bytes`` are those of a row of the image; a row of
    the result reads ``read`` of these, the next one begins ``step`` further on. Bands are even, and
    a multiple of the cores where these share the kernel (``shared``). With ``whole``, bands divide
    the rows.
    """
    cores = machine.cores if shared and height >= machine.cores else 1
    if cores == 1 and shared:
        return 0
    most = max((machine.resident_bytes // max(row_bytes, 1) - read) // step + 1, 1)
    bands = -(-height // (most * cores)) * cores
    rows = -(-height // bands)
    while whole and height % rows:
        rows -= 1
    return 0 if rows == height else rows
