"""For how many tiles there is memory: the rule, by which the points of a tile lie apart.

A transform writes or reads all points of a tile, which lie as far apart as all tiles of a point
take. Where that is a multiple of many powers of two, their lines share few sets of the first-level
cache, and replace each other. Then memory for some more tiles, which nothing reads, sets the points
apart.
"""

from __future__ import annotations

from math import gcd

from autodeploy.machine import Machine

MOST_ADDED = 3
"""The most tiles by which memory is larger."""


def stored_tiles(machine: Machine, tiles: int, points: int, tile_bytes: int) -> int:
    """Return for how many tiles there is memory where ``tiles`` are computed.

    Each of the ``points`` of a tile takes ``tile_bytes``. It is the least number for which no set
    gets more lines than it has ways, or else for which it gets the fewest.
    """
    ways = machine.l1_bytes // machine.costs.set_bytes
    choices = range(tiles, tiles + MOST_ADDED + 1)
    lines = {n: _lines_of_set(machine, points, n * tile_bytes) for n in choices}
    return min(choices, key=lambda n: (max(lines[n], ways), n))


def _lines_of_set(machine: Machine, count: int, apart: int) -> int:
    """Return how many of ``count`` lines share a set that lie ``apart`` bytes apart."""
    set_bytes = machine.costs.set_bytes
    reached = set_bytes // gcd(apart, set_bytes)
    # Lines of addresses within one line are those of a set that lies beside it.
    return -(-count // min(reached, max(set_bytes // machine.line_bytes, 1)))
