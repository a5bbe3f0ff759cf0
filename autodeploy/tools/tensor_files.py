"""Tensors from files and to files: .npy, .npz, raw .bin, ONNX .pb, and pictures."""

from __future__ import annotations

import errno
import os
import struct
import sys
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from tokenize import TokenError
from typing import IO

import ml_dtypes
import numpy as np
import numpy.typing as npt

from autodeploy.codegen.bundle.tensor_entry import ExtentEntry, TensorEntry
from autodeploy.diagnostics import UserError, did_you_mean, io_errors
from autodeploy.toolchain.string_cells import as_bytes, from_cells
from autodeploy.toolchain.tensor_values import default_value
from autodeploy.tools.pictures import AS_IT_IS, PICTURES, Preparation, picture_misfit, read_picture
from autodeploy.weights import named_dtype, unpacked

Array = npt.NDArray[np.generic]

_NOT_READ = frozenset((
    ".avif", ".csv", ".gif", ".gz", ".h5", ".hdf5", ".heic", ".jp2", ".json", ".mat", ".onnx",
    ".parquet", ".pgm", ".pickle", ".pkl", ".ppm", ".pt", ".pth", ".safetensors", ".svg", ".tif",
    ".tiff", ".tsv", ".txt", ".zip"
))  # fmt: skip
"""Files that hold more than the elements of a tensor, so that they are none by their size."""

_MOST_UNASKED = 1 << 26
"""Bytes of an array that does not fit which are read all the same, to say what it is."""

_STDIN = Path("-")

_STARTS = {b"\x93NUMPY": ".npy", b"PK": ".npz", b"\x89PNG": ".png", b"\xff\xd8": ".jpg"}
"""The first bytes of files that are told by them."""

_LISTED = 5
"""Arrays of a file that a message names."""


def read_inputs(
    entries: Sequence[TensorEntry],
    texts: Sequence[str],
    prepare: Preparation = AS_IT_IS,
    extents: Sequence[ExtentEntry] = (),
) -> dict[str, Array]:
    """Read ``NAME=FILE`` arguments (or ``FILE`` where there is one input) into arrays.

    Inputs without a file have their default. If extents are open, each file may have any numbers
    within their ranges.

    Raises ``UserError`` for an unknown, repeated or missing name, a file that does not fit, or
    if pictures are prepared and there is none.
    """
    by_name = {entry.name: entry for entry in entries}
    required = [entry.name for entry in entries if not entry.default] or list(by_name)
    files: dict[str, Path] = {}
    for text in texts:
        name, file = _split(text, list(by_name), required)
        if name in files:
            raise UserError(f"input '{name}' is given twice")
        files[name] = file
    defaults = {e.name: default_value(e) for e in entries if e.default and e.name not in files}
    missing = [name for name in by_name if name not in files and name not in defaults]
    if missing:
        raise UserError(
            f"no file for input {', '.join(map(repr, missing))}; give --input NAME=FILE"
        )
    if prepare != AS_IT_IS and not any(f.suffix.lower() in PICTURES for f in files.values()):
        raise UserError("mean, std, BGR and NHWC are for pictures, and no input is one")
    if sum(file == _STDIN for file in files.values()) > 1:
        raise UserError("standard input is one input, and several are '-'")
    return defaults | {
        name: (_read_stdin if file == _STDIN else read_tensor)(
            file, by_name[name], prepare, extents
        )
        for name, file in files.items()
    }


def _read_stdin(
    _: Path, entry: TensorEntry, prepare: Preparation, extents: Sequence[ExtentEntry]
) -> Array:
    """Read standard input as a file whose kind its first bytes tell: elements alone otherwise."""
    data = sys.stdin.buffer.read()
    kinds = (kind for start, kind in _STARTS.items() if data.startswith(start))
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"input{next(kinds, '.bin')}"
        path.write_bytes(data)
        try:
            return read_tensor(path, entry, prepare, extents)
        except UserError as error:
            raise UserError(str(error).replace(f"'{path}'", "standard input")) from None


def _split(text: str, names: Sequence[str], required: Sequence[str]) -> tuple[str, Path]:
    """Return name and file of an argument; a name of the network may hold ``=`` itself.

    A file alone is for the only one of the inputs that are ``required``.
    """
    known = [name for name in names if text.startswith(f"{name}=")]
    if known:
        name = max(known, key=len)
        return name, Path(text[len(name) + 1 :])
    name, equals, _ = text.partition("=")
    if len(required) == 1 and (not equals or Path(text).exists()):
        return required[0], Path(text)
    listed = ", ".join(map(repr, names)) or "none"
    if not equals:
        raise UserError(
            f"'{text}' names no input; give NAME=FILE, the inputs of the network are {listed}"
        )
    raise UserError(
        f"the network has no input '{name}', its inputs are {listed}{did_you_mean(name, names)}"
    )


