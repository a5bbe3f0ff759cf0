"""For how many rows of a convolution its image is padded, or computed, at a time: the rule.

As a whole it is made by one thread, before all else; in bands by all of them, and rows between two
bands twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from autodeploy.machine import Machine

COPIED_SHARE = 0.3
"""A copy of more than this part of the second-level cache does not stay there."""

KEPT_SHARE = 0.6
"""Nor does a filter that takes more than this part of it together with a copy."""

NO_MORE = 1.015
"""How many times as long as the best height of a band one may take that needs less memory."""

FILTER_RATE = 2
"""How many times as fast a filter comes from a further cache as an image: it is one stream."""

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


@dataclass(frozen=True)
class CopiedRows:
    """What it costs to compute all groups of an image whose rows are copied first."""

    height: int
    """Rows of the result."""
    row_bytes: int
    """Bytes of a row of the image."""
    step: int
    """Rows of the image from a row of the result to the next one."""
    read: int
    """Rows of the image that a row of the result reads."""
    row_cycles: float
    """Cycles of the sums of a row."""
    start_cycles: float
    """Cycles that the loops of a band take to start, those of all groups."""
    copied_bytes_per_cycle: float
    """Bytes of a copy a cycle, of one that stays near."""
    filter_bytes: int
    fetched_rows: int = 0
    """The fewest rows of a band in which the filter is fetched ahead; 0 where it never is."""

    def band_cycles(self, machine: Machine, rows: int) -> float:
        """Return the cycles of a band of ``rows`` rows, but for those of the filter.

        A copy that does not stay in the second-level cache goes out to the next one and comes back.
        """
        copied = self._copied(rows)
        cycles = rows * self.row_cycles + self.start_cycles
        cycles += copied / self.copied_bytes_per_cycle
        if copied > machine.l2_bytes * COPIED_SHARE:
            cycles += 2 * copied / machine.costs.beyond_l2_wait_bytes_per_cycle
        return cycles

    def filter_cycles(self, machine: Machine, rows: int, bands: int) -> float:
        """Return the cycles in which the filter comes to a core that computes several bands.

        It comes for each band where it does not stay beside a copy. Where it is fetched ahead, no
        one waits for it.
        """
        if 0 < self.fetched_rows <= rows:
            return 0
        kept = self._copied(rows) + self.filter_bytes <= machine.l2_bytes * KEPT_SHARE
        cycles = self.filter_bytes / (machine.costs.beyond_l2_bytes_per_cycle * FILTER_RATE)
        return cycles if kept else cycles * bands

    def _copied(self, rows: int) -> int:
        return ((rows - 1) * self.step + self.read) * self.row_bytes


def group_rows(machine: Machine, image: CopiedRows, *, shared: bool) -> int:
    """Return for how many rows of the result the image of groups is copied at a time; 0 for all.

    All groups of a band are computed while its copy stays near. Cores share bands where they share
    the kernel. The lowest height is taken with which the busiest core takes no more than
    ``NO_MORE`` times as long as with any other.
    """
    height = image.height
    cores = machine.cores if shared and height >= machine.cores else 1
    if cores == 1 and shared:
        return 0
    heights = range(1, -(-height // cores) + 1)
    cycles = {rows: _busiest_cycles(machine, image, rows, cores) for rows in heights}
    most = min(cycles.values()) * NO_MORE
    rows = next(rows for rows in heights if cycles[rows] <= most)
    return 0 if rows == height else rows


def _busiest_cycles(machine: Machine, image: CopiedRows, rows: int, cores: int) -> float:
    """Return the cycles of the core that has most to do: it begins with bands side by side.

    A last band that is not full ends early where cores share bands, else it moves inwards.
    """
    bands = -(-image.height // rows)
    whole = image.band_cycles(machine, rows)
    last = image.band_cycles(machine, image.height - (bands - 1) * rows) if cores > 1 else whole
    ends = [bands * (core + 1) // cores for core in range(cores)]
    return max(
        image.filter_cycles(machine, rows, end - start)
        + (end - start) * whole
        + (last - whole) * (end == bands)
        for start, end in pairwise([0, *ends])
    )


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
