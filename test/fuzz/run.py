"""Hold random models against ONNX's reference; ends with 1 where one is wrong."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from fuzz_campaign import Result, run_cases


def main() -> int:
    arguments = _arguments()
    start = time.monotonic()
    results: dict[str, Result] = {}
    numbers = [arguments.case] if arguments.case is not None else range(arguments.count)
    for name, result in run_cases(
        arguments.seed, numbers, arguments.forms == "all", arguments.jobs
    ):
        results[name] = result
        for failure in result.failures:
            print(f"{name} ({failure.operators}), {failure.form}: {failure.kind}: {failure.detail}")
            if failure.reproducer:
                print(f"    {failure.reproducer}", flush=True)
    refused = Counter(result.refused for result in results.values() if result.refused)
    for reason, count in refused.most_common(arguments.refused):
        print(f"refused {count}: {reason}")
    wrong = sum(bool(result.failures) for result in results.values())
    unknown = sum(result.open_share for result in results.values()) / max(len(results), 1)
    print(
        f"{len(results)} cases of seed {arguments.seed}: {wrong} wrong, {refused.total()} refused, "
        f"{unknown:.1%} of the numbers open, {time.monotonic() - start:.0f} s"
    )
    return int(wrong > 0 or len(results) != len(numbers))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--count", type=int, default=150, help="cases")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="run the case of this number only")
    parser.add_argument("--forms", choices=("one", "all"), default="all", help="forms of a case")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--refused", type=int, default=5, help="reasons of refusals to show")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
