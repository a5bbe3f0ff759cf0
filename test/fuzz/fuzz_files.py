"""Damaged files through the tools: one line, no traceback, no hang, no file elsewhere.

The files are models (ONNX, tmfile), tensors (.npy and .pb), texts of the lit tests with the
options that these run, and files of rules.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest import mock

import numpy as np
from fuzz_bytes import change_bytes, change_message, change_text, change_words
from isolated import Limits, Lost, Report, outcomes
from onnx import ModelProto, numpy_helper
from onnx_cases import CASES
from small_models import residual_network, small_classifier, upsampling_network
from tmfile_writer import small_network

import autodeploy
from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.diagnostics import UserError
from autodeploy.tools import cli, opt
from autodeploy.tools.tensor_files import read_tensor

BATCH = 20
"""Files to a process."""
LIMITS = Limits(seconds=90, bytes=6 << 30)
"""What a tool may take for a file that is small."""
TESTS = Path(__file__).parents[1]
RULES = Path(autodeploy.__file__).parent / "passes" / "fusion" / "rules"
ENTRY = TensorEntry("x", "float32", (2, 3))


@dataclass(frozen=True)
class Damaged:
    """A file that is made from one of a kind, by a seed and a number."""

    seed: int
    number: int

    @property
    def name(self) -> str:
        return f"{self.kind}_{self.seed}_{self.number}"

    @property
    def kind(self) -> str:
        return list(_KINDS)[self.number % len(_KINDS)]

    def run(self) -> str:
        """Give the file to its tool; returns what the tool did wrong, or nothing."""
        return _KINDS[self.kind](np.random.default_rng([self.seed, self.number]))


def run_files(seed: int, count: int, jobs: int = 1) -> Iterator[tuple[str, str]]:
    """Yield the name of each damaged file and what a tool did wrong with it, or nothing."""
    items = [Damaged(seed, number) for number in range(count)]
    batches = [items[start : start + BATCH] for start in range(0, count, BATCH)]
    for name, outcome in outcomes(batches, _work, jobs, LIMITS):
        yield name, outcome.reason if isinstance(outcome, Lost) else outcome


def _work(items: Sequence[Damaged], report: Report) -> Iterator[tuple[str, str]]:
    warnings.simplefilter("ignore")
    for item in items:
        report(item.name)
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            yield item.name, item.run()


def _model(random: np.random.Generator) -> str:
    models = (residual_network, small_classifier, upsampling_network)
    if random.random() < 0.1:
        model = models[int(random.integers(len(models)))]()
    else:
        model = CASES[int(random.integers(len(CASES)))].build(None)
    if random.random() < 0.6:
        changed = ModelProto()
        changed.CopyFrom(model)
        change_message(changed, random)
        data = changed.SerializeToString()
    else:
        data = change_bytes(model.SerializeToString(), random)
    Path("given").mkdir()
    Path("given", "model.onnx").write_bytes(data)
    level = str(random.integers(4))
    command = ["compile", "given/model.onnx", "-o", "out", "-O", level, "-j", "1", "--no-cache"]
    with mock.patch.object(sys, "argv", ["autodeploy", *command]):
        wrong, code = _said(cli.main)
    if wrong:
        return wrong
    left = _names(".") - {"given"}
    if left - {"out"} or _names("given") != {"model.onnx"} or (code and left):
        return f"exit status {code} and the files {sorted(left)}"
    return ""


def _tensor(suffix: str, random: np.random.Generator) -> str:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    file = Path(f"x{suffix}")
    if suffix == ".npy":
        with file.open("wb") as stream:
            np.save(stream, array)
        data = change_bytes(file.read_bytes(), random)
    else:
        tensor = numpy_helper.from_array(array, "x")
        if random.random() < 0.5:
            change_message(tensor, random)
            data = tensor.SerializeToString()
        else:
            data = change_bytes(tensor.SerializeToString(), random)
    file.write_bytes(data)

    def read() -> None:
        try:
            read_tensor(file, ENTRY)
        except UserError as error:
            print(error, file=sys.stderr)
            sys.exit(1)

    wrong, _ = _said(read)
    return wrong and f"{wrong} {data[:200]!r}"


@dataclass(frozen=True)
class _Text:
    """A file of lit tests and the options that its first test runs the tool with."""

    file: Path
    options: tuple[str, ...]


@cache
def _texts() -> Sequence[_Text]:
    """Return the files of lit tests that run the tool on themselves and nothing else."""
    found: list[_Text] = []
    for file in sorted(TESTS.rglob("*.mlir")):
        run = re.search(r"RUN: (?:not )?autodeploy-opt ([^|>]*%s[^|>]*?)(?:2?>|\||$)",
                        file.read_text(encoding="utf-8"), re.MULTILINE)  # fmt: skip
        if run and re.findall(r"%\w+", run[1]) == ["%s"]:
            options = [word for word in shlex.split(run[1]) if word != "%s"]
            found.append(_Text(file, tuple(options)))
    assert len(found) > 100
    return found


def _mlir(random: np.random.Generator) -> str:
    chosen = _texts()[int(random.integers(len(_texts())))]
    text = change_text(chosen.file.read_text(encoding="utf-8"), random)
    Path("given.mlir").write_text(text, encoding="utf-8")
    wrong, _ = _said(lambda: opt.main([*chosen.options, "given.mlir"]))
    if wrong:
        return f"{chosen.file.name} {' '.join(chosen.options)}: {wrong}"
    return "" if _names(".") == {"given.mlir"} else f"the files {_names('.')}"


def _rule(random: np.random.Generator) -> str:
    rules = sorted(RULES.glob("*.pdll"))
    rule = rules[int(random.integers(len(rules)))]
    text = change_text(rule.read_text(encoding="utf-8"), random)
    Path("rule.pdll").write_text(text, encoding="utf-8")
    # Texts that the rule finds something in are those of its own tests.
    tests = sorted((TESTS / "passes" / rule.stem.replace("_", "-")).glob("*.mlir"))
    source = tests[int(random.integers(len(tests)))]
    wrong, _ = _said(lambda: opt.main([str(source), "--apply-patterns=file=rule.pdll"]))
    return wrong and f"{rule.name} on {source.name}: {wrong}"


def _tmfile(random: np.random.Generator) -> str:
    Path("given.tmfile").write_bytes(change_words(small_network(), random))
    wrong, _ = _said(lambda: opt.main(["given.tmfile"]))
    return wrong or ("" if _names(".") == {"given.tmfile"} else f"the files {_names('.')}")


def _names(folder: str) -> set[str]:
    return {path.name for path in Path(folder).iterdir()}


def _said(tool: Callable[[], object]) -> tuple[str, int]:
    """Run a tool; returns what is wrong with what it says or raises, and its exit status."""
    said, errors = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
            result = tool()
        code = result if isinstance(result, int) else 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(bool(end.code))
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        places = " ".join(f"{Path(f.filename).name}:{f.lineno}" for f in frames[-3:])
        return f"{type(error).__name__} at {places}: {str(error)[:200]}", 1
    text = errors.getvalue()
    if "Traceback" in text or code not in (0, 1, 2):
        return f"exit status {code}: {text[-300:]}", code
    if code and not (text.strip() or said.getvalue().strip()):
        return f"exit status {code} and no word", code
    return "", code


_KINDS: dict[str, Callable[[np.random.Generator], str]] = {
    "model": _model,
    "npy": lambda random: _tensor(".npy", random),
    "mlir": _mlir,
    "rule": _rule,
    "pb": lambda random: _tensor(".pb", random),
    "tmfile": _tmfile,
}
