"""Run ONNX's node tests at a level; ends with 1 where a result is wrong or the compiler breaks."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from node_tests import Kind, Outcome, node_tests, run_tests

REASON = 90
"""How much of a refusal is shown."""


def main() -> int:
    arguments = _arguments()
    tests = [test for test in node_tests() if arguments.keyword in test.name]
    start = time.monotonic()
    found: dict[str, Outcome] = {}
    for name, outcome in run_tests(tests, arguments.level, arguments.jobs):
        found[name] = outcome
        if outcome.is_defect:
            print(f"{outcome.kind:9}  {name}: {outcome.detail}", flush=True)
    if arguments.refused:
        for name, outcome in sorted(found.items()):
            if outcome.kind is Kind.REFUSED:
                print(f"{outcome.kind:9}  {name}: {outcome.detail[:REASON]}")
    counts = Counter(outcome.kind for outcome in found.values())
    print(f"\nONNX's node tests at -O{arguments.level}, {time.monotonic() - start:.0f} s")
    for kind in Kind:
        print(f"{kind:10}{counts[kind]:6}")
    print(f"{'all':10}{len(found):6}")
    return int(len(found) != len(tests) or any(outcome.is_defect for outcome in found.values()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", type=int, choices=range(4), default=2, help="level of -O")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("-k", "--keyword", default="", help="only tests with this in their name")
    parser.add_argument("--refused", action="store_true", help="list what is refused, and why")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
