"""Tools on a bundle with programs for parts of an open extent."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest
from open_networks import perceptron
from open_parts import PERCEPTRON, alone, compiled, specs_of
from open_several import drawn

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.bundle.weight_file import HEADER_BYTES
from autodeploy.compiler import CompileOptions
from autodeploy.diagnostics import UserError
from autodeploy.frontend.open_sizes import combinations, part_name
from autodeploy.toolchain.evaluate import evaluate_bundle
from autodeploy.toolchain.profile import COPIES, DRIVER, profile_bundle
from autodeploy.tools.comparison import compare
from autodeploy.tools.report.facts import collect
from autodeploy.tools.report.page import report_page
from autodeploy.tools.tensor_files import read_inputs


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle with programs for 1, for 2 to 5, and for 7."""
    folder = tmp_path_factory.mktemp("parts") / "bundle"
    compiled(perceptron(), PERCEPTRON, folder)
    return folder


def test_the_manifest_describes_each_part(parts):
    manifest = Manifest.load(parts)
    assert Manifest.from_json(manifest.to_json()) == manifest
    assert manifest.machine is not None and not manifest.for_machines
    assert [variant.name for variant in manifest.for_parts] == ["batch=1", "batch=2..5", "batch=7"]
    sizes = [variant.arena_bytes for variant in manifest.variants]
    assert manifest.arena_bytes == max(sizes) > min(sizes)
    (extent,) = manifest.extents
    assert [extent.has(number) for number in (0, 1, 5, 6, 7, 8)] == [
        *(False, True, True),
        *(False, True, False),
    ]
    assert str(extent) == "from 1 to 5 or 7"
    assert manifest.inputs[0].at(manifest.extents, [3]).shape == (3, 37)


@pytest.mark.exhaustive
def test_equally_packed_weights_are_stored_once(parts, tmp_path):
    whole = Manifest.load(parts).weights.bytes
    model = perceptron()
    sizes: list[int] = []
    for ranges in combinations(specs_of(PERCEPTRON)):
        alone(model, ranges, tmp_path / part_name(ranges)).close()
        sizes.append(Manifest.load(tmp_path / part_name(ranges)).weights.bytes)
    assert max(sizes) <= whole < sum(sizes) - HEADER_BYTES * (len(sizes) - 1)


@pytest.mark.exhaustive
def test_a_part_is_timed_with_its_largest_numbers(parts):
    for variant in Manifest.load(parts).for_parts:
        times = profile_bundle(parts, rounds=1, part=variant.name)
        names = [time.symbol for time in times if time.name not in (COPIES, DRIVER)]
        assert names == [kernel.symbol for kernel in variant.kernels]
        assert all(time.calls for time in times)
    names = [time.symbol for time in profile_bundle(parts, rounds=1) if time.symbol]
    assert names == [kernel.symbol for kernel in Manifest.load(parts).part_named("batch=7").kernels]
    assert len(evaluate_bundle(parts, 1, 1, part="batch=2..5").seconds) == 1
    with pytest.raises(UserError, match="no part 'batch=4', there are 'batch=1', 'batch=2"):
        profile_bundle(parts, rounds=1, part="batch=4")


def test_a_report_is_about_one_part(parts):
    facts = collect(parts, 0, 1, part="batch=2..5")
    assert facts.manifest.inputs[0].shape == (5, 37)
    assert {step.kernel for step in facts.steps} >= {k.name for k in facts.manifest.kernels}
    assert "level 3, for batch=2..5." in report_page(facts)
    assert collect(parts, 0, 1).manifest.inputs[0].shape == (7, 37)
    with pytest.raises(UserError, match="there is no part 'n=1'"):
        collect(parts, 0, 1, part="n=1")


def test_each_part_is_compared_with_onnxruntime(parts, tmp_path):
    onnx.save(perceptron(), tmp_path / "m.onnx")
    found = list(compare(tmp_path / "m.onnx", parts, [], CompileOptions()))
    assert {one.run for one in found} == {f"batch {number}" for number in (1, 2, 3, 5, 7)}


def test_the_number_follows_from_the_elements(parts, tmp_path):
    entries, extents = Manifest.load(parts).inputs, Manifest.load(parts).extents
    for number in (1, 4, 7):
        value = drawn(perceptron(), {"batch": number}, 0)["x"]
        value.tofile(tmp_path / "x.bin")
        found = read_inputs(entries, [str(tmp_path / "x.bin")], extents=extents)["x"]
        np.testing.assert_array_equal(found, value)
    drawn(perceptron(), {"batch": 6}, 0)["x"].tofile(tmp_path / "x.bin")
    with pytest.raises(UserError, match="has 888 bytes"):
        read_inputs(entries, [str(tmp_path / "x.bin")], extents=extents)


def test_a_part_cannot_be_named_where_there_are_none(tmp_path):
    compiled(perceptron(), "batch=1..4", tmp_path / "b", level=0)
    with pytest.raises(UserError, match=r"the open extents of bundle '.*' have no parts"):
        profile_bundle(tmp_path / "b", part="batch=1")


@pytest.mark.exhaustive
@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not on the path")
def test_cmake_builds_all_programs(parts, tmp_path):
    for words in (["-S", parts, "-B", tmp_path / "build"], ["--build", tmp_path / "build"]):
        subprocess.run(["cmake", *words], check=True, capture_output=True)
    np.save(tmp_path / "x.npy", np.zeros((4, 37), np.float32))
    command = [tmp_path / "build" / "perceptron", parts / "perceptron.weights", tmp_path / "x.npy"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "4x10" in done.stdout


def test_the_sources_are_silent(parts):
    flags = "-O0 -Wall -Wextra -Wpedantic -Wconversion -Werror"
    subprocess.run(["make", "-s", "-C", parts, "clean"], check=True)
    subprocess.run(["make", "-s", "-C", parts, "all", f"CFLAGS={flags}"], check=True)
