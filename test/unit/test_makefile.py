"""The choice of a Python by the Makefile."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

WRONG = "python 3.11, 3.12 or 3.13 with venv is needed; give it with: make PYTHON=python3.13"


def make(*words: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run make as from a shell, also where make runs these tests."""
    outer = ("MAKELEVEL", "MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES")
    environment = {name: value for name, value in os.environ.items() if name not in outer}
    environment |= {} if path is None else {"PATH": path}
    return subprocess.run(
        ["/usr/bin/make", "-C", ROOT, "--no-print-directory", *words],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def python_that_is(version: str, folder: Path, name: str) -> None:
    """Write a Python of another version, as far as the Makefile asks."""
    file = folder / name
    code = f"import sys; sys.version_info = {version}; exec(sys.argv[1])"
    file.write_text(f'#!/bin/sh\n[ "$1" = -c ] && exec {sys.executable} -c "{code}" "$2"\n')
    file.chmod(0o755)


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        ({"python3": "(3, 11)", "python3.12": "(3, 12)"}, "python3.12"),
        ({"python3": "(3, 13)", "python3.13": "(3, 14)"}, "python3"),
        ({"python3": "(3, 14)", "python3.11": "(3, 11)"}, "python3.11"),
        ({"python3": "(3, 14)"}, None),
        ({"python3": "(3, 10)"}, None),
        ({}, None),
    ],
)
def test_the_newest_python_with_wheels_is_chosen(
    tmp_path: Path, there: dict[str, str], chosen: str | None
) -> None:
    for name, version in there.items():
        python_that_is(version, tmp_path, name)
    for tool in ("sh", "touch", "echo", "test"):
        (tmp_path / tool).symlink_to(f"/bin/{tool}")
    venv = f"VENV={tmp_path / 'venv'}"
    if chosen is None:
        done = make("setup", venv, path=str(tmp_path))
        assert done.returncode and done.stderr.startswith(f"{WRONG}\nmake: ***")
    else:
        done = make("-n", "setup", venv, path=str(tmp_path))
        assert f"\n{chosen} -m venv {tmp_path / 'venv'}\n" in done.stdout


def test_the_demo_needs_no_packages_of_tests(tmp_path: Path) -> None:
    stamp = f"SMALL={tmp_path / 'stamp'}"
    plan = make("-n", f"VENV={tmp_path / 'venv'}", stamp, tmp_path / "stamp").stdout
    assert "--editable .\n" in plan and "[test]" not in plan
