"""The threshold of Python's collector of cycles."""

from __future__ import annotations

import gc

_NEW_OBJECTS = 200_000  # some 20 MB; Python's own 700 or 2,000 fit programs that keep little


def raise_gc_threshold() -> None:
    """Look for garbage only after many new objects.

    The IR of a network is a large number of objects that live to the end. Collections would take a
    twelfth of a compilation and free little.
    """
    gc.set_threshold(_NEW_OBJECTS, 20, 50)
