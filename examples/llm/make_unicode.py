"""Write unicode_ranges.h: the code points that are letters and numbers, for the tokenizer."""

from __future__ import annotations

import unicodedata
from itertools import groupby
from pathlib import Path

PER_LINE = 5
LAST = 0x10FFFF


def ranges(kind: str) -> list[tuple[int, int]]:
    """Return the first and the last code point of each run whose category begins so."""
    points = (point for point in range(LAST + 1) if unicodedata.category(chr(point))[0] == kind)
    found: list[tuple[int, int]] = []
    for _, run in groupby(enumerate(points), lambda pair: pair[1] - pair[0]):
        own = [point for _, point in run]
        found.append((own[0], own[-1]))
    return found


def table(name: str, kind: str) -> str:
    """Return the table of a kind in C."""
    entries = [f"{{0x{first:x}, 0x{last:x}}}" for first, last in ranges(kind)]
    lines = [
        f"    {', '.join(entries[start : start + PER_LINE])},"
        for start in range(0, len(entries), PER_LINE)
    ]
    return "\n".join([f"static const unicode_range {name}[] = {{", *lines, "};"])


TEXT = f"""\
/* Code points that are letters and numbers in Unicode {unicodedata.unidata_version}, by \
make_unicode.py. */
#ifndef UNICODE_RANGES_H
#define UNICODE_RANGES_H

typedef struct {{
    unsigned first, last;
}} unicode_range;

{table("letters", "L")}

{table("numbers", "N")}

#endif
"""

if __name__ == "__main__":
    Path(__file__).with_name("unicode_ranges.h").write_text(TEXT, encoding="utf-8")
