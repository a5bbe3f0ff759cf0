"""Labels of constraints: pages, verifiers and negative tests name the same ones."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from documents import ROOT

DIALECTS = {
    "driver": ("driver", "memref.py"),
    "halide": ("halide",),
    "nn": ("nn", "../templates/fitting.py", "../templates/registry.py"),
    "onnx": ("onnx",),
}
"""The source of each dialect whose constraints have labels."""

NO_VERIFIERS = {"_segments", "_ranked", "ConfigAttr"}
"""What refuses a model before there is an op to verify, or a value that is no operand of one."""

LABEL = r"[a-z_]+_c\d+"


def modules(dialect):
    for name in DIALECTS[dialect]:
        path = ROOT / "autodeploy/dialects" / name
        yield from [path] if path.is_file() else sorted(path.glob("*.py"))


def errors(path: Path, function: str) -> Iterator[ast.Call]:
    """Yield the calls of a function that makes an error."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if getattr(node, "name", "") not in NO_VERIFIERS]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == function:
            yield node


def in_verifiers(dialect):
    functions = ("invalid", "check_floats", "check_numbers")
    calls = [c for path in modules(dialect) for name in functions for c in errors(path, name)]
    return [call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)]


def in_page(dialect):
    page = (ROOT / f"docs/dialects/{dialect}.md").read_text(encoding="utf-8")
    return set(re.findall(rf"^- \(({LABEL})\) \S", page, re.MULTILINE))


def in_tests(dialect):
    tests = sorted((ROOT / "test/dialects" / dialect).glob("*.mlir"))
    text = "".join(path.read_text(encoding="utf-8") for path in tests)
    return set(re.findall(rf"// expected-error\S*(?: @\S+)? \{{\{{.*\[({LABEL})\]\}}\}}", text))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_pages_verifiers_and_tests_name_the_same_constraints(dialect):
    labels = set(in_verifiers(dialect))
    assert labels
    assert in_page(dialect) == labels
    assert in_tests(dialect) == labels


@pytest.mark.parametrize("dialect", DIALECTS)
def test_labels_of_an_op_are_numbered_from_one_on(dialect):
    numbers = {}
    for label in in_page(dialect):
        name, _, number = label.rpartition("_c")
        numbers.setdefault(name, []).append(int(number))
    for name, found in numbers.items():
        assert sorted(found) == list(range(1, len(found) + 1)), name


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_verifier_raises_an_error_without_a_label(dialect):
    for path in modules(dialect):
        for call in errors(path, "VerifyException"):
            names = {n.id for n in ast.walk(call) if isinstance(n, ast.Name)}
            assert "error" in names, f"{path.name}:{call.lineno}"
