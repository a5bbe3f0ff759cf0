"""Functions that WGSL leaves open for some floats, with the results of IEEE 754.

WGSL lets a compiler take every float for finite. Compilers make 1 of ``x / x``, ``x`` of
``x * y / y`` and 0 of ``x * 0``, and functions return anything at the ends of their domain. A
compiler knows nothing of floats that are compared as integers, so these tell the other results.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_NUMBER = r"-?(?:0x[\w.+-]+|0)f"
_ZERO = re.compile(r"0f|vec[234]<f32>\(0f\)")
_FINITE = re.compile(rf"{_NUMBER}|vec[234]<f32>\({_NUMBER}\)")
_INFINITE = re.compile(r"(\w+) (==|!=) bitcast<f32>\((\w+)\)")
_BINARY = re.compile(r"(.+) ([*/]) (.+)")
_UNARY = re.compile(r"(sqrt|log)\((.*)\)")
_FLOAT = re.compile(r"f32|vec([234])<f32>")

_FUNCTIONS: Mapping[str, str] = {
    # Nan, or with the sign of both: 0 if the dividend is the smaller one, else infinite.
    "quotient": """\
fn quotient(a : FLOAT, b : FLOAT) -> FLOAT {
let bits_a = bitcast<UINT>(a);
let bits_b = bitcast<UINT>(b);
let size_a = bits_a & UINT(0x7fffffffu);
let size_b = bits_b & UINT(0x7fffffffu);
let infinity = UINT(0x7f800000u);
let sign = (bits_a ^ bits_b) & UINT(0x80000000u);
let is_nan = (size_a == size_b) | (size_a > infinity) | (size_b > infinity);
let size = select(select(infinity, UINT(0u), size_a < size_b), UINT(0x7fc00000u), is_nan);
let inside = (size_a - UINT(1u) < UINT(0x7f7fffffu)) & (size_b - UINT(1u) < UINT(0x7f7fffffu));
return select(bitcast<FLOAT>(sign | size), a / b, inside);
}
""",
    "product_with_0": """\
fn product_with_0(x : FLOAT) -> FLOAT {
let bits = bitcast<UINT>(x);
let is_finite = (bits & UINT(0x7fffffffu)) < UINT(0x7f800000u);
return bitcast<FLOAT>(select(UINT(0x7fc00000u), bits & UINT(0x80000000u), is_finite));
}
""",
    # Infinity, nan and zeros are their own roots.
    "square_root": """\
fn square_root(x : FLOAT) -> FLOAT {
let bits = bitcast<UINT>(x);
let itself = (bits <= UINT(0x7f800000u)) | (bits == UINT(0x80000000u));
let inside = bits - UINT(1u) < UINT(0x7f7fffffu);
return select(bitcast<FLOAT>(select(UINT(0x7fc00000u), bits, itself)), sqrt(x), inside);
}
""",
    "logarithm": """\
fn logarithm(x : FLOAT) -> FLOAT {
let bits = bitcast<UINT>(x);
let outside = select(UINT(0x7fc00000u), bits, bits <= UINT(0x7f800000u));
let special = select(outside, UINT(0xff800000u), (bits & UINT(0x7fffffffu)) == UINT(0u));
return select(bitcast<FLOAT>(special), log(x), bits - UINT(1u) < UINT(0x7f7fffffu));
}
""",
}
_OF_ONE = {"sqrt": "square_root", "log": "logarithm"}

_LANES = "_of_"
"""Is between the name of a function and the number of the lanes of its vectors."""

CALL = re.compile(rf"({'|'.join(_FUNCTIONS)})(?:{_LANES}([234]))?")
"""The name of one of these functions, and the lanes of its vectors."""


def closed(value: str, type_: str) -> str:
    """Return a value as a call of one of these functions, if its operation is one of theirs.

    Divisors that are known to be finite and not 0 need none.
    """
    if infinite := _INFINITE.fullmatch(value):
        x, comparison, bits = infinite.groups()
        return f"bitcast<u32>({x}) {comparison} {bits}"
    lanes = _FLOAT.fullmatch(type_)
    if lanes is None:
        return value
    suffix = f"{_LANES}{lanes[1]}" if lanes[1] else ""
    if unary := _UNARY.fullmatch(value):
        return f"{_OF_ONE[unary[1]]}{suffix}({unary[2]})"
    if (binary := _BINARY.fullmatch(value)) is None:
        return value
    a, operator, b = binary.groups()
    if operator == "/":
        is_known = _FINITE.fullmatch(b) and not _ZERO.fullmatch(b)
        return value if is_known else f"quotient{suffix}({a}, {b})"
    others = [x for x in (a, b) if not _ZERO.fullmatch(x)]
    return f"product_with_0{suffix}({others[0]})" if len(others) == 1 else value


def definitions(calls: Iterable[str]) -> str:
    """Return the definitions of the functions among those that are called."""
    found = sorted({call for call in calls if CALL.fullmatch(call)})
    return "".join(map(_definition, found))


def _definition(call: str) -> str:
    name, _, lanes = call.partition(_LANES)
    text = _FUNCTIONS[name].replace(f"fn {name}(", f"fn {call}(")
    for of_lanes, element in (("FLOAT", "f32"), ("UINT", "u32")):
        text = text.replace(of_lanes, f"vec{lanes}<{element}>" if lanes else element)
    return text
