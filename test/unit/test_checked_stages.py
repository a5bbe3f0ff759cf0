"""After which stages a compilation verifies the IR, and that its report has the memory map."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx import parser

from autodeploy.compiler import CompileOptions, Report, compile_model
from autodeploy.pipelines import VERIFY_VARIABLE, Stage, stages

ALWAYS = ["onnx", "nn", "driver"]
ALL = [stage.name for stage in stages()]

MODEL = parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
    twice (float[2, 3] x) => (float[2, 3] y) { y = Add(x, x) }""")

RULE = """#include "nn.pdll"
Pattern Same => replace op<nn.relu>(x: Value) -> (type: Type) with op<nn.abs>(x) -> (type);
"""


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.delenv(VERIFY_VARIABLE, raising=False)
    names: list[str] = []
    monkeypatch.setattr(Stage, "check", lambda stage, _module, **_: names.append(stage.name))
    return names


def compiled(folder: Path, **options: object) -> Report:
    return compile_model(MODEL, folder / "out", CompileOptions(machine="scalar", **options))


def test_stages_that_are_verified_always(checked: list[str], tmp_path: Path) -> None:
    report = compiled(tmp_path)
    assert checked == ALWAYS and ALL[-1] == "driver"
    assert "arena" in report.memory_map.splitlines()[-1]


def test_all_stages_are_verified_on_request(
    checked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VERIFY_VARIABLE, "1")
    compiled(tmp_path)
    assert checked == ALL


def test_all_stages_that_people_wrote_or_read_are_verified(
    checked: list[str], tmp_path: Path
) -> None:
    compiled(tmp_path, dump_ir=tmp_path / "ir")
    assert checked == ALL
    checked.clear()
    (tmp_path / "same.pdll").write_text(RULE)
    with pytest.warns(UserWarning, match="match"):
        compiled(tmp_path, patterns=[str(tmp_path / "same.pdll")])
    assert checked == ALL
    checked.clear()
    text = tmp_path / "ir" / "02-nn.mlir"
    compile_model(text, tmp_path / "again", CompileOptions(machine="scalar"))
    assert checked == ALL[ALL.index("nn") + 1 :]
