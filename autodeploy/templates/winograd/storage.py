"""For how many tiles there is memory: the rule, by which the points of a tile lie apart.

A transform writes or reads all points of a tile, which lie as far apart as all tiles of a point
take. Where that is a multiple of many powers of two, their lines share few sets of the first-level
cache, and replace each other. Then memory for some more tiles, which nothing reads, sets the points
apart.
"""

from __future__ import annotations

from autodeploy.machine import Machine
from autodeploy.templates.cache_sets import l1_ways, lines_of_set

MOST_ADDED = 3
"""The most tiles by which memory is larger."""


def stored_tiles(machine: Machine, tiles: int, points: int, tile_bytes: int) -> int:
    """Return for how many tiles there is memory where ``tiles`` are computed.

    Each of the ``points`` of a tile takes ``tile_bytes``. It is the least number for which no set
    gets more lines than it has ways, or else for which it gets the fewest.
    """
    ways = l1_ways(machine)
    choices = range(tiles, tiles + MOST_ADDED + 1)
    lines = {n: lines_of_set(machine, points, n * tile_bytes) for n in choices}
    return min(choices, key=lambda n: (max(lines[n], ways), n))
