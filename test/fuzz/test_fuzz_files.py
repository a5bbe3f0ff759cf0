"""A sample of damaged files; `make fuzz` makes many more."""

from __future__ import annotations

import numpy as np
import pytest
from fuzz_bytes import change_bytes, change_message, change_text
from fuzz_files import run_files
from onnx_cases import CASES

from autodeploy.tools import opt

COUNT = 100


@pytest.mark.exhaustive
def test_tools_end_in_one_line():
    found = dict(run_files(seed=7, count=COUNT))
    assert len(found) == COUNT
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("error", [ValueError("odd"), RecursionError("deep")])
def test_a_traceback_is_found(monkeypatch, error):
    def main(args):
        raise error

    monkeypatch.setattr(opt, "main", main)
    found = [wrong for _, wrong in run_files(seed=7, count=10) if wrong]
    assert len(found) == 5  # the texts, the rules and a tmfile
    assert all(type(error).__name__ in wrong for wrong in found)


def test_changes_differ_and_are_the_same_for_a_seed():
    model = CASES[0].build(None)
    data, text = model.SerializeToString(), "func.func @main() {\n  return\n}\n" * 9

    def changed(seed):
        random = np.random.default_rng(seed)
        message = type(model).FromString(data)
        change_message(message, random)
        return change_bytes(data, random), change_text(text, random), message.SerializeToString()

    assert changed(1) == changed(1)
    for kind in range(3):
        assert len({changed(seed)[kind] for seed in range(40)}) > 30
