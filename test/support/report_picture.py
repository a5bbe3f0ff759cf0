"""Draws the upper part of a report, light and dark: ``report_picture.py REPORT.html FOLDER``."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from PIL import Image

SIZE = (1000, 1060)
COLOURS = 128


def draw(page: Path, folder: Path, scheme: str) -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("there is no browser; install the package chromium")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder.resolve() / f"report-{scheme}.png"
    words = [
        *("--headless", "--disable-gpu", "--hide-scrollbars", f"--screenshot={file}"),
        f"--window-size={SIZE[0]},{SIZE[1]}",
        f"--blink-settings=preferredColorScheme={int(scheme == 'light')}",
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
    ]
    subprocess.run([browser, *words, page.resolve().as_uri()], check=True, capture_output=True)
    with Image.open(file) as image:
        image.convert("RGB").quantize(COLOURS).save(file, optimize=True)


if __name__ == "__main__":
    for name in ("light", "dark"):
        draw(Path(sys.argv[1]), Path(sys.argv[2]), name)
