"""The text of kernels in WGSL, as Halide 21 writes it, made right and shorter.

Halide writes infinite numbers as the integers of their bits. WGSL has no infinite constant at all,
and lets a compiler take any float for finite and add in any order. Infinities come from a
variable, nan is told by its bits, functions are called inside of their domain, and the trick that
rounds by adding a large number becomes the function that rounds. Constants, copies and indices of
vectors are put where they are used, since compilers of WGSL keep arrays in registers if their
indices are constants. A line that Halide 21 does not write like this is an error.
"""

from __future__ import annotations

import re
from math import isfinite

import numpy as np

from autodeploy.codegen.halide.device_starts import unknown
from autodeploy.codegen.halide.wgsl_functions import CALL, closed, definitions
from autodeploy.codegen.halide.wgsl_values import with_fewer_values

_PREAMBLE = """\
fn float_from_bits(x : u32) -> f32 {return bitcast<f32>(x);}
fn nan_f32() -> f32 {return float_from_bits(0x7fc00000);}
fn neg_inf_f32() -> f32 {return float_from_bits(0xff800000);}
fn inf_f32() -> f32 {return float_from_bits(0x7f800000);}
fn fast_inverse_f32(x : f32) -> f32 {return 1.0 / x;}
fn is_nan_f32(x : f32) -> bool {return x != x;}
fn is_inf_f32(x : f32) -> bool {return !is_nan_f32(x) && is_nan_f32(x - x);}
fn is_finite_f32(x : f32) -> bool {return !is_nan_f32(x) && !is_inf_f32(x);}

override wgsize_x : u32;
override wgsize_y : u32;
override wgsize_z : u32;
override workgroup_mem_bytes : u32;

"""
SIZES = "wgsize_x, wgsize_y, wgsize_z"
"""The numbers of threads of a block in the text of a kernel, which a start of it states."""

_BITS = "bits_"
"""Begins the names of variables with the bits of numbers that are not finite."""

_KERNEL = re.compile(
    r"(?P<buffers>(?:@group\(0\) @binding\(\d+\)\nvar<storage, read_write> \w+ : array<\w+>;\n\n)+)"
    rf"@compute @workgroup_size\({SIZES}\)\nfn (?P<name>\w+)\(\n"
    r"  @builtin\(local_invocation_id\) local_id : vec3<u32>,\n"
    r"  @builtin\(workgroup_id\) group_id : vec3<u32>,\n\)\n"
    r"\{\n _ = workgroup_mem_bytes;\n(?P<body>(?: .*\n)*)\} // shader (?P=name)\n"
)
_BUFFER = re.compile(r"var<storage, read_write> (\w+) : array<(f32|i32|u32)>;")
_TYPE = r"(?:vec[234]<)?(?:f32|i32|u32|bool)>?"
_DEFINITION = re.compile(rf"(?:const|let) (\w+)(?: : ({_TYPE}))? = (.*);")
_VECTOR = re.compile(r"var (\w+) : (vec([234])<\w+>);")
_ARRAY = re.compile(r"var (\w+) : array<(?:f32|i32|u32), (\d+)>;")
_OTHER = re.compile(
    r"\{|\}|else|if \(\w+\)|for \(var (\w+) = [^;]*; \1 [^;]*; \1 = \1 \+ 1\)|\w+\[[^;]*\] = [^;]*;"
)
_NAME = re.compile(r"(?<!\w)(_\w+)(?:\[(\d)\])?")
_LITERAL = re.compile(r"-?\d+u?")
_RAMP = re.compile(r"(\S+) \+ (-?\d+) \* vec([234])<i32>\((?:0, 1(?:, 2)?(?:, 3)?)\)")
_CONSTANT = re.compile(r"float_from_bits\((\d+)u\)|0x([0-9A-F]{8})")
_ALIAS = re.compile(r"_V?\d+")
_COMPARED = re.compile(r"(\w+) (==|!=) \1")
_BROADCAST = re.compile(r"vec[234]<[fiu]32>\((?:-?\d+u?|-?0x[\w.+-]+f|0f)\)")
_SUM = re.compile(r"(\w+) \+ (.*)")
_CALL = re.compile(r"([\w<>]+)\(")
_FUNCTIONS = frozenset(
    {"abs", "ceil", "exp", "floor", "max", "min", "round", "select", "trunc"}
    | {"i32", "u32", "f32", "bool", "for", "if"}
)
"""The words before brackets: functions whose error WGSL bounds by some last digits, and others."""
_PRIVATE_BYTES = 8192
"""The memory of a thread for arrays in WGSL."""


