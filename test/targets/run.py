"""Build and run all models for all targets, and write the table of docs/targets.md.

Ends with 1 where a step fails, or a result is wrong. A target whose tools are missing keeps no row.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ["TARGETS"] = "all"

from cross import MODELS, ROOT, TARGETS, NotHereError, Outcome, build_and_run

PAGE = ROOT / "docs" / "targets.md"
HEAD = "| machine | compiler | run by | models | largest error |"
TOLERANCE = 1e-5


def main() -> int:
    """Run what is named on the command line, or all targets."""
    failed, rows = False, [HEAD, "|---|---|---|---|---|"]
    for name in sys.argv[1:] or TARGETS:
        done: dict[str, Outcome] = {}
        try:
            for model, outcome in _outcomes(name):
                done[model] = outcome
                print(f"{name}: {model}: {outcome}", flush=True)
        except NotHereError as missing:
            print(f"{name}: skipped, {missing}", flush=True)
        except AssertionError as error:
            failed = True
            print(f"{name}: FAILED, {error}", flush=True)
        if done:
            rows.append(_row(name, done))
            failed |= any((outcome.error or 0) > TOLERANCE for outcome in done.values())
    if len(sys.argv) == 1 and not failed:
        _write("\n".join(rows))
    return int(failed)


def _outcomes(name: str) -> Iterable[tuple[str, Outcome]]:
    for model, provide in MODELS.items():
        with TemporaryDirectory() as folder:
            file = provide(Path(folder))
            if file is not None:
                yield model, build_and_run(TARGETS[name], file, Path(folder))


def _row(name: str, done: dict[str, Outcome]) -> str:
    first = next(iter(done.values()))
    errors = [outcome.error for outcome in done.values() if outcome.error is not None]
    error = f"{max(errors):.1e}" if errors else ""
    return f"| `{name}` | {first.compiler} | {first.runner} | {', '.join(done)} | {error} |"


def _write(table: str) -> None:
    """Put a table in the place of the one in the page."""
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(HEAD)
    end = text.find("\n\n", start)
    rest = text[end:] if end >= 0 else "\n"
    PAGE.write_text(text[:start] + table + rest, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
