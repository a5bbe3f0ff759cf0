"""Names that no model may have in a bundle, since something else has them there.

A model's name begins the names of its files and of everything that its C sources define. The names
of the runtime are read from its sources. ``reserved_names.toml`` lists those of C, C++, POSIX and
the file systems; a test compares it with the headers and libraries of the machine that it runs on.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path

_TEXT = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
_LISTS = {name: frozenset(words.split()) for name, words in tomllib.loads(_TEXT).items()}

C_HEADERS = _LISTS["c_headers"]
CXX_HEADERS = _LISTS["cxx_headers"]
SYSTEM_HEADERS = _LISTS["system_headers"]


def is_reserved(name: str) -> bool:
    """Return whether a model may not be called ``name``, in capitals or not."""
    plain = name.lower()
    return plain in _listed() or not names_after(plain).isdisjoint(names_of_models())


@cache
def names_after(prefix: str) -> frozenset[str]:
    """Return what follows ``<prefix>_`` in names of the runtime that are not a model's."""
    start = f"{prefix.lower()}_"
    return frozenset(name.removeprefix(start) for name in _others() if name.startswith(start))


@cache
def names_of_models() -> frozenset[str]:
    """Return what follows ``<model>_`` in the names that each model has, in small letters."""
    start = "model_"
    return frozenset(name.removeprefix(start) for name in _runtime()[1] if name.startswith(start))


@cache
def _others() -> frozenset[str]:
    return frozenset(name for name in _runtime()[1] if not name.startswith("model_"))


@cache
def _listed() -> frozenset[str]:
    return _runtime()[0].union(*_LISTS.values())


@cache
def _runtime() -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of the runtime's files and the words in them, all in small letters.

    A template is C for a model called ``model``: the words that start so are each model's own.
    """
    runtime = files("autodeploy").joinpath("runtime")
    found = (*runtime.iterdir(), *runtime.joinpath("library").iterdir())
    sources = [file for file in found if file.name.endswith((".c", ".h"))]
    text = "\n".join(file.read_text(encoding="utf-8") for file in sources).lower()
    stems = frozenset(file.name.rpartition(".")[0] for file in sources)
    return stems, frozenset(re.findall(r"[a-z]\w*", text))
