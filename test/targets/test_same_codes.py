"""Quantised networks have the same bits on every machine that runs them, here or in an emulator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import tile_registers
from cross import TARGETS, NotHereError, build
from fuzz_campaign import Drawn
from onnx import ModelProto, compose, save

from autodeploy import CompileOptions

SEED = 46
SAMPLE, GROUP, GRAPHS = 6, 20, 60
"""Graphs in a sample, graphs of one program, and all of them."""

REFERENCE = "scalar"
"""The target that all others are held against: its kernels are C99."""

MACHINES = (
    *("x86-64", "x86-64-sse41", "x86-64-avx2", "x86-64-avx512", "x86-64-zen4"),
    *("x86-64-sapphirerapids", "aarch64-neon", "aarch64-neon-dotprod", "arm-neon"),
    *("wasm32-simd128", "cortex-m7"),
)
"""None is for RISC-V: on some of these programs QEMU 7.2 ends at an assertion of its own."""

Results = Mapping[str, np.ndarray]


@cache
def graphs(first: int, count: int) -> tuple[ModelProto, Results]:
    """Return several random graphs as one, and its inputs."""
    model, inputs = ModelProto(), dict[str, np.ndarray]()
    for number in range(first, first + count):
        case, prefix = Drawn(SEED, number, (), family="codes").case(), f"g{number}_"
        inputs |= {prefix + name: array for name, array in case.inputs.items()}
        part = compose.add_prefix(case.model, prefix)
        if model.graph.node:
            for field in ("node", "input", "output", "initializer"):
                getattr(model.graph, field).extend(getattr(part.graph, field))
        else:
            model = part
    return model, inputs


def computed(machine: str, first: int, count: int, folder: Path) -> Results:
    model, inputs = graphs(first, count)
    if machine == tile_registers.MACHINE and tile_registers.obstacle() is None:
        options = CompileOptions(machine=machine)
        with tile_registers.opened(model.SerializeToString(), options) as session:
            return session.run(inputs)
    folder.mkdir()
    save(model, folder / "graphs.onnx")
    return build(TARGETS[machine], folder / "graphs.onnx", folder).run(inputs)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int, int], Results]:
    known: dict[tuple[int, int], Results] = {}

    def results(first: int, count: int) -> Results:
        if (first, count) not in known:
            folder = tmp_path_factory.mktemp("reference") / "program"
            known[first, count] = computed(REFERENCE, first, count, folder)
        return known[first, count]

    return results


def check(
    machine: str, first: int, count: int, reference: Callable[[int, int], Results], folder: Path
) -> None:
    try:
        found = computed(machine, first, count, folder / "program")
    except NotHereError as missing:
        pytest.skip(str(missing))
    wanted = reference(first, count)
    assert found.keys() == wanted.keys()
    other = [name for name in wanted if found[name].tobytes() != wanted[name].tobytes()]
    assert other == [], [np.count_nonzero(found[name] != wanted[name]) for name in other]


@pytest.mark.exhaustive
@pytest.mark.parametrize("machine", ["x86-64-avx2", "aarch64-neon"])
def test_a_sample_of_graphs_has_the_same_bits(machine: str, reference, tmp_path: Path):
    check(machine, 0, SAMPLE, reference, tmp_path)


@pytest.mark.exhaustive
@pytest.mark.parametrize("first", range(0, GRAPHS, GROUP))
@pytest.mark.parametrize("machine", MACHINES)
def test_codes_have_the_same_bits(machine: str, first: int, reference, tmp_path: Path):
    check(machine, first, GROUP, reference, tmp_path)
