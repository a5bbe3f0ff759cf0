"""The demo program: its command line, what it prints and writes, and its exit code."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from c_program import execute, new_folder, parse, planned

X = np.arange(8, dtype=np.float32).reshape(1, 8)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = new_folder(tmp_path_factory.mktemp("demo"))
    program = folder.add_model(*planned("mnist"))
    np.save(folder.path / "x.npy", X)
    return folder.compile("demo", *folder.add_demo(program))


def test_prints_outputs(demo: Path) -> None:
    result = execute(demo, "mnist.weights", "x.npy")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == ("sum 8: 0 2 4 6 8 10 12 14\ncopy 1x8: 0 1.5 3 4.5 6 7.5 9 10.5\n")


def test_top(demo: Path) -> None:
    result = execute(demo, "--top", "2", "mnist.weights", "x.npy")
    assert result.stdout.startswith("sum 8:\n  7: 14\n  6: 12\ncopy ")


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ([1, 3, 3, 2, 0, 0, 0, 0], ["  2: 4", "  1: 3.5", "  3: 3.5", "  7: 3.5"]),
        ([np.nan, 1, 1, 1, 1, 1, 1, 1], ["  7: 4.5", "  6: 4", "  5: 3.5", "  4: 3"]),
        ([1] + [-np.inf] * 6 + [np.inf], ["  7: inf", "  0: 1", "  1: -inf", "  2: -inf"]),
    ],
)
def test_top_of_ties_and_strange_numbers(
    demo: Path, tmp_path: Path, values: list[float], lines: list[str]
) -> None:
    np.save(tmp_path / "x.npy", np.array([values], np.float32))
    result = execute(demo, "mnist.weights", tmp_path / "x.npy", "--top", "4")
    found = result.stdout[result.stdout.index("copy") :].splitlines()[1:5]
    assert found == lines


def test_writes_outputs(demo: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first.npy", tmp_path / "second.bin"
    result = execute(demo, "mnist.weights", "x.npy", "--output", first, "--output", second)
    assert (result.returncode, result.stdout) == (0, "")
    assert np.load(first).tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
    assert np.fromfile(second, np.float32).tolist() == [0, 1.5, 3, 4.5, 6, 7.5, 9, 10.5]


def test_bench(demo: Path) -> None:
    result = execute(demo, "mnist.weights", "x.npy", "--bench", "21", "--threads", "1")
    assert re.match(
        r"21 runs: min \d+\.\d{4} ms, median \d+\.\d{4} ms, mean \d+\.\d{4} ms\nsum 8: 0 2 ",
        result.stdout,
    )


def test_info(demo: Path) -> None:
    lines = execute(demo, "--info").stdout.splitlines()
    assert lines[:-2] == [
        "model mnist",
        "input x y: float32 1x8, 32 bytes",
        "output sum: float32 8, 32 bytes",
        "output copy: float32 1x8, 32 bytes",
        "arena 128 bytes",
        "weights 320 bytes",
    ]
    assert re.fullmatch(r"context \d+ bytes", lines[-2])
    assert lines[-1] == "threads 1"


def test_help(demo: Path) -> None:
    result = execute(demo, "x", "--help")
    assert result.returncode == 0
    assert result.stdout.startswith(f"usage: {demo} WEIGHTS INPUT... [options]\n")
    for option in ("--output", "--top", "--bench", "--threads", "--info"):
        assert f"\n  {option} " in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected a weight file and a file for each input; see --help"),
        (["mnist.weights"], "expected a weight file and a file for each input; see --help"),
        (["mnist.weights", "x.npy", "x.npy"], "too many files; see --help"),
        (["mnist.weights", "x.npy", "--frob"], "unknown option '--frob'; see --help"),
        (["mnist.weights", "x.npy", "--top"], "option --top takes a number from 1 to 1000000000"),
        (["--bench", "0"], "option --bench takes a number from 1 to 1000000000"),
        (["--bench", "1e3"], "option --bench takes a number from 1 to 1000000000"),
        (["--threads", "9" * 30], "option --threads takes a number from 1 to 1000000000"),
        (["--output"], "option --output takes a file"),
        (["--output", "a"] * 3, "option --output was given more often than there are outputs"),
        (["none", "x.npy"], "weight file 'none' cannot be opened"),
        (
            ["mnist.weights", "x.npy", "--threads", "2"],
            "this program was compiled for at most 1 thread, not for 2",
        ),
        (["x.npy", "x.npy"], "weight file 'x.npy' is not a weight file of autodeploy"),
        (["mnist.weights", "y.npy"], "'y.npy' cannot be opened"),
        (
            ["mnist.weights", "x.npy", "--output", "y.pb"],
            "'y.pb' ends neither in .bin nor in .npy",
        ),
        (["--", "--weights", "x.npy"], "weight file '--weights' cannot be opened"),
    ],
)
def test_errors(demo: Path, arguments: list[str], message: str) -> None:
    result = execute(demo, *arguments)
    assert (result.returncode, result.stderr) == (1, f"mnist: error: {message}\n")
    assert result.stdout == ""


def test_failing_kernel(demo: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.full((1, 8), -2000, np.float32))
    for options in ([], ["--bench", "3"]):
        result = execute(demo, "mnist.weights", tmp_path / "x.npy", *options)
        assert result.returncode == 1
        assert "kernel 'mnist_add' failed with code -7: the test asks" in result.stderr


def test_outputs_that_are_no_scores(tmp_path: Path) -> None:
    """Only one row of floating-point scores has a label; large outputs show their ends."""
    shapes = {
        "a": ("2x2xf32", "0 0 0 0"),
        "b": ("4xi32", "0 0 0 0"),
        "c": ("f32", "0"),
        "d": ("1x1x4xf32", "0 0 0 0"),
        "e": ("1x1xf32", "0"),
        "f": ("33xi8", "0 0 0 0 ... 0 0 0 0"),
        "g": ("1x3xf16", "0 0 0\nbest is 0"),
        "h": ("0xf32", ""),
    }
    arguments = ", ".join(f"%{name}: memref<{shape}>" for name, (shape, _) in shapes.items())
    names = ", ".join(f'"{name}"' for name in shapes)
    copies = "".join(
        f"%w{at} = driver.weight #nn.dense<{zero(shape)} : tensor<{shape}>> "
        f"{{offset = {64 * at} : i64}} : memref<{shape}>\n"
        f"driver.copy %w{at} to %{name} : memref<{shape}> to memref<{shape}>\n"
        for at, (name, (shape, _)) in enumerate(shapes.items())
    )
    ctx, module = parse(
        f"driver.program @shapes inputs [] outputs [{names}] arena 0 weights 512 {{\n"
        f"^bb0({arguments}):\n{copies}\n}}"
    )
    folder = new_folder(tmp_path)
    program = folder.add_model(ctx, module, kernels=False)
    demo = folder.compile("demo", *folder.add_demo(program, label="best is"))
    result = execute(demo, "shapes.weights")
    expected = {
        name: f"{name} {re.sub('x?[a-z]+[0-9]+$', '', shape) or 'scalar'}:"
        + (f" {text}" if text else "")
        for name, (shape, text) in shapes.items()
    }
    assert result.stdout.splitlines() == "\n".join(expected.values()).splitlines(), result.stderr


def zero(shape: str) -> str:
    """Return how zero is written as a constant of a type."""
    return "0" if "i" in shape else "0.0"
