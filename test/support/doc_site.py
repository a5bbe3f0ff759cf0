"""Builds the pages as a site with search, in build/site/html: run as a program, from any folder.

MkDocs reads one folder of pages. This copies the pages there, with the files that they link to, so
that a link means the same as in the repository. A link to a folder becomes its text.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from documents import PAGES, ROOT

BUILT_IN = ROOT
"""The folder of ``mkdocs.yml``, below which pages are staged and the site is built."""

_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def stage(folder: Path, pages: list[str]) -> None:
    """Copy pages into a folder, with the files that they link to or show."""
    for name in pages:
        source = ROOT / name

        def link(match: re.Match[str], place: Path = source.parent) -> str:
            target = place / match[2]
            if target.is_dir():
                return match[1]
            if target.is_file() and target.suffix != ".md":
                _copy(target, folder)
            return match[0]

        text = _LINK.sub(link, source.read_text(encoding="utf-8"))
        for picture in re.findall(r'(?:src|srcset)="([^":]+)"', text):
            _copy(source.parent / picture, folder)
        page = folder / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")


def _copy(file: Path, folder: Path) -> None:
    place = folder / file.resolve().relative_to(ROOT)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, place)


def build() -> subprocess.CompletedProcess[str]:
    """Build the site from the staged pages; a broken link or anchor is an error."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=BUILT_IN, capture_output=True, text=True, env=quiet)


if __name__ == "__main__":
    shutil.rmtree(ROOT / "build" / "site", ignore_errors=True)
    stage(ROOT / "build" / "site" / "pages", PAGES)
    done = build()
    if done.returncode != 0:
        print(done.stdout + done.stderr, end="", file=sys.stderr)
    sys.exit(done.returncode)
