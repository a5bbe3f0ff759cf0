"""Files as views of their bytes."""

from __future__ import annotations

import mmap
from pathlib import Path

from autodeploy.diagnostics import ModelError


def map_file(path: Path, what: str) -> memoryview:
    """Return the bytes of a file as a read-only view; raises ``ModelError`` if it has none."""
    try:
        if path.is_dir():
            raise ModelError(f"{what} is a folder, expected a file")
        if path.exists() and not path.is_file():  # a pipe, say, on which opening would wait
            raise ModelError(f"{what} is not a regular file")
        with path.open("rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except FileNotFoundError:
        raise ModelError(f"{what} does not exist") from None
    except ValueError:  # mmap's word for a file of no bytes
        raise ModelError(f"{what} is empty") from None
    except OSError as error:
        raise ModelError(f"{what} cannot be read: {error.strerror}") from None
