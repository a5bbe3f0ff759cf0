"""The table of README.md that says what autodeploy is faster than.

``python -m benchmarks.readme`` writes it from the results that stand in docs/performance.md, whose
tables are those of ``benchmarks.run``. It stands between two comments of README.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
RESULTS = ROOT / "docs" / "performance.md"

START, END = "<!-- speed: by python -m benchmarks.readme -->", "<!-- end of speed -->"
_THREADS = ("One thread", "Two threads")
_MEAN = "geometric mean"


def block(results: str) -> str:
    """Return the table and what was measured, of the text of docs/performance.md.

    Raises ``ValueError`` where that has no such results.
    """
    tables = [_table(results, heading) for heading in _THREADS]
    rows = [f"| engine | {' | '.join(map(str.lower, _THREADS))} |", "|-|-|-|"]
    for engine in tables[0][_MEAN]:
        if engine != "autodeploy ms":
            rows.append(f"| {engine} | {' | '.join(_cell(table, engine) for table in tables)} |")
    date = _found(r"made these tables on (\d{4}-\d{2}-\d{2}), (at level \d)", results)
    machine = _found(r"^- machine: (.*? cores?)\b", results)[0]
    versions = _found(r"^- (autodeploy \d.*?)(?: \(.*)?$", results)[0]
    return "\n".join(
        (
            *rows,
            "",
            f"Measured on {date[0]}, {date[1]}, on {len(tables[0]) - 1} networks: {machine}.",
            f"{versions}.",
        )
    )


def with_block(readme: str, text: str) -> str:
    """Return README.md with another table; raises ``ValueError`` where it has no place for one."""
    start, end = readme.index(START) + len(START), readme.index(END)
    return f"{readme[:start]}\n{text}\n{readme[end:]}"


def _found(pattern: str, text: str) -> Sequence[str]:
    match = re.search(pattern, text, re.MULTILINE)
    if match is None:
        raise ValueError(f"no '{pattern}' in the results")
    return match.groups()


def _table(results: str, heading: str) -> Mapping[str, Mapping[str, str]]:
    """Return the cells of the table below a heading, by row and column."""
    (text,) = _found(rf"^### {heading}\n\n((?:\|.*\n)+)", results)
    lines = text.rstrip("\n").split("\n")
    head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines)
    return {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}


def _cell(table: Mapping[str, Mapping[str, str]], engine: str) -> str:
    """Return how many times as long an engine takes: the mean, the least and the most."""
    texts = [row[engine] for model, row in table.items() if model != _MEAN]
    ratios = [float(text) for text in texts if text != "failed"]
    return f"{table[_MEAN][engine]} ({min(ratios):.2f} to {max(ratios):.2f})"


def main() -> None:
    """Write the table."""
    text = block(RESULTS.read_text(encoding="utf-8"))
    README.write_text(with_block(README.read_text(encoding="utf-8"), text), encoding="utf-8")


if __name__ == "__main__":
    main()
