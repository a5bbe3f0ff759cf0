"""Open extents in bundles for several machines: each program knows how its shapes grow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import onnx
import pytest
from open_decoders import gpt2, greedy, kept_greedy
from open_formless import padded_to_forms
from open_networks import encoder, perceptron
from open_parts import compiled, specs_of
from open_runs import assert_all_close, expected
from open_selections import selected
from open_several import drawn, photographs
from sanitized_program import make_sanitized, run_sanitized

import autodeploy
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.machine import Machine
from autodeploy.toolchain.profile import profile_bundle
from autodeploy.toolchain.session import load_bundle

MACHINES = ("x86-64-avx512", "x86-64-avx2", "x86-64-sse41")
HERE = [name for name in MACHINES if Machine.host().obstacle(Machine.named(name)) is None]

pytestmark = [
    pytest.mark.skipif(not HERE, reason="this machine runs none of them"),
    pytest.mark.xdist_group("open_several_machines"),
]

NETWORKS = (
    (perceptron, "batch=1..7", ({"batch": 7}, {"batch": 1}, {"batch": 4})),
    (encoder, "batch=1..5", ({"batch": 5}, {"batch": 2}, {"batch": 1})),
    (selected, "n=1..8", ({"n": 8}, {"n": 1}, {"n": 5})),
    (padded_to_forms, "n=2..13", ({"n": 13}, {"n": 2}, {"n": 6}, {"n": 7})),
    (
        photographs,
        "batch=1..3 w=5..9 length=2..9",
        ({"batch": 3, "w": 9, "length": 9}, {"batch": 1, "w": 5, "length": 4}),
    ),
)


@pytest.mark.every_case
@pytest.mark.parametrize(("make", "text", "runs"), NETWORKS)
def test_each_program_has_the_shapes_of_a_run(
    make: Callable[[], onnx.ModelProto], text: str, runs: tuple[dict[str, int], ...], tmp_path: Path
):
    model = make()
    compiled(model, text, tmp_path / "b", machine=",".join(MACHINES))
    for machine in (None, *HERE):
        with load_bundle(tmp_path / "b", machine=machine) as session:
            assert session.machine == (machine or HERE[0])
            for seed, numbers in enumerate(runs):
                values = drawn(model, numbers, seed)
                found, right = list(session.run(values).values()), expected(model, values)
                assert [a.shape for a in found] == [a.shape for a in right]
                assert_all_close(found, right)


def test_sanitizers_find_nothing_and_the_number_follows_from_files(tmp_path: Path):
    model = perceptron()
    compiled(model, "batch=1..7", tmp_path / "b", machine=",".join(MACHINES))
    make_sanitized(tmp_path / "b")
    for number in (7, 2):
        values = drawn(model, {"batch": number}, number)
        assert_all_close(run_sanitized(tmp_path / "b", values), expected(model, values))


def test_each_program_keeps_the_cache_of_a_decoder(tmp_path: Path):
    model, words = gpt2(), [3, 5, 2]
    names = [output.name for output in model.graph.output]
    right = greedy(
        lambda values: dict(zip(names, expected(model, values), strict=True)), model, words, 9
    )
    open_ = {"past_sequence_length": (0, 15), "sequence_length": (1, 4)}
    autodeploy.compile(
        model,
        tmp_path / "b",
        dims={"batch_size": 1},
        dynamic=open_,
        state="auto",
        machine=",".join(MACHINES),
    ).close()
    for machine in HERE:
        with load_bundle(tmp_path / "b", machine=machine) as session:
            for _ in range(2):
                assert kept_greedy(session, words, 9) == right
                session.reset()


def test_the_manifest_has_one_range_for_all_machines(tmp_path: Path):
    compiled(perceptron(), "batch=1..7", tmp_path / "b", machine=",".join(MACHINES), level=0)
    manifest = Manifest.load(tmp_path / "b")
    assert Manifest.from_json(manifest.to_json()) == manifest
    assert [variant.name for variant in manifest.for_machines] == list(MACHINES)
    assert not manifest.for_parts
    (extent,) = manifest.extents
    assert (extent.least, extent.most) == (specs_of("batch=1..7")[0].least, 7)
    times = profile_bundle(tmp_path / "b", 1, machine=HERE[-1])
    assert {time.symbol for time in times} > {k.symbol for k in manifest.variants[-1].kernels[:1]}
