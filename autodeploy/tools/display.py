"""The output of the tool on a terminal: progress, the report of a compilation, outputs of a run."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from autodeploy.codegen.bundle.manifest import WASM_FOLDER, Manifest
from autodeploy.diagnostics import visible
from autodeploy.machine import Machine
from autodeploy.tools.terminal import json_text, say, show_table

if TYPE_CHECKING:
    # Running a bundle needs no compiler.
    from autodeploy.compiler import Report

SHOWN_VALUES = 10
"""Values of an output that are printed; of a longer one, as many from its start."""


@contextmanager
def progress_bar() -> Generator[Callable[[str, int, int], None]]:
    """Show a bar while work goes on (on a terminal only); yields what reports a step."""
    if not sys.stderr.isatty():
        yield lambda what, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn("{task.description:32}", markup=False),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        console=Console(stderr=True, highlight=False),
        transient=True,
    )
    with bar:
        task = bar.add_task("")

        def step(what: str, done: int, total: int) -> None:
            bar.update(task, description=visible(what[:32]), completed=done, total=total)

        yield step


def show_report(report: Report, folder: Path, verbose: bool) -> None:
    """Print what was compiled; with ``verbose`` also seconds a pass and the memory map."""
    manifest = report.manifest
    if verbose:
        from rich.table import Table

        table = Table("pass", "seconds", title="passes", title_justify="left")
        for name, seconds in report.seconds:
            table.add_row(name, f"{seconds:.3f}")
        show_table(table, 0)
        say(*report.memory_map.split("\n"))
    total = sum(seconds for _, seconds in report.seconds)
    count = len(manifest.kernels)
    several = "".join(
        f" for {len(variants)} {kind}"
        for variants, kind in ((manifest.for_machines, "machines"), (manifest.for_parts, "parts"))
        if variants
    )
    said = (
        f"compiled '{manifest.name}' in {total:.1f} s: {count} kernel{'s' * (count != 1)}{several}"
    )
    say(said, *manifest.memory.lines())
    if inexact := [kernel for kernel in manifest.kernels if kernel.error]:
        names = " and ".join(sorted({kernel.algorithm or "" for kernel in inexact}))
        mantissa, exponent = f"{max(kernel.error for kernel in inexact):.0e}".split("e")
        say(
            f"kernels by {names}: {len(inexact)}, with rounding errors of up to "
            f"{mantissa}e{int(exponent)} of the largest product; -O2 does without"
        )
    say(*_next_steps(folder, manifest))


def _next_steps(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Yield the commands that build a bundle and run it."""
    machine = manifest.first_machine
    is_page = machine is not None and machine.is_page
    build, there = ["make", "-C", str(folder / WASM_FOLDER if is_page else folder)], ""
    if machine is not None and machine.platform != Machine.host().platform:
        there = f", on {machine.platform}"
        has_objects = manifest.has_objects or is_page
        if machine.compiler is not None and (has_objects or not machine.has_objects):
            build.append(f"CC={machine.compiler.command}")
    if manifest.has_wasm or not is_page:
        yield f"build it with: {' '.join(map(quote, build))}"
    if "index.html" in manifest.files:
        yield f"serve it with: python -m http.server --directory {quote(str(folder))}"
    if is_page:
        return
    program = str(folder / manifest.prefix)
    words = [
        program if "/" in program else f"./{program}",  # the shell finds no bare name here
        *([] if manifest.weights.embedded else [str(folder / manifest.weights.file)]),
        *["INPUT"] * len(manifest.inputs),
    ]
    use = f"run it with:   {' '.join(map(quote, words))}{there}"
    if machine is not None and not machine.has_system:
        use = f"link it with:  {quote(str(folder / f'lib{manifest.prefix}.a'))}{there}"
    elif machine is not None and not machine.has_objects:
        use = use.removesuffix(there)
    yield use


def show_top(
    outputs: Mapping[str, npt.NDArray[np.generic]], count: int, labels: Sequence[str]
) -> None:
    """Print the ``count`` largest values of each row of the outputs, the first rows of many.

    A row that has as many values as there are ``labels`` is printed with these; nan comes last.
    Strings are printed as they are.
    """
    for name, array in outputs.items():
        if array.dtype == object:
            show_outputs({name: array})
            continue
        show_head(name, array)
        rows = array.reshape(-1, array.shape[-1]) if array.shape else array.reshape(1, 1)
        for index, row in enumerate(rows[:SHOWN_VALUES]):
            if len(rows) > 1:
                say(f"  row {index}")
            width = len(str(len(row) - 1))
            for place in _largest(row, count):
                label = f"  {labels[place]}" if len(labels) == len(row) else ""
                say(f"  {place:{width}}: {row[place]}{label}")
        if len(rows) > SHOWN_VALUES:
            say(f"  … ({len(rows) - SHOWN_VALUES} more rows)")


def outputs_json(
    outputs: Mapping[str, npt.NDArray[np.generic]], count: int | None, labels: Sequence[str]
) -> str:
    """Return outputs as JSON: all values in row-major order, or the ``count`` largest of each row.

    These have their indices, and their labels if a row has as many values as there are ``labels``.
    """
    content: dict[str, object] = {}
    for name, array in outputs.items():
        dtype = "string" if array.dtype == object else str(array.dtype)
        entry: dict[str, object] = {"dtype": dtype, "shape": array.shape}
        content[name] = entry
        if count is None or array.dtype == object:
            entry["values"] = [_plain(value) for value in array.reshape(-1)]
            continue
        rows = array.reshape(-1, array.shape[-1]) if array.shape else array.reshape(1, 1)
        entry["top"] = [
            [
                {
                    "index": int(place),
                    "value": _plain(row[place]),
                    **({"label": labels[place]} if len(labels) == len(row) else {}),
                }
                for place in _largest(row, count)
            ]
            for row in rows
        ]
    return json_text(content)


def _largest(row: npt.NDArray[np.generic], count: int) -> npt.NDArray[np.intp]:
    """Return the indices of the largest values of a row, the largest first and nan last."""
    return np.argsort(-np.asarray(row, np.float64), kind="stable")[:count]


def _plain(value: Any) -> str | bool | int | float:
    """Return a value as one that JSON has; one of a type of ml_dtypes becomes a float."""
    if isinstance(value, str):
        return value
    plain: object = value.item() if hasattr(value, "item") else value
    return plain if isinstance(plain, bool | int | float) else float(value)


def show_head(name: str, array: npt.NDArray[np.generic]) -> None:
    """Print name, type and shape of an output."""
    shape = "x".join(map(str, array.shape)) or "scalar"
    dtype = "string" if array.dtype == object else array.dtype
    say(f"{name}: {dtype} {shape}")


def show_outputs(outputs: Mapping[str, npt.NDArray[np.generic]]) -> None:
    """Print name, type, shape and the first values of each output."""
    for name, array in outputs.items():
        show_head(name, array)
        flat = array.reshape(-1)
        values = " ".join(map(_shown, flat[:SHOWN_VALUES]))
        more = f" … ({flat.size - SHOWN_VALUES} more)" if flat.size > SHOWN_VALUES else ""
        say(f"  {values}{more}")


def _shown(value: object) -> str:
    """Return a value as it is printed: a string in quotes, what no terminal shows as escapes."""
    if not isinstance(value, str):
        return str(value)
    return json.dumps(value, ensure_ascii=not value.isprintable())
