"""Values of options that the command lines of the suite share."""

from __future__ import annotations

import argparse


def words(text: str) -> list[str]:
    """Read words with commas between them."""
    return [word for word in text.split(",") if word]


def positive(text: str) -> int:
    """Read a number from 1 on."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"a number from 1 on, found '{text}'")
    return number


def positives(text: str) -> list[int]:
    """Read numbers from 1 on with commas between them."""
    return [positive(part) for part in text.split(",")]
