"""Run the networks of `make bench` on a device, such as opencl, or give their kernels to ptxas.

`run.py opencl` prints a row of a table for each network, and ends with 1 if one is wrong: if an
output is, if more than 2 % of the kernels are on the processor, or if a value is copied twice in a
direction. `run.py cuda-sm_80` ends with 1 if the values of a kernel do not fit into registers.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from networks import placed, registers

from autodeploy.machine.devices import DEVICES
from benchmarks.models import MissingGraphError, choose, provide, read_catalogue

MADE = Path("build") / "bench" / "models"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("device", choices=DEVICES)
    parser.add_argument("names", nargs="*", default=["all"], help="networks, or groups of them")
    arguments = parser.parse_args()
    catalogue, wrong = read_catalogue(), 0
    for name in choose(catalogue, arguments.names):
        start = time.monotonic()
        try:
            model = provide(name, catalogue[name], MADE)
        except MissingGraphError as missing:
            print(f"{name}: left out, {missing}", flush=True)
            continue
        with TemporaryDirectory() as folder:
            if DEVICES[arguments.device].api == "cuda":
                architecture = arguments.device.partition("-")[2] or "sm_75"
                count, spilled = registers(model, arguments.device, architecture, Path(folder, "b"))
                said = f"{count} | {spilled}"
                wrong += spilled > 0
            else:
                found = placed(model, arguments.device, Path(folder, "b"))
                said = (
                    f"{found.on_device} of {found.kernels} | {found.to_device} | "
                    f"{found.from_device} | {found.error:.1e}"
                )
                wrong += not found.is_right
        print(f"| {name} | {said} |  {time.monotonic() - start:.0f} s", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
