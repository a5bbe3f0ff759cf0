"""A worker with a defect: ``python odd_worker.py DEFECT ARGUMENTS…`` is ``autodeploy worker``.

``slow``: programs take longer and say that they took ten times as long; ``wrong``: results
differ; ``dying``: the process is killed by its third program; ``sound``: none.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from autodeploy.runner import in_turn, main
from autodeploy.runner.program import Job, perform

DEFECT = sys.argv[1]

done = 0


def odd_perform(job: Job, files, folder: Path) -> tuple[str, dict[str, bytes]]:
    """Run a job as ``perform`` does, with the defect."""
    global done
    done += 1
    if DEFECT == "dying" and done == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    printed, results = perform(job, files, folder)
    if DEFECT == "slow" and not printed.startswith("calls"):
        time.sleep(0.2)
        printed = "".join(f"{10 * float(line):.9e}\n" for line in printed.split())
    if DEFECT == "wrong":
        results = {name: bytes(255 - byte for byte in data) for name, data in results.items()}
    return printed, results


in_turn.perform = odd_perform

if __name__ == "__main__":
    main.main(sys.argv[2:])
