"""Programs with an open extent on memory that ends at a page which may not be touched.

Run as a program with a folder: it ends with a fault, or prints a line for each run.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import numpy as np
import open_inner
from closeness import assert_close
from guarded_memory import GuardedArray
from open_images import filtered
from open_inner import sentences
from open_joins import grids, kept, pieces
from open_networks import convolutional, drawn, encoder, expected, perceptron

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle

INNER = (sentences, filtered, kept, pieces, grids)
"""Those whose open extent is ``n``, the others have a batch."""

NETWORKS = (perceptron, convolutional, encoder, *INNER)
NUMBERS = (1, 2, 5, 7)


def main() -> None:
    """Run each network for some numbers; the memory of the caller has no element to spare."""
    for make in NETWORKS:
        model = make()
        folder = Path(sys.argv[1]) / make.__name__
        inner = make in INNER
        spec = OpenSpec(("n" if inner else "batch",), 1, 7)
        compile_model(model.SerializeToString(), folder, CompileOptions(dynamic=spec))
        with load_bundle(folder) as session:
            for number in NUMBERS:
                if inner:
                    values = open_inner.drawn(model, number)
                    right = open_inner.expected(model, values)
                else:
                    values = {"x": drawn(model, number)}
                    right = expected(model, values["x"])
                # Places are of 8 bytes: two numbers of 4 lie there.
                given = [GuardedArray((*v.shape, v.itemsize // 4)) for v in values.values()]
                for array, value in zip(given, values.values(), strict=True):
                    array.array.view(value.dtype).reshape(value.shape)[...] = value
                made = [GuardedArray((*r.shape, r.itemsize // 4)) for r in right]
                prefix, context = session._manifest.prefix, session._context
                functions = session._functions
                set_extent = functions[f"{prefix}_set_extent"]
                assert set_extent(context, 0, ctypes.c_int64(number)) == 0
                outputs = (ctypes.c_void_p * len(made))(*(m.address for m in made))
                inputs = (ctypes.c_void_p * len(given))(*(g.address for g in given))
                assert functions[f"{prefix}_run"](context, inputs, outputs) == 0
                for found, r in zip(made, right, strict=True):
                    assert_close(found.array.view(r.dtype).reshape(r.shape), np.asarray(r))
                print(make.__name__, number)


if __name__ == "__main__":
    main()
