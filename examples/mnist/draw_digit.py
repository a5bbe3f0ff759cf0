"""Show a 28x28 digit in the terminal, and write it as the raw input of the compiled program."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

SIDE = 28
SHADES = " ░▒▓█"


class DigitError(Exception):
    """The file does not hold a 28x28 digit."""


def read_digit(path: Path) -> NDArray[np.float32]:
    """The digit in a picture (any mode), or in a file of 784 raw f32, as (28, 28) f32 in 0..1.

    A file of exactly 3,136 bytes without a picture's header is taken as raw little-endian f32.
    Raises DigitError where it is neither or has another size.
    """
    try:
        with Image.open(path) as picture:
            if picture.size != (SIDE, SIDE):
                raise DigitError(f"{path} is {picture.width}x{picture.height}, expected 28x28")
            if picture.mode.startswith("I"):  # 16 bits, which Pillow would clip to 8
                return np.asarray(picture, np.float32) / np.float32(65535)
            return np.asarray(picture.convert("L"), np.float32) / np.float32(255)
    except UnidentifiedImageError:
        raw = path.read_bytes()
    except OSError as error:
        raise DigitError(f"cannot read {path}: {error}") from None
    if len(raw) != SIDE * SIDE * 4:
        raise DigitError(f"{path} has {len(raw)} bytes, expected a picture or 784 f32 (3136 bytes)")
    return np.frombuffer(raw, "<f4").reshape(SIDE, SIDE)


def draw(pixels: NDArray[Any]) -> str:
    """Pixels (H, W) in 0..1 as H lines of shaded blocks, two columns wide so that they are square.

    Values outside of 0..1 are drawn as the nearest shade.
    """
    levels = np.rint(np.clip(np.nan_to_num(pixels), 0, 1) * (len(SHADES) - 1)).astype(int)
    return "\n".join("".join(SHADES[level] * 2 for level in row).rstrip() for row in levels)


def main() -> None:
    """Draw the digit named on the command line, and write it raw where that is asked for."""
    cli = argparse.ArgumentParser(description=__doc__)
    cli.add_argument("digit", type=Path, help="28x28 picture, or a file of 784 raw f32")
    cli.add_argument("--raw", type=Path, metavar="FILE", help="write 784 little-endian f32 in 0..1")
    options = cli.parse_args()
    try:
        pixels = read_digit(options.digit)
        print(draw(pixels))
        if options.raw is not None:
            options.raw.write_bytes(pixels.astype("<f4").tobytes())
    except (DigitError, OSError) as error:
        cli.error(str(error))


if __name__ == "__main__":
    main()
