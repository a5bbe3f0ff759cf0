"""The page of a bundle in a browser: the network runs on a drawing, and errors are said."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import needs_chromium, watch_page

from autodeploy import CompileOptions, compile_model

pytestmark = [needs_chromium, pytest.mark.exhaustive, pytest.mark.xdist_group("page")]

DIGITS = Path(__file__).parents[2] / "examples" / "mnist" / "mnist.onnx"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser") / "page"
    compile_model(DIGITS, folder, CompileOptions(machine="wasm32-simd128:device=webgpu", jobs=1))
    return folder


def test_a_line_is_a_one(page: Path):
    said = watch_page(page)
    assert said["state"] == "ready"
    assert said["text"].startswith("WebGPU, ")
    assert [line.split("\t")[0] for line in said["times"].splitlines()] == [
        "open",
        "first run",
        "best run",
        "last run",
    ]
    assert said["first"] == "1"


def test_a_browser_without_webgpu_says_so(page: Path):
    said = watch_page(page, webgpu=False)
    assert said["state"] == "failed"
    assert said["text"] in ("this browser has no WebGPU", "WebGPU finds no device")