def wgsl_text(text: str, kernel: str, *, strict: bool) -> tuple[tuple[str, ...], str]:
    """Return no shared parts, and the kernels of one pipeline, each a text of its own.

    Such a text begins with its first buffer. Raises ``ToolchainError`` naming the ``kernel`` where
    the text is not as Halide 21 writes it.
    """
    if not text.startswith(_PREAMBLE):
        raise unknown(kernel, "the text has no kernels")
    rest = text.removeprefix(_PREAMBLE)
    kernels: list[str] = []
    for match in _KERNEL.finditer(rest):
        kernels.append(_Kernel(match, kernel).text())
    if _KERNEL.sub("", rest).strip():
        raise unknown(kernel, f"'{_KERNEL.sub('', rest).strip().splitlines()[0]}' is not known")
    return (), "".join(kernels)


class _Kernel:
    """Reads the lines of one kernel, and writes others for them."""

    def __init__(self, match: re.Match[str], pipeline: str):
        self._match, self._pipeline = match, pipeline
        self._names: dict[str, str] = {}
        self._vectors: dict[str, tuple[str, int]] = {}
        self._sums: dict[str, tuple[int, str, str]] = {}
        self._types: dict[str, str] = {}
        self._bits: set[str] = set()
        self._lines: list[str] = []
        self._parts: tuple[str, str, int, list[str]] | None = None

    def text(self) -> str:
        """Return the text of the kernel."""
        buffers: list[str] = []
        for number, (name, element) in enumerate(_BUFFER.findall(self._match["buffers"])):
            self._names[name] = f"b{number}"
            place = f"@group(0) @binding({number}) "
            buffers.append(f"{place}var<storage, read_write> b{number} : array<{element}>;")
        if len(buffers) != self._match["buffers"].count("@binding"):
            raise self._unknown("a buffer has elements of another type")
        arrays = 0
        for line in self._match["body"].splitlines():
            plain = re.sub(r"\s*//.*|\s*/\*.*?\*/", "", line).strip()
            if array := _ARRAY.fullmatch(plain):
                arrays += 4 * int(array[2])
            if plain:
                self._add(plain)
        if arrays > _PRIVATE_BYTES:
            raise self._unknown(f"a thread keeps {arrays} bytes, the most is {_PRIVATE_BYTES}")
        written = "\n".join(self._lines).splitlines()
        self._lines = with_fewer_values(written)
        calls = set(_CALL.findall("\n".join(self._lines)))
        for call in sorted(calls - _FUNCTIONS):
            if not re.fullmatch(rf"(?:vec[234]|bitcast)<[\w<>]+>|{CALL.pattern}", call):
                raise self._unknown(f"function '{call}' is not known")
        private = [f"var<private> {_BITS}{bits} : u32 = 0x{bits}u;" for bits in sorted(self._bits)]
        head = f"@compute @workgroup_size({SIZES})\nfn {self._match['name']}("
        builtins = "@builtin(local_invocation_id) local_id : vec3<u32>"
        builtins += ", @builtin(workgroup_id) group_id : vec3<u32>"
        body = "\n".join(self._lines)
        head = f"{definitions(calls)}{head}"
        return "\n".join([*buffers, *private, f"{head}{builtins}) {{", body, "}", ""])

    def _unknown(self, what: str) -> Exception:
        return unknown(self._pipeline, what)

    def _add(self, written: str) -> None:
        line = _NAME.sub(self._used, written)
        if self._parts is not None:
            self._add_part(line)
        elif vector := _VECTOR.fullmatch(line):
            self._parts = vector[1], vector[2], int(vector[3]), []
        elif definition := _DEFINITION.fullmatch(line):
            name, type_, value = definition.groups()
            if name in self._types:
                raise self._unknown(f"'{name}' is there twice")
            self._types[name] = type_ or ""
            self._define(name, type_ or "", value)
        elif _ARRAY.fullmatch(line) or _OTHER.fullmatch(line):
            self._lines.append(line)
        else:
            raise self._unknown(f"'{written}' is not known")

    def _used(self, match: re.Match[str]) -> str:
        """Return what is written for a name, and for an element of a vector of indices."""
        name, element = match.groups()
        if element is not None and name in self._vectors:
            base, stride = self._vectors[name]
            step = stride * int(element)
            if _LITERAL.fullmatch(base):
                return str(int(base) + step)
            return f"{base} + {step}" if step else base
        rest = "" if element is None else f"[{element}]"
        return self._names.get(name, name) + rest

    def _add_part(self, line: str) -> None:
        """Take one of the lines that fill a vector, which become one."""
        assert self._parts is not None
        name, type_, count, values = self._parts
        place = f"{name}[{len(values)}] = "
        if not line.startswith(place):
            raise self._unknown(f"'{line}' fills no vector")
        values.append(line.removeprefix(place).removesuffix(";"))
        if len(values) == count:
            self._types[name] = type_
            self._lines.append(f"let {name} = {type_}({', '.join(values)});")
            self._parts = None

    def _define(self, name: str, type_: str, value: str) -> None:
        if _LITERAL.fullmatch(value) or _BROADCAST.fullmatch(value) or self._is_known(value):
            self._names[name] = value
        elif constant := _CONSTANT.fullmatch(value):
            self._names[name] = self._float(int(constant[1] or f"0x{constant[2]}", 0))
        elif (ramp := _RAMP.fullmatch(value)) and type_ == f"vec{ramp[3]}<i32>":
            self._vectors[name] = ramp[1], int(ramp[2])
            self._lines.append(f"let {name} : {type_} = {value};")
        elif compared := _COMPARED.fullmatch(value):
            self._lines.append(f"let {name} : {type_} = {self._is_nan(compared[1], compared[2])};")
        elif value.startswith("is_nan_f32("):
            x = value.removeprefix("is_nan_f32(").removesuffix(")")
            self._lines.append(f"let {name} : bool = {self._is_nan(x, '!=')};")
        elif not self._rounds(name, type_, value):
            if (sum_ := _SUM.fullmatch(value)) and _is_large(sum_[2]):
                self._sums[name] = len(self._lines), sum_[1], sum_[2]
            typed = f" : {type_}" if type_ else ""
            self._lines.append(f"let {name}{typed} = {closed(value, type_)};")

    def _is_known(self, value: str) -> bool:
        """Return whether a value is another name for a value that never changes."""
        return _ALIAS.fullmatch(value) is not None and value in self._types

    def _float(self, bits: int) -> str:
        """Return the text of a float; a number is exact as its digits to the base of 16."""
        number = float(np.array(bits, np.uint32).view(np.float32))
        if not isfinite(number):
            self._bits.add(f"{bits:08X}")
            return f"bitcast<f32>({_BITS}{bits:08X})"
        if bits == 0:
            return "0f"
        if number == 0 or abs(number) < 2.0**-126:
            return f"bitcast<f32>({bits}u)"
        digits, power = number.hex().split("p")
        return f"{digits.rstrip('0').removesuffix('.')}p{power}f"

    def _is_nan(self, x: str, comparison: str) -> str:
        type_ = self._types.get(x)
        numbers = ["0x7fffffffu", "0x7f800000u"]
        kind = "u32"
        if type_ is not None and (lanes := re.fullmatch(r"vec([234])<f32>", type_)):
            kind = f"vec{lanes[1]}<u32>"
            numbers = [f"{kind}({number})" for number in numbers]
        elif type_ != "f32":
            raise self._unknown(f"'{x}' is compared with itself")
        sign = "<=" if comparison == "==" else ">"
        return f"(bitcast<{kind}>({x}) & {numbers[0]}) {sign} {numbers[1]}"

    def _rounds(self, name: str, type_: str, value: str) -> bool:
        """Write rounding for a large number that is added before and taken off here."""
        sum_, _, large = value.partition(" - ")
        if sum_ not in self._sums or self._sums[sum_][2] != large:
            return False
        place, x, _ = self._sums.pop(sum_)
        self._lines[place] = (
            f"let {name} : {type_} = round({x});\nlet {sum_} : {type_} = {name} + {large};"
        )
        return True


def _is_large(text: str) -> bool:
    """Return whether a text is a number whose last digit is 1, so that a sum with it is whole."""
    number = re.fullmatch(r"(?:vec[234]<f32>\()?(0x[\w.+]+)f\)?", text)
    return number is not None and 2.0**23 <= float.fromhex(number[1]) < 2.0**24
