"""For how many rows of a convolution its image is padded, or computed, at a time: the rule.

As a whole it is made by one thread, before all else; in bands by all of them, and rows between two
bands twice.
"""

from __future__ import annotations

from autodeploy.machine import Machine

PADDED_SHARE = 4
"""A padded image is small where it takes at most 1/n of the second-level cache, a core."""

BAND_ROWS = 4
"""Rows of output to a band of padded rows: the rows above and below are padded twice."""

MOST_BAND_ROWS = 2 * BAND_ROWS
"""Rows of a band at most, where another height than the usual one gives all cores as much."""


def image_rows(
    machine: Machine,
    height: int,
    image_bytes: int,
    *,
    tiles_first: bool,
    grouped: bool,
    shared: bool,
    whole: bool = False,
) -> int:
    """Return for how many of ``height`` rows of the result at a time; 0 for all of the image.

    ``tiles_first`` tells that all pixels are computed for one tile of channels, then for the next:
    because the filter is large, or because each group of a ``grouped`` convolution reads channels
    of its own, which stay in the cache for all of its tiles. ``shared`` tells that the kernel is
    worth several threads. The groups of such a kernel share bands, as other kernels share rows: the
    channels of a group would come from the others' caches. With ``whole``, bands divide the rows
    unless there is a single core.
    """
    if grouped and shared and height >= machine.cores:
        return _even_band(height, machine.cores)
    if tiles_first or height <= BAND_ROWS or _is_small(machine, image_bytes):
        return 0
    return _band_rows(machine, height, whole=whole)


def group_rows(
    machine: Machine, height: int, row_bytes: int, *, step: int, read: int, shared: bool
) -> int:
    """Return for how many rows of the result the image of groups is copied at a time; 0 for all.

    All groups of a band are computed while its copy stays in the L2 cache. ``row_bytes`` are those
    of a row of the image; a row of the result reads ``read`` of these, the next one begins ``step``
    further on. Bands are even, and a multiple of the cores where these share the kernel.
    """
    cores = machine.cores if shared and height >= machine.cores else 1
    if cores == 1 and shared:
        return 0
    most = max((machine.resident_bytes // row_bytes - read) // step + 1, 1)
    bands = -(-height // (most * cores)) * cores
    rows = -(-height // bands)
    return 0 if rows == height else rows


def _even_band(height: int, cores: int) -> int:
    """Return the rows of a band: each core computes one band or two, and all are done soonest."""
    choices = (-(-height // count) for count in (2 * cores, cores))
    return min(choices, key=lambda rows: _busiest(height, rows, cores))


def _band_rows(machine: Machine, height: int, *, whole: bool) -> int:
    """Return the rows of a band that is padded, so that all cores are done soonest; 0 for none."""
    if machine.cores == 1:
        return BAND_ROWS
    heights = range(BAND_ROWS, min(MOST_BAND_ROWS, height) + 1)
    choices = [rows for rows in heights if not whole or (height % rows == 0 and rows < height)]
    order = {rows: (_busiest(height, rows, machine.cores), rows) for rows in choices}
    return min(choices, key=order.__getitem__, default=0)


def _busiest(height: int, rows: int, cores: int) -> int:
    """Return the rows of the core that has the most, in bands of ``rows``."""
    bands = -(-height // rows)
    return -(-bands // cores) * rows


def _is_small(machine: Machine, image_bytes: int) -> bool:
    """Tell whether a padded image may be made at once, as it stays near until it is read.

    Bands make the rows between them twice. But they are made by all threads, one is not.
    """
    return image_bytes * PADDED_SHARE * machine.cores <= machine.l2_bytes
