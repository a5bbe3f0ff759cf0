"""The priority by which a process runs before all others on its cores."""

from __future__ import annotations

import os
import threading
from pathlib import Path

_PRIORITY = 20


def take_real_time() -> None:
    """Give real-time priority to all threads that this process has; raises ``OSError``."""
    for thread in Path("/proc/self/task").iterdir():
        _take(int(thread.name))


def check_real_time() -> None:
    """Raise ``ValueError`` where the system does not give real-time priority to this account."""
    if not hasattr(os, "sched_setscheduler"):
        raise ValueError("--real-time needs Linux, whose threads have such a priority")
    refused: list[OSError] = []

    def attempt() -> None:
        try:
            _take(0)
        except OSError as error:
            refused.append(error)

    # A thread that takes it and ends leaves the others, and all that they start, as they were.
    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    if refused:
        reason = f"{refused[0].strerror}".lower()
        raise ValueError(
            f"--real-time is not given here ({reason}): run as root, on a system that gives "
            "real-time priority, or measure without it"
        )


def _take(thread: int) -> None:
    os.sched_setscheduler(thread, os.SCHED_FIFO, os.sched_param(_PRIORITY))