def read_tensor(
    path: Path,
    entry: TensorEntry,
    prepare: Preparation = AS_IT_IS,
    extents: Sequence[ExtentEntry] = (),
) -> Array:
    """Read a file as the tensor ``entry``: its element type and shape must be those.

    Elements alone, and a picture, tell the number of one open extent of ``extents`` by their size,
    too; of pictures there is one.

    A picture is resized to the tensor's extents, channels first or last, of values from 0 to 1
    where the tensor is a floating-point one and from 0 to 255 where it is of unsigned bytes, and
    prepared as ``prepare`` says. Raises ``UserError`` if the file cannot be read or holds
    something else.
    """
    dtype = named_dtype(entry.dtype)
    suffix = path.suffix.lower()
    with io_errors(f"cannot read '{path}'"):
        if suffix in PICTURES:
            return _picture(path, entry.at(extents, [1] * len(extents)), dtype, prepare)
        if suffix in _NOT_READ:
            raise UserError(
                f"'{path}' cannot be an input: {suffix} files are not read; inputs are .npy, .npz "
                f"or .pb files, pictures ({', '.join(PICTURES)}), or elements alone (.bin)"
            )
        if suffix == ".npy":
            with path.open("rb") as file:
                array = _npy(file, path, dtype)
        elif suffix == ".npz":
            array = _npz(path, entry, dtype)
        elif suffix == ".pb":
            array = _proto(path)
        else:
            array = _raw(path, _sized(path, entry, extents), dtype)
    entry = entry.fitted(extents, array.shape)
    is_text = entry.cell is not None and array.dtype.kind in "OSU"
    if (array.dtype != dtype and not is_text) or array.shape != entry.shape:
        raise UserError(
            f"'{path}' holds {_described(str(array.dtype), array.shape)}, "
            f"input '{entry.name}' takes {_described(entry.dtype, entry.shape)}"
        )
    return array


def _sized(path: Path, entry: TensorEntry, extents: Sequence[ExtentEntry]) -> TensorEntry:
    """Return the tensor with the number of an open extent that the size of a file tells.

    A size tells nothing where the tensor depends on several numbers.
    """
    told = entry.numbers_of(extents, entry.shape)
    if len(told) != 1 or not path.is_file():
        return entry
    ((place, _),) = told.items()
    extent, others = extents[place], [extent.most for extent in extents]
    # If several axes are open the size is no multiple of the number.
    sized = (
        entry.at(extents, [*others[:place], n, *others[place + 1 :]])
        for n in range(extent.least, extent.most + 1, extent.step)
        if extent.has(n)
    )
    size = path.stat().st_size
    return next((tensor for tensor in sized if tensor.bytes == size), entry)


def _described(dtype: str, shape: Sequence[int]) -> str:
    return f"{dtype} {'x'.join(map(str, shape)) or 'scalar'}"


def _raw(path: Path, entry: TensorEntry, dtype: np.dtype[np.generic]) -> Array:
    """Read elements and nothing else, as the C program takes them."""
    expected = entry.bytes
    found = path.stat().st_size
    data = path.read_bytes() if found == expected or not path.is_file() else None
    if data is None or len(data) != expected:
        raise UserError(
            f"'{path}' has {found if data is None else len(data)} bytes, input '{entry.name}' of "
            f"{_described(entry.dtype, entry.shape)} takes {expected}"
        )
    raw = np.frombuffer(data, np.uint8)
    if entry.cell is not None:
        return from_cells(raw, entry.cell, entry.shape)
    return unpacked(raw, entry.bits, dtype, entry.shape)


def _picture(
    path: Path, entry: TensorEntry, dtype: np.dtype[np.generic], prepare: Preparation
) -> Array:
    if (misfit := picture_misfit(entry.shape, dtype, prepare)) is not None:
        raise UserError(
            f"input '{entry.name}' of {_described(entry.dtype, entry.shape)} takes no picture; "
            f"{misfit}"
        )
    return read_picture(path, entry.shape, dtype, prepare)


