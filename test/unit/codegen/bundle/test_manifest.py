"""Manifests of bundles: what an older one lacks, and what is no manifest."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from c_program import planned

from autodeploy.codegen.bundle.bundle import BundleOptions, write_bundle
from autodeploy.codegen.bundle.manifest import Manifest, VariantEntry
from autodeploy.codegen.halide.kernels import CompiledKernel
from autodeploy.diagnostics import UserError
from autodeploy.dialects.nn.parts import Part
from autodeploy.machine import Machine


def test_manifests_that_do_not_describe_a_machine(kernels: list[CompiledKernel], tmp_path: Path):
    options = BundleOptions(machine=Machine.named("x86-64"))
    manifest = write_bundle(*planned("sum"), kernels, tmp_path / "b", options)
    content = json.loads(manifest.to_json())
    assert Manifest.from_json(json.dumps({**content, "machine": None})).machine is None
    del content["machine"]
    assert Manifest.from_json(json.dumps(content)).machine is None


def test_costs_that_an_older_bundle_does_not_name(
    kernels: list[CompiledKernel], tmp_path: Path
) -> None:
    machine = Machine.parse("x86-64:fma_per_cycle=1.5:efficiency=0.5")
    options = BundleOptions(machine=machine)
    manifest = write_bundle(*planned("sum"), kernels, tmp_path / "b", options)
    content = json.loads(manifest.to_json())
    assert Manifest.from_json(json.dumps(content)).machine == machine
    del content["machine"]["costs"]["efficiency"]
    assert Manifest.from_json(json.dumps(content)).machine == Machine.parse(
        "x86-64:fma_per_cycle=1.5"
    )
    del content["machine"]["costs"]
    assert Manifest.from_json(json.dumps(content)).machine == Machine.named("x86-64")


def test_the_device_of_a_machine(kernels: list[CompiledKernel], tmp_path: Path) -> None:
    machine = Machine.parse("x86-64:device=opencl:cores=2")
    manifest = write_bundle(
        *planned("sum"), kernels, tmp_path / "b", BundleOptions(machine=machine)
    )
    content = json.loads(manifest.to_json())
    assert content["machine"]["device"] == "opencl"
    assert Manifest.from_json(json.dumps(content)).machine == machine
    del content["machine"]["device"]
    older = Manifest.from_json(json.dumps(content)).machine
    assert older == Machine.parse("x86-64:cores=2")


def test_a_part_is_named_by_the_ranges_that_no_other_one_has(
    kernels: list[CompiledKernel], tmp_path: Path
) -> None:
    """The manifest of a bundle with four parts of two open extents."""
    manifest = write_bundle(
        *planned("sum"), kernels, tmp_path / "b", BundleOptions(machine=Machine.named("x86-64"))
    )
    assert manifest.machine is not None
    names = ["past=0..7,len=1", "past=0..7,len=2..4", "past=8..9,len=1"]
    parts = tuple(
        VariantEntry(name, manifest.machine, "", "", (), 0, part=(Part(1, 1),)) for name in names
    )
    of_parts = replace(manifest, variants=parts)
    for name, place in (("len=2..4", 1), ("past=8..9", 2), *zip(names, range(3), strict=True)):
        assert of_parts.part_named(name) is parts[place]
    assert of_parts.part_named("len=1,past=8..9") is parts[2]
    with pytest.raises(UserError, match="several parts have 'len=1', there are 'past"):
        of_parts.part_named("len=1")
    with pytest.raises(UserError, match="there is no part 'len=2', there are 'past"):
        of_parts.part_named("len=2")


def test_the_side_of_each_kernel(kernels: list[CompiledKernel], tmp_path: Path) -> None:
    manifest = write_bundle(*planned("sum"), kernels, tmp_path / "b")
    content = json.loads(manifest.to_json())
    assert not {"on_device", "on_host"} & {*content["kernels"][0]}
    content["kernels"][0] |= {"on_device": True, "on_host": "it has no elements"}
    (entry, *_) = Manifest.from_json(json.dumps(content)).kernels
    assert (entry.on_device, entry.on_host) == (True, "it has no elements")
    content["kernels"][0]["on_device"] = "yes"
    with pytest.raises(UserError, match="on_device"):
        Manifest.from_json(json.dumps(content))


MACHINE = asdict(Machine.named("x86-64-avx2"))


def grown(shape: list[int], least: int, axes: tuple[int, ...] = (0,), **given: object):
    """Return what a manifest says of 3 to 17 elements in an output that has a half, less than 1."""
    growth = {"times": 1, "plus": -1, "over": 2, "by": 1, **given}
    output = {"name": "y", "dtype": "float32", "shape": shape, "open": axes, "growths": [growth]}
    return {"outputs": [output], "extents": [{"name": "n", "least": least, "most": 17}]}


def divided(
    parts: Sequence[Sequence[int]],
    programs: Sequence[Sequence[int]],
    shapes: Sequence[Sequence[int]] = (),
) -> dict[str, object]:
    """Return what a manifest says of an extent with parts, of programs and of an output."""

    def said(part: Sequence[int]) -> dict[str, int]:
        return {"least": part[0], "most": part[1]}

    extent = {"name": "n", "least": 1, "most": 8, "parts": list(map(said, parts))}
    variants = [
        {
            "name": "p", "machine": MACHINE, "text": "t", "source": "s", "kernels": [],
            "arena_bytes": 1, "part": [said(part)],
        }
        for part in programs
    ]  # fmt: skip
    output = {"name": "y", "dtype": "float32", "shape": [8], "open": [0]}
    if shapes:
        output["parts"] = [{"shape": shape} for shape in shapes]
    return {"outputs": [output], "extents": [extent], "variants": variants}


def test_a_growth_with_further_factors_reads_back(
    kernels: list[CompiledKernel], tmp_path: Path
) -> None:
    content = json.loads(write_bundle(*planned("sum"), kernels, tmp_path / "b").to_json())
    factor = {"times": 1, "plus": 0, "over": 1, "by": 1, "place": 1}
    extents = [{"name": "n", "least": 3, "most": 17}, {"name": "m", "least": 2, "most": 5}]
    content |= {**grown([8 * 5], 3, rest=[factor]), "extents": extents}
    manifest = Manifest.from_json(json.dumps(content))
    (output,) = manifest.outputs
    assert output.at(manifest.extents, [9, 3]).shape == (4 * 3,)
    assert Manifest.from_json(manifest.to_json()) == manifest


MANIFEST_ERRORS = [
    ("", "not JSON"),
    ("[]", "manifest is not an object"),
    ({"format": "x"}, "its format is not 'autodeploy-bundle'"),
    ({"version": 2}, "its version is 2, expected 1"),
    ({"version": True}, "'version' of manifest is not a number"),
    ({"prefix": "a b"}, "'prefix' of manifest is not an identifier: 'a b'"),
    ({"prefix": None}, "'prefix' of manifest is not a string"),
    ({"inputs": {}}, "'inputs' of manifest is not a list"),
    ({"inputs": [1]}, "an entry of 'inputs' is not an object"),
    ({"inputs": [{"name": "x", "dtype": "f4", "shape": []}]}, "unknown element type 'f4'"),
    ({"inputs": [{"name": "x", "dtype": "int8", "shape": [-1]}]}, "entry of 'shape' is negative"),
    ({"weights": {"file": "../w", "bytes": 1, "fingerprint": ""}}, "'../w' is not a file of the"),
    ({"weights": {"file": "w", "bytes": -1, "fingerprint": ""}}, "'bytes' of 'weights' is neg"),
    ({"files": {"/etc/passwd": ""}}, "'/etc/passwd' is not a file of the bundle"),
    ({"tools": {"a": 1}}, "'a' of 'tools' is not a string"),
    ({"opset": "13"}, "'opset' of manifest is not a number"),
    ({"machine": ["host"]}, "'machine' is not an object"),
    ({"machine": {**MACHINE, "arch": "vax"}}, "'arch' of 'machine' is 'vax', expected one of x86_"),
    ({"machine": {**MACHINE, "os": "vms"}}, "'os' of 'machine' is 'vms', expected one of linux, "),
    ({"machine": {**MACHINE, "isa": "mmx"}}, "'isa' of 'machine' is 'mmx', expected one of scalar"),
    ({"machine": {**MACHINE, "features": [1]}}, "an entry of 'features' is not a string"),
    ({"machine": {**MACHINE, "costs": [1]}}, "'costs' is not an object"),
    ({"machine": {**MACHINE, "costs": {"efficiency": "1"}}}, "'efficiency' of 'costs' is not a"),
    ({"machine": {**MACHINE, "cores": "2"}}, "'cores' of 'machine' is not a number"),
    ({"extents": [{"name": "n", "least": 2, "most": 65537}]}, "range of an extent, 2 to 65537"),
    ({"extents": [{"name": "n", "least": 8, "most": 8}]}, "malformed range of an extent, 8 to 8"),
    ({"extents": [{"name": "n", "least": 9, "most": 8}]}, "malformed range of an extent, 9 to 8"),
    ({"extents": [{"name": "n", "least": 4, "most": 10, "step": 4}]}, "4 to 10 in steps of 4"),
    (grown([7], 1), "'y' does not grow up to its shape, [7]"),
    (grown([8], 2), "'y' does not grow up to its shape, [8]"),
    (grown([8], 1, times=0), "malformed growth"),
    (grown([8], 1, over=0), "malformed growth"),
    (grown([8], 1, plus="1"), "'plus' of an entry of 'growths' is not a number"),
    (grown([8, 8], 1, axes=(0, 1)), "1 growths of 2 open axes"),
    ({"outputs": grown([8], 1)["outputs"]}, "'y' does not grow up to its shape, [8]"),
    (divided([[1, 1], [2, 8]], [[1, 1]]), "its programs are not those for all parts"),
    (divided([[1, 1], [2, 8]], [[2, 8], [1, 1]]), "its programs are not those for all parts"),
    (divided([], [[1, 8]]), "its programs are not those for all parts"),
    (divided([[1, 1], [2, 7]], []), "malformed parts of an extent, 1, 2..7"),
    (divided([[1, 1], [3, 2], [8, 8]], []), "malformed part of an extent, 3..2"),
    (divided([[1, 1], [2, 65537]], []), "malformed part of an extent, 2..65537"),
    (divided([[1, 1], [8, 8]], [[1, 1], [8, 8]], [[2], [8], [8]]), "'y' does not grow up"),
    (divided([[1, 1], [8, 8]], [[1, 1], [8, 8]], [[2], [9]]), "'y' does not grow up"),
    (divided([[1, 1], [8, 8]], [[1, 1], [8, 8]], [[2, 2], [8]]), "'y' does not grow up"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), MANIFEST_ERRORS)
def test_manifest_is_validated(
    tmp_path: Path, kernels: list[CompiledKernel], change: str | dict[str, object], message: str
) -> None:
    manifest = write_bundle(*planned("sum"), kernels, tmp_path / "b")
    path = tmp_path / "b" / "manifest.json"
    if isinstance(change, str):
        path.write_text(change)
    else:
        path.write_text(json.dumps({**json.loads(manifest.to_json()), **change}))
    with pytest.raises(UserError) as error:
        Manifest.load(tmp_path / "b")
    assert "manifest.json' is not valid: " in str(error.value) and message in str(error.value)


def test_no_bundle(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"is not a bundle: it has no manifest\.json"):
        Manifest.load(tmp_path)
    with pytest.raises(UserError, match="is not a folder"):
        Manifest.load(tmp_path / "none")
