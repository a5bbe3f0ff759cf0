"""Compiling the text of a stage: as it is, edited by hand, and wrong."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.session import load_bundle

MODEL = Path(__file__).parents[3] / "examples" / "mnist" / "mnist.onnx"
TILE = re.compile(r"(?<=#nn\.config<direct_conv, tile = )\[(\d+), (\d+)\]")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The digit network as a bundle, and the texts of its stages."""
    folder = tmp_path_factory.mktemp("stages")
    compile_model(MODEL, folder / "bundle", CompileOptions(dump_ir=folder / "ir"))
    return folder


def _code(bundle: Path) -> dict[str, bytes]:
    """Return the kernels and weights of a bundle."""
    kinds = (".o", ".weights", ".h")
    return {path.name: path.read_bytes() for path in bundle.rglob("*") if path.suffix in kinds}


@pytest.mark.parametrize("stage", ["00-import", "02-nn", "05-fused", "06-configured", "07-kernels"])
def test_each_stage_becomes_the_same_kernels(compiled: Path, tmp_path: Path, stage: str) -> None:
    compile_model(compiled / "ir" / f"{stage}.mlir", tmp_path / "out", CompileOptions())
    made, expected = _code(tmp_path / "out"), _code(compiled / "bundle")
    assert len(expected) > 5
    assert made == expected


def _edited(compiled: Path, tile: str) -> Path:
    """Write another tile of the first convolution into the IR of stage kernels."""
    path = compiled / "ir" / "edited.mlir"
    text = (compiled / "ir" / "07-kernels.mlir").read_text()
    path.write_text(TILE.sub(tile, text, count=1))
    return path


def test_an_edited_config_reaches_the_program(compiled: Path, tmp_path: Path) -> None:
    options = CompileOptions(stage="kernels", dump_ir=tmp_path / "ir")
    compile_model(_edited(compiled, "[8, 3]"), tmp_path / "out", options)
    assert sorted(path.name for path in (tmp_path / "ir").iterdir()) == [
        "08-halide.mlir",
        "09-driver.mlir",
        "weights.safetensors",
    ]
    assert "config<direct_conv, tile = [8, 3]" in (tmp_path / "ir" / "08-halide.mlir").read_text()
    image = np.random.default_rng(3).standard_normal((1, 1, 28, 28)).astype(np.float32)
    bundles = tmp_path / "out", compiled / "bundle"
    ours, others = (load_bundle(folder).run(image)["logits"] for folder in bundles)
    np.testing.assert_allclose(ours, others, rtol=1e-5, atol=1e-5)


def test_a_config_that_does_not_fit_is_refused(compiled: Path, tmp_path: Path) -> None:
    error = r"edited\.mlir:[0-9]+:[0-9]+: .*knob tile of direct_conv is one of .*\[config_c3\]$"
    with pytest.raises(UserError, match=error):
        path = _edited(compiled, "[16, 28]")
        compile_model(path, tmp_path / "out", CompileOptions(stage="kernels"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("file", "options", "message"),
    [
        (
            "08-halide",
            {},
            r"is compiled from a stage, import, .* or kernels \(--from\); found 'hal",
        ),
        ("mine", {}, r"\(--from\); the name of the file tells none$"),
        ("07-kernels", {"stage": "halid"}, r"\(--from\); found 'halid'$"),
        (
            "07-kernels",
            {"dims": {"n": 3}},
            r"^'dims' is for models, and '.*' is the text of a stage",
        ),
        ("07-kernels", {"threads": 5}, r"names its machine and threads, .*; give no other$"),
        ("07-kernels", {"machine": "x86-64-avx2"}, r"names its machine and threads"),
        ("05-fused", {"level": 1}, r"of stage 'fused', which this level of -O has not; its stages"),
        ("02-nn", {"stage": "fused", "level": 0}, r"which this level of -O has not"),
        ("02-nn", {"machine": "x86-64-avx2,x86-64-avx512"}, r"is compiled for one machine, found"),
        ("missing", {"stage": "nn"}, r"^cannot read '.*': No such file or directory$"),
        ("broken", {"stage": "nn"}, r"broken\.mlir:2:1: Could not parse entire input"),
        ("binary", {"stage": "nn"}, r"' is not UTF-8 text$"),
    ],
)
def test_texts_and_options_that_are_wrong(
    compiled: Path, tmp_path: Path, file: str, options: dict[str, object], message: str
) -> None:
    shutil.copytree(compiled / "ir", tmp_path / "ir")
    (tmp_path / "ir" / "mine.mlir").write_text("builtin.module {}")
    (tmp_path / "ir" / "broken.mlir").write_text("builtin.module {}\n}")
    (tmp_path / "ir" / "binary.mlir").write_bytes(b"\xff\xfe")
    path = tmp_path / "ir" / f"{file}.mlir"
    with pytest.raises(UserError, match=message):
        compile_model(path, tmp_path / "out", replace(CompileOptions(), **options))  # pyright: ignore[reportArgumentType]
    assert not (tmp_path / "out").exists()


def test_a_text_of_another_stage_breaks_its_contract(compiled: Path, tmp_path: Path) -> None:
    path = compiled / "ir" / "02-nn.mlir"
    with pytest.raises(UserError, match="breaks the contract of stage 'kernels'"):
        compile_model(path, tmp_path / "out", CompileOptions(stage="kernels"))


def test_a_text_without_its_weight_file_is_refused(compiled: Path, tmp_path: Path) -> None:
    shutil.copy(compiled / "ir" / "07-kernels.mlir", tmp_path)
    with pytest.raises(UserError, match=r"weights\.safetensors"):
        compile_model(tmp_path / "07-kernels.mlir", tmp_path / "out", CompileOptions())


def test_an_error_has_its_place_in_the_text(compiled: Path, tmp_path: Path) -> None:
    path = tmp_path / "02-nn.mlir"
    path.write_text(
        "func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n"
        "  %y = nn.relu %x : (tensor<2xf32>) -> tensor<3xf32>\n"
        "  func.return %y : tensor<3xf32>\n}\n"
    )
    with pytest.raises(UserError, match=r"02-nn\.mlir:2:3: expected result type"):
        compile_model(path, tmp_path / "out", CompileOptions())
