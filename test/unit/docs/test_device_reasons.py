"""The reasons for which kernels stay on the processor: code and page have the same ones."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from documents import ROOT

PACKAGE = ROOT / "autodeploy"

REASONS = {
    "passes/kernels/place_kernels.py": ("templates/device_kernels.py", "obstacle"),
    "lowering/nn_to_halide/convert_nn_to_halide.py": (
        "lowering/nn_to_halide/convert_nn_to_halide.py",
        "_stays_on_host",
    ),
    "passes/driver/insert_transfers.py": (
        "passes/driver/insert_transfers.py",
        "_leave_unreachable",
    ),
}
"""The function that has the texts, by the file that states a reason."""

NEVER_STATED = re.escape("machine '") + ".+" + re.escape("' has no device")
"""It is the error of a config for a device; place-kernels leaves such a module alone."""


def patterns(path: str, function: str) -> Iterator[str]:
    """Yield the texts that a function returns, calls ``reason`` or writes, as patterns."""
    tree = ast.parse((PACKAGE / path).read_text(encoding="utf-8"))
    (body,) = (n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == function)
    for node in ast.walk(body):
        match node:
            case ast.Return(value=ast.expr() as value):
                yield from texts(value)
            case ast.Assign(targets=[ast.Name("reason")], value=value):
                yield from texts(value)
            case ast.Call(func=ast.Name("StringAttr"), args=[value]):
                yield from texts(value)
            case _:
                pass


def texts(value: ast.expr) -> Iterator[str]:
    match value:
        case ast.Constant(value=str(text)):
            yield re.escape(text)
        case ast.JoinedStr(values=parts):
            yield "".join(
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
                for part in parts
            )
        case ast.IfExp(body=body, orelse=other):
            yield from (*texts(body), *texts(other))
        case _:
            pass


STATED = [p for source in REASONS.values() for p in patterns(*source) if p != NEVER_STATED]


def cells(heading: str) -> list[str]:
    """Return the first cell of each row of a table of the page."""
    page = (ROOT / "docs/devices.md").read_text(encoding="utf-8")
    (table,) = re.findall(rf"^\| {heading} \|.*\n\|---.*\n((?:\|.*\n)+)", page, re.MULTILINE)
    return [row.split(" | ")[0].removeprefix("| ") for row in table.splitlines()]


def test_files_that_state_reasons_are_known():
    files = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if re.search(r"HOST_REASON\] = StringAttr", path.read_text(encoding="utf-8"))
    }
    assert files == set(REASONS)


@pytest.mark.parametrize("pattern", STATED)
def test_a_reason_is_in_the_page(pattern: str):
    pages = [*cells("reason in `on_host`"), *cells("reason")]
    assert any(re.fullmatch(pattern, cell) for cell in pages)


@pytest.mark.parametrize("cell", cells("reason in `on_host`"))
def test_a_reason_of_the_page_is_stated(cell: str):
    assert any(re.fullmatch(pattern, cell) for pattern in STATED)
