"""Operators in a page on WebGPU: the numbers are those of the oracle.

A sample of the cases of the table of operators is taken. A page has no kernels of the processor, so
some are refused: types that WebGPU has not, functions of the library.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from closeness import assert_close
from compiled_cases import DEVICE_CASES
from webgpu import needs_webgpu, run_pages

from autodeploy import CompileOptions, compile_model
from autodeploy.diagnostics import UnsupportedError, UserError

pytestmark = needs_webgpu

GROUPS = max(1, len(DEVICE_CASES) // 24)


def are_words(arrays: Iterable[np.ndarray]) -> bool:
    """Return whether a page takes all integers that it is given: whether 32 bits hold them."""
    return all(np.array_equal(x.astype(np.int32), x) for x in arrays if x.dtype == np.int64)


@pytest.mark.every_case
@pytest.mark.parametrize("level", [2, 0])
@pytest.mark.parametrize("group", range(GROUPS))
def test_numbers_are_those_of_the_oracle(tmp_path: Path, group: int, level: int):
    machine = "wasm32-simd128:device=webgpu"
    options = CompileOptions(machine=machine, level=level, jobs=1)
    cases = [case for case in DEVICE_CASES[group::GROUPS] if are_words(case.inputs.values())]
    compiled = []
    for number, case in enumerate(cases):
        try:
            model = case.model().SerializeToString()
            compile_model(model, tmp_path / f"b{number}", options)
        except UnsupportedError as error:
            assert str(error).startswith("a page runs all of a network on its device, and cannot:")
        except UserError as error:
            assert str(error).endswith("computes nothing, and so needs no device")
        else:
            compiled.append((tmp_path / f"b{number}", case))
    assert len(compiled) >= len(cases) // 6
    runs = [(folder, [case.inputs]) for folder, case in compiled]
    for (_, case), page in zip(compiled, run_pages(runs, tmp_path / "runs"), strict=True):
        assert page.error == "", case.name
        for ours, theirs in zip(page.outputs[0].values(), case.expected, strict=True):
            assert_close(ours, theirs)
