"""Hold random models and graphs against ONNX's reference, and give damaged files to the tools.

Models are operators of a table and chains, graphs have subgraphs, open extents, strings and more.
What onnxruntime computes of a graph is held against the reference, too.

Ends with 1 where a number is wrong, or a tool does not end in one line.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from fuzz_campaign import DEVICE, Result, device_form, every_form, one_form, run_again, run_cases
from fuzz_case import load_case
from fuzz_families import FAMILIES
from fuzz_files import run_files
from fuzz_numbers import MOODS, NORMAL, QUIET
from fuzz_operators import with_oracles

FORMS = {
    "one": one_form,
    "all": every_form,
    **{device: partial(device_form, device=device) for device in DEVICE},
}
"""The forms of a case by the name of their choice."""


def main() -> int:
    arguments = _arguments()
    if arguments.again is not None:
        failures = list(run_again(with_oracles(load_case(arguments.again))))
        for failure in failures:
            print(f"{failure.form}: {failure.kind}: {failure.detail}")
        return int(bool(failures))
    wrong = 0
    if arguments.kind in ("all", "models"):
        wrong += _models(arguments, ())
    if arguments.kind in ("all", "graphs"):
        wrong += _models(arguments, arguments.family or tuple(FAMILIES))
    if arguments.kind in ("all", "files") and arguments.case is None:
        wrong += _files(arguments)
    return int(wrong > 0)


def _models(arguments: argparse.Namespace, families: Sequence[str]) -> int:
    """Run the models, or the graphs of families; returns how many are wrong."""
    start = time.monotonic()
    results: dict[str, Result] = {}
    numbers = (
        [arguments.case] if arguments.case is not None else range(arguments.first, arguments.count)
    )
    for name, result in run_cases(
        arguments.seed,
        numbers,
        FORMS[arguments.forms],
        arguments.jobs,
        QUIET if arguments.quiet else NORMAL if arguments.forms == "webgpu" else MOODS,
        families,
    ):
        results[name] = result
        if len(results) % 50 == 0:
            print(f"{len(results)} of {len(numbers)} cases", file=sys.stderr, flush=True)
        if result.other:
            print(f"{name} ({result.operators}): onnxruntime: {result.other}", flush=True)
        for failure in result.failures:
            print(
                f"{name} ({failure.operators}), {failure.form}: {failure.kind}: {failure.detail}",
                flush=True,
            )
            if failure.reproducer:
                print(f"    {failure.reproducer}", flush=True)
    refused = Counter(result.refused for result in results.values() if result.refused)
    for reason, count in refused.most_common(arguments.refused):
        print(f"refused {count}: {reason}")
    wrong = sum(bool(result.failures) for result in results.values())
    unknown = sum(result.open_share for result in results.values()) / max(len(results), 1)
    others = sum(bool(result.other) for result in results.values())
    print(
        f"{len(results)} cases of seed {arguments.seed}: {wrong} wrong, {refused.total()} refused, "
        f"{f'{others} others in onnxruntime, ' if families else ''}"
        f"{unknown:.1%} of the numbers open, {time.monotonic() - start:.0f} s"
    )
    return wrong + len(numbers) - len(results)


def _files(arguments: argparse.Namespace) -> int:
    """Damage files; returns with how many a tool was wrong."""
    start = time.monotonic()
    found = dict(run_files(arguments.seed, arguments.count, arguments.jobs))
    wrong = {name: text for name, text in found.items() if text}
    for name, text in wrong.items():
        print(f"{name}: {text}")
    seconds = time.monotonic() - start
    print(
        f"{len(found)} damaged files of seed {arguments.seed}: {len(wrong)} wrong, {seconds:.0f} s"
    )
    return len(wrong) + arguments.count - len(found)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--count", type=int, default=150, help="cases")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="leave out the cases before this one")
    parser.add_argument("--case", type=int, help="run the case of this number only")
    parser.add_argument("--again", type=Path, help="run the case of a folder of build/fuzz")
    parser.add_argument("--kind", choices=("all", "models", "graphs", "files"), default="all")
    parser.add_argument("--family", choices=tuple(FAMILIES), action="append", help="of graphs")
    parser.add_argument("--quiet", action="store_true", help="numbers of an ordinary size only")
    parser.add_argument("--forms", choices=tuple(FORMS), default="all", help="forms of a case")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--refused", type=int, default=5, help="reasons of refusals to show")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
