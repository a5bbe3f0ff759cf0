"""A thousand tokens from a decoder that keeps its caches; sanitizers watch all but the kernels."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from packed_decoder import packed_decoder

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.frontend.open_sizes import OpenSpec

DRIVER = Path(__file__).parents[1] / "support" / "long_text.c"

EXTENTS = {
    "past_sequence_length": (0, 1050),
    "sequence_length": [1, (2, 8)],
    "total_sequence_length": "past_sequence_length+sequence_length",
}

SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"]


@pytest.mark.exhaustive
def test_a_thousand_tokens_of_two_contexts_are_the_same(tmp_path: Path) -> None:
    model = packed_decoder(zeros=True, block=32, places=1100)
    options = CompileOptions(
        name="decoder",
        state="auto",
        dims={"batch_size": 1},
        dynamic=OpenSpec.of(EXTENTS),
    )
    bundle = tmp_path / "b"
    compile_model(model.SerializeToString(), bundle, options)
    sources = [str(path) for path in bundle.glob("*.c") if path.name != "main.c"]
    objects = list(map(str, bundle.glob("kernels/*.o")))
    for path in [*sources, str(DRIVER)]:
        objects.append(str(tmp_path / f"{Path(path).stem}.o"))
        flags = ["-std=c99", "-O1", "-Wall", "-Wextra", f"-I{bundle}"]
        _run(["gcc", *SANITIZERS, *flags, "-c", path, "-o", objects[-1]])
    program = str(tmp_path / "long_text")
    _run(["gcc", *SANITIZERS, *objects, "-lpthread", "-lm", "-o", program])
    (weights,) = bundle.glob("*.weights")
    done = _run([program, str(weights)])
    words = done.stdout.split()
    assert done.stderr == ""
    assert len(words) == 1000
    assert len(set(words)) >= 10


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done
