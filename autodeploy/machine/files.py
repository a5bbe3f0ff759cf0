"""Files that describe a machine, which ``--machine FILE`` takes.

A file is TOML: Halide's target string (``target``) and settings, one a line. The machine has the
name of the file. A file is not trusted: it may be anybody's.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from autodeploy.diagnostics import UserError, io_errors

SUFFIX = ".toml"
"""How the name of such a file ends."""

_MAX_BYTES = 1 << 16


def read_description(path: Path) -> tuple[str, dict[str, str]]:
    """Return the name of the machine of a file, and its settings; their values are not checked.

    Raises ``UserError`` if there is no such file, or it is not TOML of texts and numbers.
    """
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", path.stem) is None:
        raise UserError(
            f"the machine of file '{path}' is called as the file is, expected up to 64 letters, "
            "digits, '.', '_' and '-'"
        )
    with io_errors(f"cannot read machine file '{path}'"), path.open("rb") as file:
        data = file.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise UserError(f"machine file '{path}' has more than {_MAX_BYTES} bytes")
    try:
        content = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        reason = " ".join(str(error).split()) or "it is nested too deeply"
        raise UserError(f"machine file '{path}' is not TOML: {reason}") from None
    for key, value in content.items():
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            raise UserError(f"'{key}' of machine file '{path}' is neither a text nor a number")
    return path.stem, {key: str(value) for key, value in content.items()}


def description_text(settings: Iterable[tuple[str, str]], comment: str) -> str:
    """Return the text of a file with these settings, after a line of comment."""
    lines = (
        f"{key} = {value}" if re.fullmatch(r"[0-9.]+", value) else f'{key} = "{value}"'
        for key, value in settings
    )
    return "\n".join([f"# {comment}", *lines, ""])
