"""Writing a file whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from secrets import token_hex

from autodeploy.diagnostics import UserError


def write_whole(path: Path, text: str | bytes, before: Callable[[], None] = lambda: None) -> None:
    """Write ``text`` to ``path``; a reader sees the old file or the new one, never a part.

    A string is written as UTF-8. ``before`` runs when the text is safely on the disk but not yet in
    its place; where it raises, ``path`` stays as it was. A device or a pipe is written to directly.
    Raises ``UserError`` if the path cannot be written.
    """
    partial: Path | None = None
    content = text.encode() if isinstance(text, str) else text
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            before()
            target.write_bytes(content)
            return
        partial = target.with_name(f".{token_hex(8)}.partial")
        with partial.open("xb") as file:
            file.write(content)
        before()
        partial.replace(target)
    except OSError as error:
        raise UserError(f"cannot write '{path}': {error.strerror or error}") from None
    finally:
        if partial is not None:
            partial.unlink(missing_ok=True)
