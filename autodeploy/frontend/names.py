"""Names of a model as the IR can hold them."""

from __future__ import annotations

import re
import sys

from autodeploy.diagnostics import visible


def ascii_text(name: str) -> str:
    r"""Return a name in printable ASCII, other characters as ``\x1b``, ``\xe9`` or ``\u540d``.

    String attributes of other text do not read back as string attributes. A backslash that would
    read as the start of such a character is written as one itself: ``original_text`` gives back
    what the name was.
    """
    escaped = _ESCAPE.sub(lambda match: f"\\x5c{match[1]}", name)
    return visible(escaped.encode("ascii", "backslashreplace").decode())


def original_text(text: str) -> str:
    """Return the name that ``ascii_text`` wrote as this text."""
    return _ESCAPE.sub(_character, text)


_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")


def _character(match: re.Match[str]) -> str:
    number = int(match[1][1:], 16)
    is_one = number <= sys.maxunicode and not 0xD800 <= number < 0xE000
    return chr(number) if is_one else match[0]


def value_hint(name: str) -> str | None:
    """Return the SSA name for the name of a value: letters, digits and underscores.

    xDSL distinguishes equal names by a number after an underscore and drops an existing one,
    so ``conv_1`` becomes ``conv1``.
    """
    hint = re.sub(r"[^A-Za-z0-9_]", "_", name)
    hint = re.sub(r"(_+\d+)+$", lambda match: match[0].replace("_", ""), hint)
    return f"v{hint}" if hint[:1].isdigit() else hint or None


def model_identifier(name: str) -> str:
    """Return a C identifier for the name of a model; ``model`` for an empty one."""
    identifier = re.sub(r"[^A-Za-z0-9_]", "_", name).strip("_")
    return f"model_{identifier}" if identifier[:1].isdigit() else identifier or "model"
