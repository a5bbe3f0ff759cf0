"""Cases as sessions of the C programs that they are compiled to, many to a library.

The library of a batch of cases is made when the first case of the batch is asked for. Kernels are
objects, or what the tests are run with (``--emit``), where nothing else is asked for.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from onnx_case import OnnxCase
from onnx_cases import CASES
from program_batch import BuiltProgram, Program, build_programs

from autodeploy.compiler import CompileOptions

BATCH = 24
"""Cases to a library."""

STEP = 29
"""Of so many cases one is in the sample."""


def cases_and_levels() -> list[ParameterSet]:
    """Return every case at the levels 2 and 0, the cases of a batch for one worker of the tests."""
    return [
        pytest.param(
            example,
            level,
            id=f"{example.name}-O{level}",
            marks=pytest.mark.xdist_group(f"O{level}-{index // BATCH}"),
        )
        for level in (2, 0)
        for index, example in enumerate(CASES)
    ]


def compiled(example: OnnxCase, level: int) -> BuiltProgram:
    """Return a case compiled at a level; raises what compiling it raises."""
    return _found(_batch(level, CASES.index(example) // BATCH), example)


def _found(batch: Mapping[str, BuiltProgram | Exception], example: OnnxCase) -> BuiltProgram:
    found = batch[example.name]
    if isinstance(found, Exception):
        raise found
    return found


@cache
def _batch(level: int, number: int) -> Mapping[str, BuiltProgram | Exception]:
    examples = CASES[number * BATCH : (number + 1) * BATCH]
    return _built(examples, CompileOptions(level=level, jobs=1), f"O{level}-{number}")


SAMPLE = CASES[::STEP]
"""Some cases of each kind of operator."""


def compiled_to_source(example: OnnxCase, level: int, machine: str = "host") -> BuiltProgram:
    """Return a case of the sample whose kernels are source; raises as ``compiled`` does.

    It is C99 for the machine ``scalar``, else C++.
    """
    return _found(_sample(level, machine), example)


@cache
def _sample(level: int, machine: str) -> Mapping[str, BuiltProgram | Exception]:
    options = CompileOptions(level=level, machine=machine, emit="c", jobs=1)
    return _built(SAMPLE, options, f"source-{machine}-O{level}")


def _built(
    examples: Sequence[OnnxCase], options: CompileOptions, folder: str
) -> Mapping[str, BuiltProgram | Exception]:
    programs: list[Program] = []
    failed: dict[str, Exception] = {}
    for example in examples:
        try:
            programs.append(Program(example.name, example.model().SerializeToString(), options))
        except Exception as error:  # it belongs to the test of this case
            failed[example.name] = error
    return failed | dict(build_programs(programs, _folder() / folder))


@cache
def _folder() -> Path:
    _kept.append(tempfile.TemporaryDirectory(prefix="autodeploy-cases-"))
    return Path(_kept[0].name)


_kept: list[tempfile.TemporaryDirectory[str]] = []
"""The folder of this process goes when the process ends."""
