"""Extents that depend on the numbers of a run, known exactly for all of them.

The ranges of a run's numbers are finite, so an extent is a table over them. A question about it
(equal, less, divisible) has the same answer for all numbers, or raises ``Undecided`` with two
numbers that answer differently. An ``Extent`` computes and compares as an int does. It is not one:
code that needs a single number (``range``, an array of NumPy) raises instead of taking one of them.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast
from weakref import WeakValueDictionary

from typing_extensions import TypeIs
from xdsl.utils.exceptions import VerifyException

from autodeploy.diagnostics import UserError
from autodeploy.dialects.open_range import Derived, OpenRange, fewer, remedy, singles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Integers: TypeAlias = "NDArray[np.int64]"

_T = TypeVar("_T")

MOST_POINTS = 1 << 20
"""The most combinations of numbers for which extents are tabulated."""

_LIMIT = 1 << 63
"""One more than the largest element of a table."""

_MOST_KEPT = 1 << 14
"""The most elements of a table that the operands from which it was computed keep."""

_EXACT = 1 << 31
"""Integers below this one have sums and products in 64 bits."""


class Undecided(VerifyException):
    """A question whose answer differs between numbers of a run.

    ``answers`` are for the grid, of booleans or, for a question of a value, the values. ``counts``
    are two lists of counts of steps, one for each answer; the first answers yes.
    """

    def __init__(
        self, question: str, numbers: Numbers, counts: tuple[Counts, Counts], answers: NDArray[Any]
    ):
        yes, no = map(numbers.text, counts)
        super().__init__(f"{question} holds for {yes}, not for {no}")
        self.question, self.numbers, self.counts = question, numbers, counts
        self.answers = answers

    @property
    def remedy(self) -> str:
        """The options that split the ranges so that the question has one answer in each part.

        A question with many parts has a step instead, where one gives the same answer.
        """
        import numpy as np

        return remedy(self.numbers.ranges, np.broadcast_to(self.answers, self.numbers.shape))


Counts: TypeAlias = tuple[int, ...]
"""A count of steps for each number of a run."""


@dataclass(frozen=True)
class Numbers:
    """All numbers that a run may have: the grid of the ranges, and numbers derived from them."""

    ranges: tuple[OpenRange, ...]
    derived: tuple[Derived, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """How many numbers each range has."""
        return tuple(range_.count for range_ in self.ranges)

    @cached_property
    def key(self) -> bytes:
        """A key that is equal for equal ranges."""
        return str((self.ranges, *(number.digest for number in self.derived))).encode()

    @property
    def all_ranges(self) -> tuple[OpenRange, ...]:
        """The ranges of the numbers by which extents grow, in the order of their places."""
        return *self.ranges, *self.derived

    @property
    def points(self) -> int:
        """How many combinations of numbers there are."""
        return prod(self.shape)

    @cached_property
    def counts(self) -> tuple[Integers, ...]:
        """The counts of steps of each number, as arrays that broadcast to the grid."""
        import numpy as np

        axes = [np.arange(range_.least, range_.most + 1) for range_ in self.ranges]
        return tuple(np.meshgrid(*axes, indexing="ij", sparse=True))

    @cached_property
    def all_counts(self) -> tuple[Integers, ...]:
        """The counts of steps of each number, and the derived numbers, in the same way."""
        return *self.counts, *(number.table for number in self.derived)

    def extent(self, place: int) -> int:
        """Return the number at a place of the list as an extent."""
        return extent_of(self, self.counts[place] * self.ranges[place].step)

    def counts_at(self, index: int) -> Counts:
        """Return the counts of steps at a flat index of the grid."""
        import numpy as np

        found = np.unravel_index(index, self.shape)
        return tuple(r.least + int(i) for r, i in zip(self.ranges, found, strict=True))

    def place(self, counts: Sequence[int], shape: Sequence[int]) -> tuple[int, ...]:
        """Return where a table of a shape that broadcasts to the grid has its value for counts.

        Raises ``ValueError`` for counts that are not of the ranges.
        """
        for range_, count in zip(self.ranges, counts, strict=True):
            if not range_.least <= count <= range_.most:
                raise ValueError(f"{count} is not a count of {range_.label}")
        places = zip(counts, self.ranges, shape, strict=True)
        return tuple(0 if extent == 1 else n - range_.least for n, range_, extent in places)

    def text(self, counts: Sequence[int]) -> str:
        """Return the numbers that a run is given for counts of steps; several with names."""
        found = [range_.number(n) for range_, n in zip(self.ranges, counts, strict=True)]
        if len(found) == 1:
            return str(found[0])
        named = zip(self.ranges, found, strict=True)
        return ", ".join(f"{range_.label} {number}" for range_, number in named)

    def check(self) -> None:
        """Raise ``UserError`` if there are more combinations than extents are tabulated for."""
        if self.points > MOST_POINTS:
            labels = " and ".join(f"'{range_.label}'" for range_ in self.ranges)
            raise UserError(
                f"the ranges of {labels} have {self.points} combinations of numbers, at most "
                f"{MOST_POINTS} can be followed; {fewer(self.ranges, MOST_POINTS)} may help"
            )

    @property
    def single_parts(self) -> str:
        """The line of an error that says how to give each number a part."""
        return f"  a part of one number has no open extent: {singles(self.ranges)}"


EXTENTS: WeakValueDictionary[object, Extent] = WeakValueDictionary()
"""Extents in use, by their keys: most values of a network have one of a few."""

_Int = int if TYPE_CHECKING else object
"""The base class for the type checker: an ``Extent`` replaces an integer."""


class Extent(_Int):
    """An integer that differs between the numbers of a run.

    ``table`` broadcasts to the grid of ``numbers``. Arithmetic has the tables of its results, a
    plain int where that is the same for all numbers. Comparisons raise ``Undecided`` where numbers
    answer differently, and so does what needs a single number.
    """

    table: Integers
    numbers: Numbers
    _found: dict[object, Any]
    """Results so far, by the operation and its operands."""

    def __init__(self, table: Integers, numbers: Numbers):
        self.table, self.numbers, self._found = table, numbers, {}

    def __add__(self, other: int) -> int:
        return self._with(operator.add, self, other)

    def __radd__(self, other: int) -> int:
        return self._with(operator.add, other, self)

    def __sub__(self, other: int) -> int:
        return self._with(operator.sub, self, other)

    def __rsub__(self, other: int) -> int:
        return self._with(operator.sub, other, self)

    def __mul__(self, other: int) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self._with(operator.mul, self, other)

    def __rmul__(self, other: int) -> int:
        return self._with(operator.mul, other, self)

    def __floordiv__(self, other: int) -> int:
        return self._with(_floordiv, self, other)

    def __rfloordiv__(self, other: int) -> int:
        return self._with(_floordiv, other, self)

    def __mod__(self, other: int) -> int:
        return self._with(_mod, self, other)

    def __rmod__(self, other: int) -> int:
        return self._with(_mod, other, self)

    def __divmod__(self, other: int) -> tuple[int, int]:
        return self // other, self % other

    def __rdivmod__(self, other: int) -> tuple[int, int]:
        return other // self, other % self

    def __neg__(self) -> int:
        return self._with(operator.sub, 0, self)

    def __abs__(self) -> int:
        return largest(self, -self)

    def __eq__(self, other: object) -> bool:
        if not is_integer(other):
            return NotImplemented
        return self._decide(operator.eq, "==", other)

    def __ne__(self, other: object) -> bool:
        return not self == other if is_integer(other) else NotImplemented

    def __lt__(self, other: int) -> bool:
        return self._decide(operator.lt, "<", other)

    def __le__(self, other: int) -> bool:
        return self._decide(operator.le, "<=", other)

    def __gt__(self, other: int) -> bool:
        return self._decide(operator.gt, ">", other)

    def __ge__(self, other: int) -> bool:
        return self._decide(operator.ge, ">=", other)

    def __hash__(self) -> int:
        return hash(self.key)

    def __bool__(self) -> bool:
        return self != 0

    def __int__(self) -> int:
        raise self._several()

    def __index__(self) -> int:
        raise self._several()

    def __float__(self) -> float:
        raise self._several()

    def __truediv__(self, other: int) -> float:
        raise self._several()

    def __rtruediv__(self, other: int) -> float:
        raise self._several()

    def __repr__(self) -> str:
        return f"{int(self.table.min())}..{int(self.table.max())}"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return str(self)

    @cached_property
    def least(self) -> int:
        """The smallest value."""
        return int(self.table.min())

    @cached_property
    def most(self) -> int:
        """The largest value."""
        return int(self.table.max())

    def __array_ufunc__(self, ufunc: object, method: str, *inputs: object, **_: object) -> int:
        """Compute with an integer of NumPy; raise where an array takes a single number."""
        function = _UFUNCS.get(getattr(ufunc, "__name__", ""))
        scalars = map(_scalar, inputs)
        operands = [x if isinstance(x, Extent) else int(x) for x in scalars if is_integer(x)]
        if function is None or method != "__call__" or len(operands) < len(inputs):
            raise self._several()
        return function(*operands)

    def __array__(self, *_: object, **__: object) -> Integers:
        raise self._several()

    def _several(self) -> Undecided:
        import numpy as np

        flat = np.broadcast_to(self.table, self.numbers.shape).reshape(-1)
        both = int(flat.argmin()), int(flat.argmax())
        one, other = map(self.numbers.counts_at, both)
        return Undecided(f"an extent of {flat[both[0]]}", self.numbers, (one, other), self.table)

    def at(self, counts: Sequence[int]) -> int:
        """Return the extent for counts of steps of the numbers."""
        return int(self.table[self.numbers.place(counts, self.table.shape)])

    @cached_property
    def key(self) -> bytes:
        """A key that is equal for extents that are equal for all numbers."""
        digest = hashlib.sha256(self.numbers.key)
        digest.update(str(self.table.shape).encode())
        digest.update(self.table.data)
        return digest.digest()

    @staticmethod
    def _with(function: Callable[[Any, Any], Any], one: int, other: int) -> int:
        if not (is_integer(one) and is_integer(other)):
            return NotImplemented
        owner = one if isinstance(one, Extent) else other
        assert isinstance(owner, Extent)
        key = function, *keys_of((one, other))
        return owner._kept(key, lambda: _folded(function, (one, other)))

    def _decide(self, function: Callable[[Any, Any], Any], symbol: str, other: int) -> bool:
        def answer() -> bool:
            numbers_of(self, other)
            answers = function(self.table, table_of(other))
            return decided(f"{self} {symbol} {other}", self.numbers, answers)

        return self._kept((function, *keys_of((other,))), answer)

    def _kept(self, key: object, compute: Callable[[], _T]) -> _T:
        """Return a result that was kept, or compute it: layers mostly ask the same."""
        if key in self._found:
            return self._found[key]
        found = compute()
        if not isinstance(found, Extent) or found.table.size <= _MOST_KEPT:
            self._found[key] = found
        return found


def decided(question: str, numbers: Numbers, answers: NDArray[np.bool_]) -> bool:
    """Return the answer for all numbers; raises ``Undecided`` if they answer differently."""
    import numpy as np

    if answers.all():
        return True
    if not answers.any():
        return False
    flat = np.broadcast_to(answers, numbers.shape).reshape(-1)
    both = numbers.counts_at(int(flat.argmax())), numbers.counts_at(int(flat.argmin()))
    raise Undecided(question, numbers, both, answers)


def extent_of(numbers: Numbers, table: NDArray[Any]) -> int:
    """Return the extent with a table, a plain int where that is the same for all numbers.

    Raises ``TypeError`` for a table of anything but integers and booleans, and ``OverflowError``
    for integers beyond 64 signed bits.
    """
    import numpy as np

    table = _signed(np.asarray(table))
    first = table.flat[0]
    if table.size == 1 or (first == table.flat[-1] and (table == first).all()):
        return int(first)
    for axis, count in enumerate(table.shape):
        if count > 1:
            one = table.take([0], axis)
            differs = one.flat[-1] != table.flat[-1]  # most tables grow to their last number
            table = table if differs or not (table == one).all() else one
    found = Extent(np.ascontiguousarray(table), numbers)  # pyright: ignore[reportArgumentType]
    return EXTENTS.setdefault(found.key, found)


def is_integer(value: object) -> TypeIs[int]:
    """Return whether a value is an integer or an extent."""
    # NumPy registers its integers with the last class, which takes long to ask.
    return isinstance(value, int | Extent | Integral)


def _scalar(value: object) -> object:
    """Return the scalar that NumPy hands to a comparison as an array without axes."""
    import numpy as np

    if not isinstance(value, np.ndarray):
        return value
    array = cast("NDArray[Any]", value)
    return array[()] if array.ndim == 0 else array


def largest_of(extent: int) -> int:
    """Return the largest value of an extent; of a plain int the int."""
    return extent.most if isinstance(extent, Extent) else int(extent)


def last_of(extent: int) -> int:
    """Return an extent for the largest numbers; of a plain int the int."""
    return int(extent.table[(-1,) * extent.table.ndim]) if isinstance(extent, Extent) else extent


def table_of(extent: int) -> Integers | int:
    """Return the table of an extent; of a plain int the int."""
    return extent.table if isinstance(extent, Extent) else int(extent)


def numbers_of(*extents: object) -> Numbers | None:
    """Return the numbers by which extents vary, ``None`` if none does.

    Raises ``VerifyException`` if they vary by the numbers of several programs.
    """
    found = [extent.numbers for extent in extents if isinstance(extent, Extent)]
    if any(other is not found[0] and other != found[0] for other in found[1:]):
        raise VerifyException("extents of several programs have no common numbers")
    return found[0] if found else None


def largest(*extents: int) -> int:
    """Return the maximum of extents for each number; Python's ``max`` asks which is larger."""
    import numpy as np

    return _folded(np.maximum, extents)


