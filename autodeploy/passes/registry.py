"""Passes found by listing files: to add a pass is to add its file.

A module is a pass file when a class of it is named as the file is: ``plan_memory.py`` holds the
line ``name = "plan-memory"``. That is read as text, so listing imports nothing; the module is
imported when the pass is asked for. Other modules of the folder (helpers, ``__init__``) hold no
such line and are not listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from xdsl.passes import ModulePass

_NAME = re.compile(r'^[ \t]+name(?:\s*:[^=\n]+)?\s*=\s*"([a-z0-9-]+)"', re.MULTILINE)


def pass_name(path: Path) -> str | None:
    """Return the name of the pass that a file defines, ``None`` if it defines none."""
    name = path.stem.replace("_", "-")
    return name if name in _NAME.findall(path.read_text(encoding="utf-8")) else None


def discover_passes(package: str) -> dict[str, Callable[[], type[ModulePass]]]:
    """List the passes of a package's own folder by name, each with the loader of its class."""
    spec = find_spec(package)
    folders = (spec.submodule_search_locations or ()) if spec else ()
    files = sorted(file for folder in folders for file in Path(folder).glob("*.py"))
    return {
        name: _loader(f"{package}.{file.stem}", name)
        for file in files
        if (name := pass_name(file)) is not None
    }


def _loader(module: str, name: str) -> Callable[[], type[ModulePass]]:
    def load() -> type[ModulePass]:
        for value in vars(import_module(module)).values():
            if (
                isinstance(value, type)
                and issubclass(value, ModulePass)
                and value.__module__ == module
                and getattr(value, "name", None) == name
            ):
                return value
        raise ImportError(f"{module} says that it defines pass '{name}', but has no such class")

    return load
