"""The cost of the body of an op: the reads of each operand, and the operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from operator import add
from typing import Any, TypeAlias

from xdsl.dialects.builtin import f64

from autodeploy.dialects.nn.structure import AccumulatingOp, StructuredOp
from autodeploy.dialects.nn.types import element_of


class Speed(IntEnum):
    """How long the slowest part of an expression takes: an instruction, a long one, or many."""

    FAST = 0
    DIVISION = 1
    FUNCTION = 2


@dataclass(frozen=True)
class Cost:
    """An element of the counting algebra: what the expression of it takes, written out.

    ``reads`` says how often it reads each operand of the op. ``speed`` is that of the slowest part.
    ``steps`` are the passes that NumPy takes over the elements.
    """

    reads: tuple[int, ...]
    speed: Speed = Speed.FAST
    steps: int = 0

    def _with(self, *others: Cost | float) -> Cost:
        return _function(*(1,) * (1 + len(others)))(self, *others)

    def _divided(self, *others: Cost | float) -> Cost:
        return _function(*(1,) * (1 + len(others)), speed=Speed.DIVISION)(self, *others)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __invert__ = _with
    __lt__ = __and__ = __or__ = __xor__ = _with
    __truediv__ = __rtruediv__ = _divided


_Count: TypeAlias = Callable[..., Cost]


def _function(*reads: int, speed: Speed = Speed.FAST, steps: int = 1) -> _Count:
    """Return a function whose expression reads its arguments so often each."""

    def cost(*arguments: Cost | float) -> Cost:
        costs = [(n, x) for n, x in zip(reads, arguments, strict=True) if isinstance(x, Cost)]
        total = [0] * len(costs[0][1].reads)
        for n, x in costs:
            total = list(map(add, total, (n * own for own in x.reads)))
        return Cost(
            tuple(total),
            max(speed, *(x.speed for _, x in costs)),
            steps + sum(x.steps for _, x in costs),
        )

    return cost


class CountingScalars:
    """The algebra of scalars (``Scalars``) that counts.

    The reads of a function are those of its longest expression for any element type but f64. An
    absolute value counts as the choice that Halide makes of it where it writes C++ source.
    """

    equals = staticmethod(_function(1, 1))
    less_equal = staticmethod(_function(2, 2))
    where = staticmethod(_function(1, 1, 1))
    larger = smaller = staticmethod(_function(3, 1))
    mean = staticmethod(_function(1, 1, speed=Speed.DIVISION))
    quotient = staticmethod(_function(3, 3, speed=Speed.DIVISION))
    remainder = staticmethod(_function(18, 33, speed=Speed.FUNCTION))
    power = staticmethod(_function(3658, 191, speed=Speed.FUNCTION))
    abs = staticmethod(_function(3))
    sign = staticmethod(_function(3))
    exp = staticmethod(_function(18, speed=Speed.FUNCTION))
    expm1 = staticmethod(_function(23, speed=Speed.FUNCTION))
    sigmoid = staticmethod(_function(16, speed=Speed.FUNCTION))
    softplus = staticmethod(_function(361, speed=Speed.FUNCTION))
    log = staticmethod(_function(10, speed=Speed.FUNCTION))
    sqrt = staticmethod(_function(1, speed=Speed.DIVISION))
    sin = staticmethod(_function(1, speed=Speed.FUNCTION))
    cos = staticmethod(_function(1, speed=Speed.FUNCTION))
    tanh = staticmethod(_function(45, speed=Speed.FUNCTION))
    erf: _Count = staticmethod(_function(1, speed=Speed.FUNCTION, steps=512))
    normal: _Count = staticmethod(_function(79, speed=Speed.FUNCTION, steps=512))
    floor = staticmethod(_function(1))
    ceil = staticmethod(_function(1))
    round = staticmethod(_function(1))

    @staticmethod
    def maximum(a: Cost | float, b: Cost) -> Cost:
        """A maximum of any two has to find out which one is nan."""
        return _function(5, 5)(a, b) if isinstance(a, Cost) else _function(1, 1)(a, b)

    minimum = maximum

    @staticmethod
    def convert(x: Cost, _element: object) -> Cost:
        """A float that becomes an integer is compared with both bounds; its halves are apart."""
        return _function(7)(x)

    @staticmethod
    def exact(x: Cost, _element: object) -> Cost:
        """The element is read once."""
        return _function(1)(x)

    @staticmethod
    def reinterpret(x: Cost, _element: object) -> Cost:
        """The element that has the same bits is read once."""
        return _function(1)(x)


class DoubleCountingScalars(CountingScalars):
    """The counts for double precision: Halide has no error function of it, so that one is long."""

    erf = staticmethod(_function(315, speed=Speed.FUNCTION, steps=512))
    normal = staticmethod(_function(283, speed=Speed.FUNCTION, steps=512))


def body_cost(op: StructuredOp) -> Cost:
    """Return what the body of an op takes; what was accumulated counts as its first operand."""
    count = 1 + op.ACCUMULATED if isinstance(op, AccumulatingOp) else len(op.operands)
    wide = element_of(op.operands[0].type) == f64
    counting: Any = DoubleCountingScalars() if wide else CountingScalars()
    operands = (Cost(tuple(int(i == k) for i in range(count))) for k in range(count))
    return op.body(counting, *operands)
