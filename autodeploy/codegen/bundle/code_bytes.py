"""How many bytes of code and constants object files bring to a program, without their headers.

The layout of an object file is that of the System V ABI: an ELF header, which says where the table
of sections is, and an entry of this table for each section.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path

from autodeploy.codegen.bundle.build_files import BUILD_FOLDER
from autodeploy.codegen.bundle.manifest import Manifest

_MAGIC = b"\x7fELF"

_ALLOCATED = 2
"""Flag of a section that is in memory while the program runs (SHF_ALLOC)."""

_UNWINDING = (b".eh_frame", b".ARM.ex")
"""How the names of sections for exceptions begin, of which C has none."""


def kernel_objects(folder: Path, manifest: Manifest) -> list[Path]:
    """Return the object files of a bundle's kernels; of source, those that make has built."""
    files = dict.fromkeys(Path(kernel.file) for kernel in manifest.kernels if not kernel.on_device)
    built = folder / BUILD_FOLDER / "objects"
    return [
        folder / file if file.suffix == ".o" else built / file.with_suffix(".o") for file in files
    ]


def code_bytes(files: Iterable[Path]) -> int | None:
    """Return the bytes of code and constants of all object files together.

    ``None`` if one is missing, or of another form than ELF.
    """
    total = 0
    for file in files:
        try:
            total += _code_bytes(file.read_bytes())
        except (OSError, ValueError, IndexError, struct.error):
            return None
    return total


def _code_bytes(data: bytes) -> int:
    """Return the bytes of an object file; raises where it is none."""
    if not data.startswith(_MAGIC) or data[4] not in (1, 2) or data[5] not in (1, 2):
        raise ValueError("no ELF file")
    order, wide = "<>"[data[5] - 1], data[4] == 2
    (table,) = struct.unpack_from(f"{order}{'Q' if wide else 'I'}", data, 40 if wide else 32)
    size, count, names = struct.unpack_from(f"{order}3H", data, 58 if wide else 46)
    fields = f"{order}{'2I4Q' if wide else '6I'}"
    sections = [_section(fields, data, table + i * size) for i in range(count)]
    texts = sections[int(names)][2]
    return sum(
        bytes_
        for name, flags, _, bytes_ in sections
        if flags & _ALLOCATED and not data.startswith(_UNWINDING, texts + name)
    )


def _section(fields: str, data: bytes, place: int) -> tuple[int, int, int, int]:
    """Return of an entry where its name is, its flags, where its content is, and the bytes."""
    name, _, flags, _, offset, size = struct.unpack_from(fields, data, place)
    return name, flags, offset, size
