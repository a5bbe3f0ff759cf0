"""Networks of pages in Node, on WebGPU by its package ``webgpu``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from autodeploy.codegen.bundle.manifest import Manifest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "build" / "node" / "node_modules" / "webgpu"
"""Where ``npm install --prefix build/node webgpu`` puts the package."""

_CHROMIUM = Path("/usr/lib/chromium")
_SWIFTSHADER = _CHROMIUM / "vk_swiftshader_icd.json"
"""A Vulkan for processors; Debian's package chromium has it and the loader, ``libvulkan.so.1``."""

_RUNNER = Path(__file__).with_name("run_pages.mjs")

needs_webgpu = pytest.mark.skipif(
    shutil.which("node") is None or not PACKAGE.is_dir() or not _SWIFTSHADER.is_file(),
    reason="Node has no WebGPU here; `npm install --prefix build/node webgpu` and Debian's package "
    "chromium are one",
)


@dataclass(frozen=True)
class Page:
    """What a network of a page computes in Node, run by run, and what it says.

    ``error`` is the first one, ``closed`` that of a run after the session is closed. ``reason`` is
    why it is not WebGPU.
    """

    outputs: Sequence[Mapping[str, np.ndarray]]
    device: str
    error: str
    closed: str
    reason: str = ""


def run_pages(
    runs: Sequence[tuple[Path, Sequence[Mapping[str, np.ndarray]]]],
    folder: Path,
    options: Mapping[str, object] | None = None,
    seconds: float | None = None,
) -> list[Page]:
    """Run bundles on inputs, all in one process, and return the results.

    ``options`` are further ones of ``open``, such as ``gpu`` without value for no WebGPU. Without
    the package there is none either. It all may take ``seconds``.
    """
    jobs: list[dict[str, object]] = []
    for number, (bundle, feeds) in enumerate(runs):
        place = folder / f"runs{number}"
        place.mkdir(parents=True)
        manifest = Manifest.load(bundle)
        for count, feed in enumerate(feeds):
            for index, entry in enumerate(manifest.inputs):
                if (given := feed.get(entry.name)) is not None:
                    given.astype(entry.dtype).tofile(place / f"{count}.{index}.bin")
        job = {"folder": str(bundle), "module": manifest.prefix, "runs": str(place)}
        jobs.append(job | {"count": len(feeds)} | {"options": options or {}})
    listed = folder / "jobs.json"
    listed.write_text(json.dumps(jobs))
    libraries = os.pathsep.join(filter(None, (os.environ.get("LD_LIBRARY_PATH"), str(_CHROMIUM))))
    variables = {
        **os.environ,
        "VK_DRIVER_FILES": str(_SWIFTSHADER),
        "LD_LIBRARY_PATH": libraries,
    }
    package = str(PACKAGE) if PACKAGE.is_dir() else ""
    command = ["node", str(_RUNNER), package, str(listed)]
    done = subprocess.run(
        command, env=variables, capture_output=True, text=True, check=False, timeout=seconds
    )
    assert done.returncode == 0, done.stderr
    return [
        _result(bundle, folder / f"runs{number}", len(feeds))
        for number, (bundle, feeds) in enumerate(runs)
    ]


def _result(bundle: Path, place: Path, count: int) -> Page:
    said = json.loads((place / "said.json").read_text())
    outputs: list[dict[str, np.ndarray]] = []
    for run in range(0 if said["errors"] else count):
        outputs.append({})
        for index, entry in enumerate(Manifest.load(bundle).outputs):
            found = np.fromfile(place / f"{run}.{index}.out", entry.dtype)
            outputs[-1][entry.name] = found.reshape(entry.shape)
    error = " ".join(said["errors"])
    return Page(
        outputs, said.get("device", ""), error, said.get("closed", ""), said.get("reason", "")
    )
