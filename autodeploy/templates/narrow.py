"""Weights that are narrower than the sums of their products: a kernel may widen them beforehand."""

from __future__ import annotations

from autodeploy.machine import Machine
from autodeploy.templates.view import ScheduledPipeline, element_bytes, vector_lanes

WEIGHTS = "weights"
"""The func of weights that a kernel widens."""

LEAST_TILES = 3
"""Tiles of sums of the same weights from which on it costs less to widen these beforehand."""


def place_weights(pipeline: ScheduledPipeline, machine: Machine, loop: str | None) -> None:
    """Widen weights that an iteration of a loop of the output reads; all of them without one."""
    weights = pipeline.funcs.get(WEIGHTS)
    if weights is None:
        return
    pipeline.compute_at(weights, pipeline.output, loop)
    inner, extent = weights.var_names[0], weights.known_extents[0]
    lanes = vector_lanes(extent, machine.lanes(element_bytes(weights)))
    pipeline.vectorize_row(weights, inner, extent, lanes)
