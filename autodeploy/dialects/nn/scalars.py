"""The algebra in which an op says what one element of its result is.

An op's body is written once, on elements of any kind: Halide expressions, NumPy arrays, or what
counts operations. Arithmetic and comparisons are operators of the elements; what needs a name, or
means more than NumPy's or Halide's operator of that name, is a function of ``Scalars``. All keep
nan, the infinities and the signs of zeros as IEEE 754 and ONNX say.
"""

from __future__ import annotations

from typing import Protocol, Self, TypeVar

from xdsl.ir import Attribute


class Scalar(Protocol):
    """An element; a Python number beside one has its type."""

    def __add__(self, other: Self | float, /) -> Self: ...
    def __radd__(self, other: float, /) -> Self: ...
    def __sub__(self, other: Self | float, /) -> Self: ...
    def __rsub__(self, other: float, /) -> Self: ...
    def __mul__(self, other: Self | float, /) -> Self: ...
    def __rmul__(self, other: float, /) -> Self: ...
    def __truediv__(self, other: Self | float, /) -> Self: ...
    def __rtruediv__(self, other: float, /) -> Self: ...
    def __neg__(self) -> Self: ...
    def __lt__(self, other: Self | float, /) -> Self: ...
    def __and__(self, other: Self, /) -> Self: ...
    def __or__(self, other: Self, /) -> Self: ...
    def __invert__(self) -> Self: ...


E = TypeVar("E", bound=Scalar)


class Scalars(Protocol[E]):
    """Functions of elements.

    The operators ``+ - *`` wrap between integers, ``/`` is for floats. The first operand of
    ``maximum`` and ``minimum`` may be a number: of integers the nearest one that bounds as much.
    """

    def equals(self, a: E, b: E | float, /) -> E:
        """A == b."""
        ...

    def less_equal(self, a: E, b: E, /) -> E:
        """A <= b, which does not hold for nan."""
        ...

    def where(self, condition: E, on_true: E, on_false: E, /) -> E:
        """One of two elements by a boolean."""
        ...

    def maximum(self, a: E | float, b: E, /) -> E:
        """The larger of two, nan where either is."""
        ...

    def minimum(self, a: E | float, b: E, /) -> E:
        """The smaller of two, nan where either is."""
        ...

    def larger(self, folded: E, x: E, /) -> E:
        """The larger of what was folded so far and another element, nan where either is."""
        ...

    def smaller(self, folded: E, x: E, /) -> E:
        """The smaller of what was folded so far and another element, nan where either is."""
        ...

    def mean(self, total: E, count: E | int, /) -> E:
        """A sum over how many were added up, of integers toward zero; of no integers 0."""
        ...

    def quotient(self, a: E, b: E, /) -> E:
        """A / b; between integers it is rounded toward zero."""
        ...

    def remainder(self, a: E, b: E, /) -> E:
        """The exact remainder of floats, with the sign of a (C's ``fmod``)."""
        ...

    def power(self, a: E, b: E, /) -> E:
        """A to the power b as C's ``pow`` says; between integers a fraction becomes 0."""
        ...

    def abs(self, x: E, /) -> E:
        """|x|."""
        ...

    def sign(self, x: E, /) -> E:
        """-1, 0 or 1; nan stays nan."""
        ...

    def exp(self, x: E, /) -> E:
        """E to the power x."""
        ...

    def log(self, x: E, /) -> E:
        """Natural logarithm."""
        ...

    def sqrt(self, x: E, /) -> E:
        """Square root."""
        ...

    def sin(self, x: E, /) -> E:
        """Sine."""
        ...

    def cos(self, x: E, /) -> E:
        """Cosine."""
        ...

    def tanh(self, x: E, /) -> E:
        """Hyperbolic tangent."""
        ...

    def erf(self, x: E, /) -> E:
        """Gauss error function; of -0 either zero."""
        ...

    def floor(self, x: E, /) -> E:
        """Largest integer not above x."""
        ...

    def ceil(self, x: E, /) -> E:
        """Smallest integer not below x."""
        ...

    def round(self, x: E, /) -> E:
        """Nearest integer, halves to even."""
        ...

    def convert(self, x: E, element: Attribute, /) -> E:
        """X in another element type, as ONNX's Cast; of too large a float the nearest integer."""
        ...
