"""Where a func is computed: in the innermost loop of the output with which it changes."""

from __future__ import annotations

from collections.abc import Sequence, Set

from autodeploy.templates.view import PipelineView


def place_within(
    view: PipelineView, read_by: Sequence[Set[int | None]], row: int | None = None
) -> int | None:
    """Return the dimension of the output in whose loop a func is computed, None for none of them.

    ``read_by`` are the dimensions with which the func changes. Within any other loop each iteration
    would compute it again. ``row`` is the innermost dimension, which is computed as a whole.
    """
    needed = sorted({d for dimensions in read_by for d in dimensions if d is not None})
    idle = [
        d for d, extent in enumerate(view.extents) if extent > 1 and d != row and d not in needed
    ]
    for dimension in needed:
        if all(other < dimension for other in idle):
            return dimension
    return None
