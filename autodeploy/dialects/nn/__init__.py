"""The nn dialect: the closed core on which all optimisation happens.

Some fifty typed ops on statically shaped tensors; ``docs/dialects/nn.md`` lists them. The dialect
holds the ops and attributes that the modules of this package define.
"""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from xdsl.ir import Attribute, Dialect, Operation

_Kind = TypeVar("_Kind")


def _defined(kind: type[_Kind]) -> Iterator[type[_Kind]]:
    """List the classes of a kind in all modules, those that only others derive from aside."""
    for found in iter_modules(__path__):
        module = import_module(f"{__name__}.{found.name}")
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, kind):
                name = vars(value).get("name")
                if value.__module__ == module.__name__ and isinstance(name, str):
                    yield value


NN = Dialect("nn", list(_defined(Operation)), list(_defined(Attribute)))
