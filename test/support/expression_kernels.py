"""Kernels that apply expression ops of the halide dialect, one output an op.

They say what an expression means on elements of every type, in vectors of any number of lanes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import ml_dtypes
import numpy as np
import numpy.typing as npt
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from autodeploy.dialects.halide import HALIDE
from autodeploy.dialects.halide.pipeline import PipelineOp

FLOATS = ("f64", "f32", "f16", "bf16")
SIGNED = ("i64", "i32", "i16", "i8")
UNSIGNED = ("ui64", "ui32", "ui16", "ui8")
TYPES = (*FLOATS, *SIGNED, *UNSIGNED, "i1")
COUNT = 1000


@dataclass(frozen=True)
class Case:
    """Ops of a region after ``%a`` and ``%b`` are loaded, which end in ``%r`` of type ``result``.

    ``special`` tells whether it is defined for all values; else ordinary numbers are for it.
    ``exact`` tells whether the result has the same bits however it is compiled.
    """

    name: str
    lines: tuple[str, ...]
    result: str
    special: bool = True
    exact: bool = True


def numpy_type(element: str) -> np.dtype:
    """Return the type of an element in NumPy."""
    if element == "bf16":
        return np.dtype(ml_dtypes.bfloat16)
    if element == "i1":
        return np.dtype(np.bool_)
    kinds = {"f": "float", "i": "int", "u": "uint"}
    return np.dtype(kinds[element[0]] + element.lstrip("fui"))


def pipeline(name: str, element: str, cases: list[Case], lanes: int) -> PipelineOp:
    """Return a kernel of two inputs of a type, with an output for each case."""
    buffers = ", ".join(
        f"%o{i}: !halide.buffer<{c.result}, [{COUNT}]>" for i, c in enumerate(cases)
    )
    text = [
        f"halide.pipeline @{name}(%x: !halide.buffer<{element}, [{COUNT}]>, "
        f"%y: !halide.buffer<{element}, [{COUNT}]>) to ({buffers}) {{"
    ]
    for index, each in enumerate(cases):
        text += [
            f'  %f{index} = halide.func "f{index}"(i %i) in [{COUNT}] : {each.result} {{',
            f"    %a = halide.load %x[%i] : !halide.buffer<{element}, [{COUNT}]> to {element}",
            f"    %b = halide.load %y[%i] : !halide.buffer<{element}, [{COUNT}]> to {element}",
            *(f"    {line}" for line in each.lines),
            f"    halide.yield %r : {each.result}",
            "  }",
        ]
    for index, each in enumerate(cases):
        buffer = f"!halide.buffer<{each.result}, [{COUNT}]>"
        text.append(
            f"  halide.output %f{index} in %o{index} : !halide.func<{each.result}, 1> in {buffer}"
        )
    if lanes > 1:
        text.append("  halide.schedule {")
        for index, each in enumerate(cases):
            type_ = f"!halide.func<{each.result}, 1>"
            text += [
                f'    halide.split %f{index} "i" to "io", "ii" by {lanes} '
                f"{{tail = #halide<tail shift_inwards>}} : {type_}",
                f'    halide.vectorize %f{index} "ii" : {type_}',
            ]
        text.append("  }")
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(HALIDE)
    op = Parser(context, "\n".join([*text, "}"])).parse_op()
    op.verify()
    assert isinstance(op, PipelineOp)
    return op


def cases(element: str) -> list[Case]:
    """Return what is computed with elements of a type."""
    found = [*_conversions(element), *_selections(element)]
    if element in FLOATS:
        found += _of_floats(element)
    elif element == "i1":
        found += [
            _binary("and", element),
            _binary("or", element),
            _unary("not", element),
            _binary("eq", element, result="i1"),
        ]
    else:
        found += _of_integers(element)
    return found


def _unary(op: str, element: str, result: str | None = None, **kinds: bool) -> Case:
    return Case(op, (f"%r = halide.{op} %a : {element}",), result or element, **kinds)


def _binary(op: str, element: str, result: str | None = None, **kinds: bool) -> Case:
    return Case(op, (f"%r = halide.{op} %a, %b : {element}",), result or element, **kinds)


def _with_constant(op: str, element: str, constant: float, **kinds: bool) -> Case:
    lines = (
        f"%c = halide.const {constant!r} : {element}",
        f"%r = halide.{op} %a, %c : {element}",
    )
    return Case(f"{op} {constant!r}", lines, element, **kinds)


def _strict(each: Case) -> Case:
    lines = (*each.lines[:-1], each.lines[-1].replace("%r =", "%s ="))
    strict = f"%r = halide.strict %s : {each.result}"
    return Case(f"strict {each.name}", (*lines, strict), each.result)


def _selections(element: str) -> Iterator[Case]:
    if element == "i1":
        lines = (
            "%n = halide.not %a : i1",
            "%r = halide.select %b, %a, %n : i1",
        )
        yield Case("select", lines, "i1")
        return
    compare = f"%s = halide.lt %a, %b : {element}"
    yield Case("select", (compare, f"%r = halide.select %s, %a, %b : {element}"), element, False)
    # A boolean that is made is used as a number, compared, and negated.
    number = "%r = halide.cast %n : i1 to f32"
    equal = f"%e = halide.eq %a, %b : {element}"
    lines = (compare, equal, "%n = halide.eq %s, %e : i1", number)
    yield Case("number of booleans", lines, "f32", element not in FLOATS)
    yield Case("number of not", (compare, "%n = halide.not %s : i1", number), "f32",
               element not in FLOATS)  # fmt: skip


def _conversions(element: str) -> Iterator[Case]:
    for to in TYPES:
        if to in (element, "i1"):
            continue
        # What does not fit an integer is not defined; of nan, object code makes inf.
        special = element not in FLOATS or (to in FLOATS and (element, to) != ("bf16", "f16"))
        lines = (f"%r = halide.cast %a : {element} to {to}",)
        if not special and to in UNSIGNED:
            size = f"%p = halide.abs %a : {element}"
            lines = (size, f"%r = halide.cast %p : {element} to {to}")
        yield Case(f"cast to {to}", lines, to, special)
    same = {"f64": "i64", "f32": "ui32", "i32": "f32", "ui64": "f64", "i16": "ui16", "f16": "i16"}
    if element in same:
        to = same[element]
        yield Case("reinterpret", (f"%r = halide.reinterpret %a : {element} to {to}",), to)


def _of_floats(element: str) -> Iterator[Case]:
    plain = [
        *(_binary(op, element, special=False) for op in ("add", "sub", "mul", "div", "min", "max")),
        *(_binary(op, element, result="i1", special=False) for op in ("eq", "lt", "le")),
    ]
    yield from plain
    yield from map(_strict, plain)
    product = (
        f"%p = halide.mul %a, %b : {element}",
        f"%s = halide.add %p, %a : {element}",
        f"%r = halide.strict %s : {element}",
    )
    yield Case("strict sum of a product", product, element)
    yield _binary("mod", element, special=False, exact=False)
    # Of -0.0, object code makes -0.0 where an element has not 32 bits.
    yield _unary("abs", element, exact=False)
    yield _unary("is_nan", element, result="i1")
    for constant in (0.1, 3.0, 1e-3, 12345.678):
        yield _with_constant("mul", element, constant, special=False)
        yield _with_constant("div", element, constant, special=False, exact=False)
    if element in ("f64", "f32"):
        yield from _functions(element)


def _functions(element: str) -> Iterator[Case]:
    """What Halide does not compute, or not well, of 16 bits."""
    for op in ("floor", "ceil", "round"):
        yield _unary(op, element)
    yield _unary("sqrt", element, special=False)
    for op in ("exp", "sin", "cos", "tanh", *(["erf"] if element == "f32" else ())):
        yield _unary(op, element, special=False, exact=False)
    for op in ("log", "pow"):
        size = f"%p = halide.abs %a : {element}"
        last = f"%r = halide.{op} %p{', %b' if op == 'pow' else ''} : {element}"
        yield Case(op, (size, last), element, False, False)


def _of_integers(element: str) -> Iterator[Case]:
    # Of 32 and 64 bits with a sign, overflow is not defined.
    wraps = element not in ("i64", "i32")
    for op in ("add", "sub", "mul"):
        yield _binary(op, element, special=wraps)
    for op in ("div", "mod", "min", "max"):
        yield _binary(op, element)
    for op in ("eq", "lt", "le"):
        yield _binary(op, element, result="i1")
    yield _unary("abs", element)
    for divisor in (1, 2, 7, 8, 100, *(() if element in UNSIGNED else (-1, -2, -7, -8))):
        yield _with_constant("div", element, divisor)
        yield _with_constant("mod", element, divisor)
    yield _with_constant("mul", element, 3, special=wraps)
    yield _with_constant("min", element, 100)


def values(element: str, special: bool) -> tuple[npt.NDArray, npt.NDArray]:
    """Return two operands: with all pairs of special values, or of ordinary numbers only."""
    random = np.random.default_rng(TYPES.index(element))
    dtype = numpy_type(element)
    if element == "i1":
        return random.random(COUNT) < 0.5, random.random(COUNT) < 0.5
    if element in FLOATS:
        info = ml_dtypes.finfo(dtype)
        numbers = [
            np.nan, np.inf, -np.inf, 0.0, -0.0, float(info.max), -float(info.max),
            float(info.smallest_subnormal), float(info.tiny), 0.5, -0.5, 1.5, 2.5, -2.5, -0.3, 1.0,
            -1.0, 3e9, -3e9, 8388607.5, 4503599627370495.5, 65519.0, 65520.0, 1 + 2.0**-11,
            1 + 2.0**-11 + 2.0**-40, 2.0**-25, 3 * 2.0**-26,
        ]  # fmt: skip
        rest = random.uniform(-100, 100, (2, COUNT))
        rest = np.where(rest == 0, 1.0, rest)
    else:
        info = np.iinfo(dtype)
        numbers = [info.min, info.max, 0, 1, 2, 3, 7, info.max - 1, info.min + 1, 100]
        if info.min < 0:
            numbers += [-1, -2, -3, -7, -100]
        low = -100 if info.min < 0 else 0
        rest = random.integers(low, 100, (2, COUNT))
        numbers = [int(n) for n in numbers]
    a, b = np.empty(COUNT, dtype), np.empty(COUNT, dtype)
    with np.errstate(over="ignore"):
        a[:], b[:] = rest[0].astype(dtype), rest[1].astype(dtype)
        if special:
            pairs = [(p, q) for p in numbers for q in numbers]
            each = np.array(numbers, dtype)
            first, second = np.repeat(each, len(each)), np.tile(each, len(each))
            count = min(COUNT, len(pairs))
            a[:count], b[:count] = first[:count], second[:count]
    return a, b
