"""Run networks on a device, such as opencl, or give their kernels to ptxas.

The networks are those of `make bench` and, as the group `published`, those of the shared data.
`run.py opencl` prints a row of a table for each network, and ends with 1 if one is wrong: if an
output is, if more than 2 % of the kernels that are in no loop and no choice are on the processor,
or if a value is copied twice in a direction. `run.py cuda-sm_80` ends with 1 if the values of a
kernel of `make bench` do not fit into registers.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from networks import placed, placed_published, registers
from published import PUBLISHED
from shared_data import ROOT

from autodeploy.machine.devices import DEVICES
from benchmarks.models import MissingGraphError, choose, provide, read_catalogue

MADE = Path("build") / "bench" / "models"
GROUP = "published"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("device", choices=DEVICES)
    parser.add_argument("names", nargs="*", help="networks, or groups of them; else all")
    arguments = parser.parse_args()
    wrong = 0
    for name in _chosen(arguments.names or ["all", GROUP]):
        start = time.monotonic()
        with TemporaryDirectory() as folder:
            try:
                said, is_right = _row(name, arguments.device, Path(folder, "b"))
            except MissingGraphError as missing:
                print(f"{name}: left out, {missing}", flush=True)
                continue
        wrong += not is_right
        print(f"| {name} | {said} |  {time.monotonic() - start:.0f} s", flush=True)
    return int(wrong > 0)


def _chosen(names: Sequence[str]) -> Iterator[str]:
    """Yield the networks of names and groups, those of ``make bench`` first."""
    others = [name for name in names if name != GROUP and name not in PUBLISHED]
    yield from choose(read_catalogue(), others) if others else ()
    yield from (name for name in PUBLISHED if name in names or GROUP in names)


def _row(name: str, device: str, folder: Path) -> tuple[str, bool]:
    """Return what is said of a network, and whether it is right."""
    if name in PUBLISHED:
        path = ROOT / PUBLISHED[name].file
        if not path.exists():
            raise MissingGraphError(f"there is no {path}")
        found = placed_published(PUBLISHED[name], path, device, folder)
    else:
        model = provide(name, read_catalogue()[name], MADE)
        if DEVICES[device].api == "cuda":
            architecture = device.partition("-")[2] or "sm_75"
            count, spilled = registers(model, device, architecture, folder)
            return f"{count} | {spilled}", spilled == 0
        found = placed(model, device, folder)
    said = f"{found.on_device} of {found.kernels} | {found.to_device} | {found.from_device}"
    return f"{said} | {found.error:.1e}", found.is_right


if __name__ == "__main__":
    sys.exit(main())
