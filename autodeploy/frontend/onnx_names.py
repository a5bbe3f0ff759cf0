"""Names of a model as the IR can hold them."""

from __future__ import annotations

import re


def ascii_text(name: str) -> str:
    r"""Return a name in ASCII, other characters as ``\xe9`` or ``\u540d``.

    String attributes of other text do not read back as string attributes.
    """
    return name.encode("ascii", "backslashreplace").decode()


def value_hint(name: str) -> str | None:
    """Return the SSA name for the name of a value: letters, digits and underscores.

    xDSL tells equal names apart by a number behind an underscore and drops one that is there
    already, so ``conv_1`` becomes ``conv1``.
    """
    hint = re.sub(r"[^A-Za-z0-9_]", "_", name)
    hint = re.sub(r"(_+\d+)+$", lambda match: match[0].replace("_", ""), hint)
    return f"v{hint}" if hint[:1].isdigit() else hint or None


def model_identifier(name: str) -> str:
    """Return a C identifier for the name of a model; ``model`` for an empty one."""
    identifier = re.sub(r"[^A-Za-z0-9_]", "_", name).strip("_")
    return f"model_{identifier}" if identifier[:1].isdigit() else identifier or "model"
