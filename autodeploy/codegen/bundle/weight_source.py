"""The weights as a C source, ``<model>_weights.c``, that is linked into the program.

It is a constant array of bytes, portable and without tools beyond the C compiler. Compilers take
time and memory for such an array, so it is for small networks.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from xdsl.context import Context

from autodeploy.codegen.bundle.weight_file import weight_pieces
from autodeploy.codegen.c.header import title
from autodeploy.codegen.c.program import Program
from autodeploy.codegen.c.template import fill
from autodeploy.diagnostics import UserError, io_errors

MAX_BYTES = 4 << 20
"""The most bytes of weights that become a C source: gcc takes some 150 times as much memory."""

_ROW = 24


def check_embeddable(data_bytes: int) -> None:
    """Raise ``UserError`` if weights of ``data_bytes`` bytes are too large for C source."""
    if data_bytes > MAX_BYTES:
        raise UserError(
            f"weights of {data_bytes} bytes are too large to embed, expected at most "
            f"{MAX_BYTES}; leave them in the weight file"
        )


def write_weight_source(ctx: Context, program: Program, path: Path) -> None:
    """Write the weights of a program as C; raises as ``write_weight_file`` and the check above."""
    check_embeddable(program.data_bytes)
    data = b"".join(piece.tobytes() for piece in weight_pieces(ctx, program))
    sections = {
        "title": title(program),
        "data_bytes": str(max(len(data), 1)),
        "data": ",\n".join(_rows(data or b"\0")),
    }
    text = fill("template_weights.c", program.prefix, sections)
    with io_errors(f"cannot write '{path}'"):
        path.write_text(text, encoding="utf-8", newline="\n")


def _rows(data: bytes) -> Iterator[str]:
    for start in range(0, len(data), _ROW):
        yield ",".join(map(str, data[start : start + _ROW]))
