"""The nn dialect: the closed core on which all optimisation happens.

Some fifty typed ops on statically shaped tensors; ``docs/dialects/nn.md`` lists them. The dialect
holds the ops and attributes that the modules of this package define.

Constraints of all ops and their properties:

- (op_c1) elements have a type of nn
- (op_c2) the result has the type that follows from operands and properties
- (op_c3) operands that are computed with each other share one element type
- (op_c4) extents are known
- (op_c5) operands that are computed with each other broadcast to one shape
- (layout_c1) the layout first_to_last is for ``nn.conv`` alone
- (property_c1) a list has an entry for each axis, or for each end of it
- (property_c2) sizes, strides and pads are not too small
- (property_c3) axes rise
- (property_c4) axes are within the rank
- (property_c5) axes differ from each other
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
