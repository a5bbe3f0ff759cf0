"""The comparison of decoders: its model, and a run of it."""

from dataclasses import replace
from pathlib import Path

import onnxruntime
import pytest

from benchmarks.make_decoders import SHAPES, write_decoder
from benchmarks.run import main


def test_a_decoder_is_what_onnxruntime_takes(tmp_path: Path) -> None:
    write_decoder(tmp_path / "decoder.onnx", SHAPES["small"], accuracy=4)
    session = onnxruntime.InferenceSession(tmp_path / "decoder.onnx")
    assert len(session.get_inputs()) == 2 + 2 * SHAPES["small"].layers
    assert session.get_outputs()[0].name == "logits"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("shape", "form"),
    [
        ("small", "u4"),
        ("small", "f32"),
        ("small", "int8"),
        ("llama-3.2-1b", "u4"),
        ("gemma-3-270m", "u4"),
        ("phi-4-mini", "u4"),
    ],
)
def test_decoders_are_compared(
    shape: str,
    form: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A family has one layer and few words here, and its own heads and widths."""
    family = SHAPES[shape]
    window = min(family.window, 4)
    monkeypatch.setitem(SHAPES, "small", replace(family, layers=1, words=512, window=window))
    given = ["--decoders", "--shape", "small", "--form", form, "--prompt", "9", "--tokens", "3"]
    assert main([*given, "--output", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    for engine in ("onnxruntime", "f32", *(["rows=s8"] if form == "u4" else [])):
        assert f"\n| {engine} |" in printed
    assert "\n| llama.cpp |" in printed or "\nllama.cpp is skipped: " in printed
