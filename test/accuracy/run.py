"""Measure the error of all functions of one operand, and write the table of docs/floats.md.

Ends with 1 where an error is beyond its limit.
"""

from __future__ import annotations

import sys
from pathlib import Path

import ml_dtypes
import numpy as np
from functions_of_one import EXACT, FUNCTIONS, TYPES, errors, exact, limit, model, points

import autodeploy

PAGE = Path(__file__).parents[2] / "docs" / "floats.md"
HEAD = "| function | float32 | float64 | float16, units | bfloat16, units |"
DENSITY = float(sys.argv[1]) if len(sys.argv) > 1 else 4.0
"""Numbers between a power of two and the next one."""


LEVELS = [int(level) for level in sys.argv[2:]] or [2]


def main() -> int:
    """Measure, and write the largest error of each function and type."""
    cells: dict[str, list[str]] = {f.name: [] for f in FUNCTIONS if f.op_type not in EXACT}
    failed = False
    for type_ in TYPES:
        x = points(type_, DENSITY)
        off = np.zeros((len(FUNCTIONS), len(x)))
        values = [exact(function, x) for function in FUNCTIONS]
        for level in LEVELS:
            results = autodeploy.compile(model(type_, len(x)), level=level).run({"x": x})
            found = [results[f"y{k}"] for k in range(len(FUNCTIONS))]
            here = [errors(f, y, v) for f, y, v in zip(FUNCTIONS, found, values, strict=True)]
            off = np.maximum(off, here)
            print(f"{type_}: level {level}: {len(x)} numbers", flush=True)
        for function, row in zip(FUNCTIONS, off, strict=True):
            worst = int(np.argmax(row))
            failed |= bool(row[worst] > limit(function, type_))
            if function.name in cells:
                half = ml_dtypes.finfo(x.dtype).bits == 16
                error = f"{row[worst]:.2f}" if half else f"{row[worst]:.1e}"
                cells[function.name].append(f"{error} at {float(x[worst]):.4g}")
    rows = [f"| {name} | {' | '.join(row)} |" for name, row in cells.items()]
    _write("\n".join([HEAD, "|---|---|---|---|---|", *rows]))
    return int(failed)


def _write(table: str) -> None:
    """Put a table in the place of the one in the page."""
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(HEAD)
    end = text.index("\n\n", start)
    PAGE.write_text(text[:start] + table + text[end:], encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
