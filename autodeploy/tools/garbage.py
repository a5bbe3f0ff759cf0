"""How often a process looks for garbage in cycles."""

from __future__ import annotations

import gc

_NEW_OBJECTS = 200_000  # some 20 MB; Python's own 700 or 2,000 fit programs that keep little


def collect_seldom() -> None:
    """Look for garbage only after many new objects.

    The IR of a network is a large number of objects that live to the end: looking through them
    again and again takes about a twelfth of a compilation and finds next to nothing.
    """
    gc.set_threshold(_NEW_OBJECTS, 20, 50)
