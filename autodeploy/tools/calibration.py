"""Samples of a network's inputs, from a folder of files or from one .npz file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from onnx import GraphProto, helper

from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.diagnostics import UserError
from autodeploy.frontend.onnx.shapes import dims_of, graph_inputs, listed_shape
from autodeploy.tools.pictures import PICTURES
from autodeploy.tools.tensor_files import NPZ_ERRORS, Array, one_line, read_tensor

_SAMPLES = (".npy", ".npz", ".pb", ".bin", *PICTURES)


def input_entries(graph: GraphProto) -> list[TensorEntry]:
    """Return the inputs of a graph; raises ``UserError`` if an extent of one is open."""
    entries: list[TensorEntry] = []
    for info in graph_inputs(graph):
        tensor = info.type.tensor_type
        dims = dims_of(tensor.shape)
        if not tensor.HasField("shape") or any(isinstance(n, str) for n in dims):
            raise UserError(
                f"input '{info.name}' has the open shape {listed_shape(dims)}; give its extents by "
                "--shape or --dim"
            )
        dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        entries.append(TensorEntry(info.name, dtype.name, tuple(map(int, dims))))
    return entries


def read_samples(path: Path, entries: Sequence[TensorEntry]) -> list[dict[str, Array]]:
    """Return the samples of a folder, a file for each, or those of an .npz file.

    A file of a folder is what ``read_tensor`` takes; if there are several inputs, it is an .npz
    file with an array for each. Files of other kinds are left out. The arrays of a single .npz file
    hold all samples along the first axis. Raises ``UserError`` if there is none, one that does not
    fit, or one with a nan or an infinity: no range of codes follows from it.
    """
    samples = _read(path, entries)
    for sample in samples:
        for name, array in sample.items():
            if array.dtype.kind == "f" and not np.isfinite(array).all():
                raise UserError(f"a sample of '{path}' for input '{name}' has a nan or an infinity")
    return samples


def _read(path: Path, entries: Sequence[TensorEntry]) -> list[dict[str, Array]]:
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix.lower() in _SAMPLES)
        if not files:
            raise UserError(f"the folder '{path}' holds no samples: no {', '.join(_SAMPLES)} file")
        several = [file for file in files if len(entries) > 1 and file.suffix.lower() != ".npz"]
        if several:
            raise UserError(
                f"the network has {len(entries)} inputs; a sample is an .npz file of all of them, "
                f"found '{several[0]}'"
            )
        return [{entry.name: read_tensor(file, entry) for entry in entries} for file in files]
    if path.suffix.lower() != ".npz":
        raise UserError(f"samples are a folder or an .npz file, found '{path}'")
    arrays = _arrays(path)
    parts = {entry.name: _parts(path, entry, arrays) for entry in entries}
    counts = {name: len(found) for name, found in parts.items()}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{n} of '{name}'" for name, n in counts.items())
        raise UserError(f"'{path}' holds different numbers of samples: {listed}")
    if not all(counts.values()):
        raise UserError(f"'{path}' holds no samples")
    return [dict(zip(parts, row, strict=True)) for row in zip(*parts.values(), strict=True)]


def _arrays(path: Path) -> dict[str, Array]:
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror or error}") from None
    except NPZ_ERRORS as error:
        raise UserError(f"'{path}' is not a valid .npz file: {one_line(error)}") from None


def _parts(path: Path, entry: TensorEntry, arrays: dict[str, Array]) -> list[Array]:
    """Return the samples of an input."""
    if entry.name not in arrays:
        listed = ", ".join(map(repr, arrays)) or "nothing"
        raise UserError(f"'{path}' holds {listed}, expected an array '{entry.name}'")
    array, batch = arrays[entry.name], entry.shape[0] if entry.shape else 1
    fits = array.ndim == max(len(entry.shape), 1) and array.shape[1:] == entry.shape[1:]
    if not fits or array.dtype != np.dtype(entry.dtype) or not batch or len(array) % batch:
        shape = "x".join(map(str, array.shape)) or "scalar"
        wanted = "x".join(map(str, ("N" if batch == 1 else f"{batch}N", *entry.shape[1:])))
        raise UserError(
            f"'{path}' holds {array.dtype} {shape} for input '{entry.name}', expected "
            f"{entry.dtype} {wanted} for N samples"
        )
    parts = array.reshape(len(array) // batch, *entry.shape)
    return list(parts)
