"""Cases as sessions of the C programs that they are compiled to, many to a library.

The library of a batch of cases is made when the first case of the batch is asked for. Kernels are
objects, or what the tests are run with (``--emit``), where nothing else is asked for.

All cases are compiled at level 2. At level 0, where each op is a kernel of its own, a sample is
compiled: it has each operator with operands of each type. With ``CASES=all`` in the environment
(``make operators``) all cases are compiled at both levels. The quick run compiles one case of each
operator at level 2, and a few cases at level 0.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from onnx import GraphProto
from onnx_case import OnnxCase
from onnx_cases import CASES
from program_batch import BuiltProgram, Program, build_programs
from quick import QUICK

from autodeploy.compiler import CompileOptions

BATCH = 24
"""Cases to a library."""

Features = Callable[[OnnxCase], Iterable[object]]
"""What a sample of cases must have at least once."""

STEP = 29
"""Of so many cases one is in the sample."""


def cases_and_levels() -> list[ParameterSet]:
    """Return the cases at the levels 2 and 0, the cases of a batch for one worker of the tests."""
    return [
        pytest.param(
            example,
            level,
            id=f"{example.name}-O{level}",
            marks=[
                pytest.mark.every_case,
                pytest.mark.xdist_group(f"O{level}-{_numbers(level)[example.name] // BATCH}"),
            ],
        )
        for level in (2, 0)
        for example in cases_at(level)
    ]


@cache
def cases_at(level: int) -> Sequence[OnnxCase]:
    """Return the cases that are compiled at a level."""
    if QUICK:
        return each_operator(lambda case: operators(case.build(None).graph)) if level else SAMPLE
    return CASES if level or os.environ.get("CASES") == "all" else each_operator()


def each_operator(features: Features | None = None) -> Sequence[OnnxCase]:
    """Return cases that have every feature, as they come: each operator with each type."""
    found: set[object] = set()
    chosen: list[OnnxCase] = []
    for example in CASES:
        new = {*(features or operators_and_types)(example)} - found
        if new:
            chosen.append(example)
            found |= new
    return chosen


def operators_and_types(example: OnnxCase) -> frozenset[tuple[str, ...]]:
    """Return the operators of a case, each with the types that the model takes."""
    types = sorted({array.dtype.str for array in example.inputs.values()})
    return frozenset((name, *types) for name in operators(example.build(None).graph))


def operators(graph: GraphProto) -> Iterator[str]:
    """Yield the operators of a graph and of its subgraphs, with their domains."""
    for node in graph.node:
        yield f"{node.domain}.{node.op_type}"
        for attribute in node.attribute:
            for inner in (attribute.g, *attribute.graphs):
                yield from operators(inner)


def compiled(example: OnnxCase, level: int) -> BuiltProgram:
    """Return a case compiled at a level; raises what compiling it raises."""
    return _found(_batch(level, _numbers(level)[example.name] // BATCH), example)


@cache
def _numbers(level: int) -> Mapping[str, int]:
    """Return the places of the cases of a level, by name."""
    return {example.name: number for number, example in enumerate(cases_at(level))}


def _found(batch: Mapping[str, BuiltProgram | Exception], example: OnnxCase) -> BuiltProgram:
    found = batch[example.name]
    if isinstance(found, Exception):
        raise found
    return found


@cache
def _batch(level: int, number: int) -> Mapping[str, BuiltProgram | Exception]:
    examples = cases_at(level)[number * BATCH : (number + 1) * BATCH]
    return _built(examples, CompileOptions(level=level, jobs=1), f"O{level}-{number}")


SAMPLE = CASES[:: 4 * STEP if QUICK else STEP]
"""Some cases of each kind of operator."""


DEVICE_CASES = CASES if os.environ.get("CASES") == "all" else CASES[:: 6 * STEP if QUICK else 4]
"""Cases whose kernels run on a device."""


def compiled_to_source(example: OnnxCase, level: int, machine: str = "host") -> BuiltProgram:
    """Return a case of the sample whose kernels are source; raises as ``compiled`` does.

    It is C99 for the machine ``scalar``, else C++.
    """
    return _found(_sample(level, machine), example)


def compiled_for_device(example: OnnxCase, level: int, device: str) -> BuiltProgram:
    """Return a case whose kernels run on a device; raises as ``compiled`` does."""
    number = _device_numbers()[example.name] // BATCH
    return _found(_device_batch(level, number, device), example)


@cache
def _device_numbers() -> Mapping[str, int]:
    return {example.name: number for number, example in enumerate(DEVICE_CASES)}


@cache
def _device_batch(level: int, number: int, device: str) -> Mapping[str, BuiltProgram | Exception]:
    examples = DEVICE_CASES[number * BATCH : (number + 1) * BATCH]
    options = CompileOptions(level=level, machine=f"host:device={device}", jobs=1)
    return _built(examples, options, f"{device}-O{level}-{number}")


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