def smallest(*extents: int) -> int:
    """Return the minimum of extents for each number; Python's ``min`` asks which is smaller."""
    import numpy as np

    return _folded(np.minimum, extents)


def are_same(one: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether two lists agree for all numbers; ``==`` asks whether they ever differ."""
    return keys_of(one) == keys_of(other)


def keys_of(values: Sequence[int]) -> list[object]:
    """Return a key of a list; two lists that are the same for all numbers have one key."""
    return [value.key if isinstance(value, Extent) else int(value) for value in values]


def _folded(function: Callable[[Any, Any], Any], extents: Sequence[int]) -> int:
    numbers = numbers_of(*extents)
    table: Any = table_of(extents[0])
    for extent in extents[1:]:
        table = _exact(function, table, table_of(extent))
    return int(table) if numbers is None else extent_of(numbers, table)


def _exact(function: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
    """Return a function of integers of 64 bits, by Python's integers where NumPy's might wrap."""
    import numpy as np

    if max(_bound(one), _bound(other)) < _EXACT:
        return function(one, other)
    return function(np.asarray(one, object), np.asarray(other, object))


def _bound(table: Any) -> int:
    """Return the largest distance of integers from 0."""
    return abs(table) if isinstance(table, int) else max(-int(table.min()), int(table.max()))


def _signed(table: NDArray[Any]) -> Integers:
    """Return integers as signed ones of 64 bits, to which NumPy alone would wrap them."""
    import numpy as np

    if table.dtype.kind not in "iubO":
        raise TypeError(f"extents are integers, found {table.dtype}")
    if table.dtype.kind in "uO" and not -_LIMIT <= table.min() <= table.max() < _LIMIT:
        raise OverflowError("an extent has more than 64 bits")
    return table.astype(np.int64, copy=False)


def _floordiv(one: Any, other: Any) -> Any:
    _check_divisor(other)
    return one // other


def _mod(one: Any, other: Any) -> Any:
    _check_divisor(other)
    return one % other


_UFUNCS: Mapping[object, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "floor_divide": lambda one, other: one // other,
    "remainder": operator.mod,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}


def _check_divisor(other: Any) -> None:
    """Raise where a divisor is 0 for a number; NumPy would only warn."""
    import numpy as np

    if not np.all(other):
        raise ZeroDivisionError("an extent is divided by 0")
