"""Names of classes: a text file, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.diagnostics import UserError

_MAX_BYTES = 1 << 24


def read_labels(path: Path, outputs: Sequence[TensorEntry]) -> tuple[str, ...]:
    """Return the lines of a file, one for each value of a row of an output.

    Raises ``UserError`` if the file cannot be read, or no output has rows of that length.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UserError(f"labels '{path}' are no UTF-8 text") from None
    if len(data) > _MAX_BYTES:
        raise UserError(f"labels '{path}' have more than {_MAX_BYTES} bytes")
    lines = tuple("".join(c for c in line if c.isprintable()) for line in text.splitlines())
    if not any(entry.shape and entry.shape[-1] == len(lines) for entry in outputs):
        rows = ", ".join(f"{entry.shape[-1]} ('{entry.name}')" for entry in outputs if entry.shape)
        raise UserError(f"labels '{path}' have {len(lines)} lines, rows of outputs have {rows}")
    return lines
