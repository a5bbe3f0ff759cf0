"""Run ONNX's own suite at a level.

Ends with 1 where a result is wrong, the compiler breaks, or it refuses other tests than the table
says. A run of all tests writes what `make docs` says of operators, as one with --record does.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

import onnx
from refusals import given_values, record, refusals, unexpected
from suite import Kind, Outcome, element_name, operators_tested, run_tests, suite_tests

RESULTS = Path(__file__).parents[2] / "docs" / "conformance.json"
"""Passes, tests and element types by operator."""


def main() -> int:
    arguments = _arguments()
    listed = {**refusals(), **given_values()}
    tests = {
        name: test
        for name, test in suite_tests().items()
        if arguments.keyword in name and (name in listed or not arguments.listed)
    }
    start = time.monotonic()
    found: dict[str, Outcome] = {}
    run = (list(tests.values()), arguments.level, arguments.jobs, arguments.machine)
    for name, outcome in run_tests(*run):
        found[name] = outcome
        if outcome.is_defect:
            print(f"{outcome.kind:9}  {name}: {outcome.detail}", flush=True)
    if arguments.record:
        record(found)
    wrong = unexpected(found, refusals(), given_values())
    for name, reason in sorted(wrong.items()):
        if not found[name].is_defect:
            print(f"{name}: {reason}")
    counts = Counter(outcome.kind for outcome in found.values())
    seconds = time.monotonic() - start
    print(f"\nONNX's suite at -O{arguments.level} for {arguments.machine}, {seconds:.0f} s")
    for kind in Kind:
        print(f"{kind:10}{counts[kind]:6}")
    print(f"{'all':10}{len(found):6}")
    if len(tests) == len(suite_tests()):
        gone = sorted({*refusals(), *given_values()} - set(tests))
        for name in gone:
            print(f"{name}: the table lists it, and the suite has no such test")
        wrong = {**wrong, **dict.fromkeys(gone, "")}
    is_whole = len(tests) == len(suite_tests()) and arguments.machine == "host"
    if not wrong and (arguments.record or is_whole):
        _write_results()
    return int(bool(wrong))


def _write_results() -> None:
    """Write what the table says of all tests, which it was compared with."""
    listed = refusals()
    operators: dict[str, tuple[Counter[bool], set[str]]] = {}
    for name, test in suite_tests().items():
        for operator in operators_tested(test):
            counts, types = operators.setdefault(operator, (Counter(), set()))
            counts[name not in listed] += 1
            if name not in listed:
                types.add(element_name(test.recorded().model))
    rows = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps([counts[True], counts.total(), sorted(types)])}"
        for name, (counts, types) in sorted(operators.items())
    )
    RESULTS.write_text(f'{{\n "onnx": "{onnx.__version__}",\n "operators": {{\n{rows}\n }}\n}}\n')


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", type=int, choices=range(4), default=2, help="level of -O")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--machine", default="host", help="such as host:device=opencl")
    parser.add_argument("-k", "--keyword", default="", help="only tests with this in their name")
    parser.add_argument("--listed", action="store_true", help="only tests that the table lists")
    parser.add_argument(
        "--record", action="store_true", help="bring the table of refusals up to date"
    )
    arguments = parser.parse_args()
    if arguments.record and arguments.machine != "host":
        parser.error("the table is that of machine 'host'")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