def _npy(file: IO[bytes], path: Path, dtype: np.dtype[np.generic]) -> Array:
    """Read the content of a .npy file; NumPy writes ml_dtypes' types as blanks."""
    try:
        array: Array = np.lib.format.read_array(file, allow_pickle=False)
    except _NPY_ERRORS as error:
        raise UserError(f"'{path}' is not a valid .npy file: {one_line(error)}") from None
    if array.dtype == np.dtype(f"V{dtype.itemsize}") and dtype.name in ml_dtypes.__all__:
        return array.view(dtype)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


_NPY_ERRORS = (
    *(ValueError, TypeError, LookupError, EOFError, MemoryError, OverflowError),
    *(SyntaxError, TokenError, RecursionError),
)
"""The errors of NumPy for a malformed file: the header is Python text, which Python parses."""


def _npz(path: Path, entry: TensorEntry, dtype: np.dtype[np.generic]) -> Array:
    """Read the array of an .npz file that has the input's name, or the only one that there is."""
    try:
        with zipfile.ZipFile(path) as archive:
            info = _member(path, archive.infolist(), entry.name)
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ValueError("it is compressed in a way that NumPy does not use")
            # NumPy has four bytes for a character, where UTF-8 has one at least.
            expected = prod(entry.shape) * (4 * entry.cell if entry.cell else dtype.itemsize)
            if info.file_size > max(expected, _MOST_UNASKED) + 0xFFFF:
                raise UserError(
                    f"'{path}' has {info.file_size} bytes, input '{entry.name}' of "
                    f"{_described(entry.dtype, entry.shape)} takes {expected}"
                )
            with archive.open(info) as file:
                return _npy(file, path, dtype)
    except NPZ_ERRORS as error:
        raise UserError(f"'{path}' is not a valid .npz file: {one_line(error)}") from None


NPZ_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, LookupError),
    *(OverflowError, MemoryError, RuntimeError),
)
"""The errors of the standard library for a malformed archive, including a locked one."""


def _member(path: Path, found: Sequence[zipfile.ZipInfo], name: str) -> zipfile.ZipInfo:
    """Return the file of an archive that has the array of an input."""
    members = {info.filename.removesuffix(".npy"): info for info in found}
    if len(members) == 1:
        return next(iter(members.values()))
    if name not in members:
        listed = ", ".join(map(repr, [*members][:_LISTED])) or "nothing"
        more = f" and {len(members) - _LISTED} more" if len(members) > _LISTED else ""
        raise UserError(f"'{path}' holds {listed}{more}, expected an array '{name}'")
    return members[name]


def _proto(path: Path) -> Array:
    """Read an ONNX ``TensorProto``."""
    from google.protobuf.message import DecodeError
    from onnx import TensorProto, numpy_helper

    tensor = TensorProto()
    try:
        tensor.ParseFromString(path.read_bytes())
        if tensor.data_location == TensorProto.EXTERNAL:
            raise ValueError("its data is in another file")
        return numpy_helper.to_array(tensor)
    except LookupError:
        raise UserError(f"'{path}' has elements of the unknown type {tensor.data_type}") from None
    except (DecodeError, ValueError, TypeError) as error:
        raise UserError(f"'{path}' is not a valid .pb file: {one_line(error)}") from None


def one_line(error: Exception) -> str:
    """Return the first line of an error's text, without its full stop."""
    first = "" if isinstance(error, UnicodeError) else next(iter(error.args), "")
    text = first if first and isinstance(first, str) else str(error)
    lines = text.splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def check_folder(folder: Path) -> None:
    """Raise ``UserError`` if ``write_outputs`` would find a file in place of its folder."""
    there = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    if there.exists() and not there.is_dir():
        reason = os.strerror(errno.EEXIST if there == folder else errno.ENOTDIR)
        raise UserError(f"cannot write outputs to '{folder}': {reason}")


def write_outputs(folder: Path, outputs: Mapping[str, Array]) -> None:
    """Write each output to ``folder`` as ``<number>-<name>.npy``, the name made safe for files.

    Strings are arrays of bytes there, in UTF-8, which NumPy reads without pickle. Raises
    ``UserError`` if that is not possible.
    """
    from autodeploy.codegen.c.names import c_identifier

    with io_errors(f"cannot write outputs to '{folder}'"):
        folder.mkdir(parents=True, exist_ok=True)
        for number, (name, array) in enumerate(outputs.items()):
            np.save(folder / f"{number}-{c_identifier(name)}.npy", as_bytes(array))
