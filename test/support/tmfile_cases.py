"""Small tmfiles through the importer, and what they compute by NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from nn_numpy import evaluate
from tmfile_writer import TmfileWriter
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from autodeploy.diagnostics import UnsupportedError
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.tmfile.importer import import_tmfile


def imported(file: TmfileWriter, *outputs: int, **options) -> tuple[Context, ModuleOp]:
    """Import the file; the module verifies."""
    ctx = new_context()
    module = import_tmfile(ctx, file.bytes(*outputs), **options)
    module.verify()
    return ctx, module


def run(file: TmfileWriter, output: int, *inputs: np.ndarray, **options) -> np.ndarray:
    """Compute the one result of the node that makes ``output``."""
    (found,) = run_all(file, output, *inputs, **options)
    return found


def run_all(file: TmfileWriter, output: int, *inputs: np.ndarray, **options) -> list[np.ndarray]:
    """Compute all results of the node that makes ``output``."""
    return evaluate(*imported(file, output, **options), inputs)


def refused(file: TmfileWriter, *outputs: int) -> str:
    """Return the one text that says what does not convert."""
    with pytest.raises(UnsupportedError) as raised:
        imported(file, *outputs)
    return str(raised.value)


def single(x: np.ndarray, operator: int, *parameters, more=(), **options):
    """Return a file of one node, whose first input is like ``x``, and the node's output.

    ``more`` are the constants that it reads, too.
    """
    file = TmfileWriter()
    inputs = [file.input("x", x.shape)]
    inputs += [file.constant(f"c{i}", np.array(array)) for i, array in enumerate(more)]
    return file, file.node(operator, inputs, *parameters, **options)
