"""A dialect of all ops and attributes that the modules of a package define."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from xdsl.ir import Attribute, Dialect, Operation

_Kind = TypeVar("_Kind")


def dialect_of(name: str, package: str, path: Iterable[str]) -> Dialect:
    """Return a dialect of all that has a name, base classes aside, in the modules of a package."""
    modules = [import_module(f"{package}.{found.name}") for found in iter_modules(path)]

    def defined(kind: type[_Kind]) -> Iterator[type[_Kind]]:
        for module in modules:
            for value in vars(module).values():
                # The classes are abstract: issubclass would ask all of their subclasses.
                if isinstance(value, type) and kind in value.__mro__:
                    is_own = value.__module__ == module.__name__
                    if is_own and isinstance(vars(value).get("name"), str):
                        yield value

    return Dialect(name, list(defined(Operation)), list(defined(Attribute)))
