"""How seldom Python's collector of cycles works."""

from __future__ import annotations

import atexit
import gc

_NEW_OBJECTS = 200_000  # some 20 MB; Python's own 700 or 2,000 fit programs that keep little


def collect_seldom() -> None:
    """Look for garbage only after many new objects, and not when the process ends.

    The IR of a network is a large number of objects that live to the end. Collections would take a
    twelfth of a compilation and free little, those at the end another tenth. The system takes the
    memory of a process back as a whole.
    """
    gc.set_threshold(_NEW_OBJECTS, 20, 50)
    atexit.register(gc.freeze)
