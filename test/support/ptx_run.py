"""Kernels in PTX, run by NumPy: all threads of a grid at once, in step as long as they agree.

It knows the instructions that Halide writes, and those of products on tensor cores. What leaves its
buffers, is not aligned or not known is a ``PtxError``, and so are two threads of a block that use
a byte of shared memory without a barrier between them.
"""

from __future__ import annotations

import operator
import re
import struct
from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from ptx_matrices import multiplied, rounded_bits
from ptx_program import CONST_BASE, TYPES, Instruction, Kernel, PtxError, PtxProgram
from ptx_shared import SharedMemory

Memory = Sequence[tuple[int, np.ndarray]]
"""Parts of memory: the first address and the bytes of each."""


def run_kernel(
    program: PtxProgram,
    entry: str,
    grid: Sequence[int],
    block: Sequence[int],
    memory: Memory,
    arguments: Sequence[int],
) -> int:
    """Run a kernel, and return how many steps all threads took.

    ``arguments`` are addresses and numbers.
    """
    kernel = program.kernels[entry]
    if len(kernel.parameters) != len(arguments):
        raise PtxError(f"'{entry}' has {len(kernel.parameters)} parameters, found {len(arguments)}")
    with np.errstate(all="ignore"):
        return _Run(kernel, program.constants, grid, block, memory, arguments).run()


class _Run:
    """The registers and the memory of all threads; ``at`` are those that take a step."""

    def __init__(
        self,
        kernel: Kernel,
        constants: np.ndarray,
        grid: Sequence[int],
        block: Sequence[int],
        memory: Memory,
        arguments: Sequence[int],
    ):
        self.kernel = kernel
        self.memory = memory
        self.constants = constants
        self.values = dict(zip(kernel.parameters, arguments, strict=True))
        self.count = prod(grid) * prod(block)
        self.registers = {
            name: np.zeros(self.count, "?" if kind == "pred" else f"u{int(kind[1:]) // 8}")
            for name, kind in kernel.registers.items()
        }
        thread = np.arange(self.count)
        for prefix, counts, numbers in (
            ("tid", block, thread % prod(block)),
            ("ctaid", grid, thread // prod(block)),
        ):
            for axis, extent in zip("xyz", counts, strict=True):
                self.registers[f"%{prefix}.{axis}"] = (numbers % extent).astype(np.uint32)
                self.registers[f"%n{prefix}.{axis}"] = np.full(self.count, extent, np.uint32)
                numbers = numbers // extent
        self.block_threads = prod(block)
        self.shared = SharedMemory(prod(grid), prod(block), kernel.shared_bytes)
        self.local = np.zeros((self.count, -(-kernel.local_bytes // 8) * 8), np.uint8)
        self.carry = np.zeros(self.count, np.uint64)
        self.at: np.ndarray | slice = slice(None)

    def run(self) -> int:
        """Run all threads to the end: those at the earliest place go on first."""
        steps, end = 0, len(self.kernel.instructions)
        waiting = {0: np.arange(self.count)}
        while waiting:
            place = min(waiting)
            threads = waiting.pop(place)
            while place < end and place not in waiting:
                steps += 1
                self.at = slice(None) if len(threads) == self.count else threads
                step = self.kernel.instructions[place]
                place += 1
                if step.words[0] not in ("bra", "ret"):
                    self._guarded(step, threads)
                    continue
                goes = self._holds(step, threads)
                target = end if step.words[0] == "ret" else self.kernel.labels[step.operands[0]]
                if goes.all():
                    place = target
                elif goes.any():
                    self._join(waiting, target, threads[goes])
                    threads = threads[~goes]
                if place <= min(waiting, default=end):
                    continue
                break
            if place < end:
                self._join(waiting, place, threads)
        return steps

    @staticmethod
    def _join(waiting: dict[int, np.ndarray], place: int, threads: np.ndarray) -> None:
        joined = (waiting[place], threads) if place in waiting else (threads,)
        waiting[place] = np.sort(np.concatenate(joined))

    def _holds(self, step: Instruction, threads: np.ndarray) -> np.ndarray:
        """Return which threads take a step."""
        if step.guard is None:
            return np.ones(len(threads), "?")
        return self.registers[step.guard][threads] != step.negated

    def _guarded(self, step: Instruction, threads: np.ndarray) -> None:
        if step.guard is not None:
            self.at = threads[self._holds(step, threads)]
        self._step(step)

    def get(self, operand: str, kind: str) -> np.ndarray:
        """Return an operand of the threads that take the step."""
        dtype = TYPES[kind]
        held = self.registers.get(operand)
        if held is not None:
            value = held[self.at]
            if dtype.kind == "?":
                return value
            bits = value.view if value.dtype.itemsize == dtype.itemsize else value.astype
            return bits(f"u{dtype.itemsize}").view(dtype)
        if operand in self.kernel.symbols:
            return np.asarray(self.kernel.symbols[operand]).astype(dtype)
        return _constant(operand, dtype)

    def put(self, register: str, value: np.ndarray, kind: str) -> None:
        """Set a register of the threads that take the step; signed numbers keep their sign."""
        held = self.registers[register]
        value = np.asarray(value)
        if kind != "pred":
            dtype = TYPES[kind]
            if value.dtype != dtype:
                value = value.astype(dtype)
            if dtype.kind == "i" and held.dtype.itemsize > dtype.itemsize:
                value = value.astype(f"i{held.dtype.itemsize}")
            value = value.view(f"u{value.dtype.itemsize}")
        held[self.at] = value

    def _step(self, step: Instruction) -> None:
        words, operands = step.words, step.operands
        kind = words[-1]
        match words[0]:
            case "ld" | "st":
                self._access(step)
            case "mov" | "cvta":
                self._move(operands, kind)
            case "bar":
                self._wait()
            case "mma" if words[3:6] in _MATRICES:
                self._multiply_matrices(words[7], operands)
            case "setp":
                a, b = (self.get(o, kind) for o in operands[1:])
                self.registers[operands[0]][self.at] = _compare(words[1], a, b)
            case "selp":
                a, b = (self.get(o, kind) for o in operands[1:3])
                chosen = np.where(self.get(operands[3], "pred"), a, b)
                self.put(operands[0], chosen, kind)
            case "cvt":
                self._convert(words, operands)
            case "shl" | "shr" | "shf":
                self._shift(words, operands)
            case "bfe":
                x, place, count = (
                    self.get(o, t) for o, t in zip(operands[1:], (kind, "u32", "u32"), strict=True)
                )
                self.put(operands[0], _field(x, place, count), kind)
            case "prmt" if kind == "b32":
                a, b, places = (self.get(o.removesuffix("U"), "u32") for o in operands[1:])
                self.put(operands[0], _bytes_at(a, b, places), kind)
            case "dp4a":
                self.put(operands[0], self._dots(words, operands), "u32")
            case "mul" | "mad" | "madc" if not kind.startswith("f"):
                self._multiply(words, operands)
            case name if name in _FUNCTIONS:
                values = [self.get(o, kind) for o in operands[1:]]
                flushes = "ftz" in words
                result = _FUNCTIONS[name](*(map(_flushed, values) if flushes else values))
                self.put(operands[0], _flushed(result) if flushes else result, kind)
            case _:
                raise PtxError(f"'{step.name}' is not known")

    def _access(self, step: Instruction) -> None:
        loads, space, kind = step.words[0] == "ld", step.words[1], step.words[-1]
        place, listed = step.operands if not loads else reversed(step.operands)
        if space == "param":
            self.put(listed, np.asarray(self.values[place[1:-1]]), kind)
            return
        registers = [name.strip() for name in listed.strip("{}").split(",")]
        found = re.fullmatch(r"\[(%?[\w$]+)(?:\+(-?\d+))?\]", place)
        if found is None:
            raise PtxError(f"'{place}' is no address")
        address = self.get(found[1], "s64") + int(found[2] or 0)
        width = TYPES[kind].itemsize
        if np.any(address % (width * len(registers))):
            raise PtxError(f"'{step.name}' of an address that is not aligned")
        if space == "shared" and address.size:
            self.shared.check(self._own(), address, width * len(registers), loads)
        for number, register in enumerate(registers):
            rows, cells, index = self._cells(space, address + number * width, kind)
            where = index if rows is None else (rows, index)
            if loads:
                self.put(register, cells[where], kind)
            else:
                cells[where] = self.get(register, kind)

    def _cells(
        self, space: str, address: np.ndarray, kind: str
    ) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
        """Return the memory that has addresses, and the indices there; rows are of threads."""
        dtype = TYPES[kind]
        if not address.size:
            return None, np.zeros(0, dtype), address
        low, high = int(address.min()), int(address.max()) + dtype.itemsize
        if space == "local":
            if low < 0 or high > self.kernel.local_bytes:
                raise PtxError("local memory is left")
            return self._own(), self.local.view(dtype), address // dtype.itemsize
        if space == "shared":
            blocks = self._own() // self.block_threads
            return blocks, self.shared.cells.view(dtype), address // dtype.itemsize
        parts = [(CONST_BASE, self.constants)] if space == "const" else self.memory
        for base, cells in parts:
            if low >= base and high <= base + len(cells):
                whole = len(cells) // dtype.itemsize * dtype.itemsize
                return None, cells[:whole].view(dtype), (address - base) // dtype.itemsize
        for base, cells in parts:
            if low < base + len(cells) and high > base:
                raise PtxError(f"a {space} access leaves its part of memory")
        raise PtxError(f"a {space} access is in no part of memory")

    def _own(self) -> np.ndarray:
        """Return the numbers of the threads that take the step."""
        return np.arange(self.count)[self.at]

    def _wait(self) -> None:
        """Let the threads of each block wait for each other, which are all there."""
        own = self._own()
        blocks = np.unique(own // self.block_threads)
        if len(own) != len(blocks) * self.block_threads:
            raise PtxError("threads of a block do not come to a barrier")
        self.shared.meet(blocks)

    def _multiply_matrices(self, element: str, operands: Sequence[str]) -> None:
        """Multiply two matrices, and add a third one, whose elements are those of whole warps."""
        if len(self._own()) % 32 or np.any(self._own().reshape(-1, 32)[:, 0] % 32):
            raise PtxError("a part of a warp multiplies matrices")
        target, *given = ([r.strip() for r in o.strip("{}").split(",")] for o in operands)
        kinds = ("b32", "b32", "f32")
        left, right, sums = (
            [self.get(register, kind) for register in registers]
            for registers, kind in zip(given, kinds, strict=True)
        )
        for register, value in zip(target, multiplied(element, left, right, sums), strict=True):
            self.put(register, value, "f32")

    def _move(self, operands: Sequence[str], kind: str) -> None:
        target, source = operands
        if target.startswith("{"):
            parts = [name.strip() for name in target.strip("{}").split(",")]
            bits = int(kind[1:]) // len(parts)
            value = self.get(source, f"b{kind[1:]}")
            for number, part in enumerate(parts):
                shifted = value >> np.asarray(bits * number, value.dtype)
                self.put(part, shifted, f"b{bits}")
        elif source.startswith("{"):
            parts = [name.strip() for name in source.strip("{}").split(",")]
            bits = int(kind[1:]) // len(parts)
            values = [self.get(part, f"b{bits}").astype(np.uint64) for part in parts]
            shifted = [value << np.uint64(bits * n) for n, value in enumerate(values)]
            self.put(target, np.bitwise_or.reduce(np.broadcast_arrays(*shifted)), f"b{kind[1:]}")
        else:
            self.put(target, self.get(source, kind), kind)

    def _convert(self, words: Sequence[str], operands: Sequence[str]) -> None:
        *_, target, source = words
        if target in ("tf32", "f16x2", "bf16x2"):
            bits = [rounded_bits(self.get(o, "f32"), target[:-2] if target != "tf32" else target)
                    for o in operands[1:]]  # fmt: skip
            parts = [part.astype(np.uint32) for part in bits]
            # The first one is the upper half.
            word = parts[0] if len(parts) == 1 else parts[0] << np.uint32(16) | parts[1]
            self.put(operands[0], word, "b32")
            return
        x = self.get(operands[1], source)
        if "ftz" in words:
            x = _flushed(x)
        for rounding, function in _ROUNDINGS.items():
            if rounding in words:
                x = function(x)
        dtype = TYPES[target]
        if dtype.kind in "iu" and x.dtype.kind == "f":
            # It saturates, and nan is 0.
            info = np.iinfo(dtype)
            wide = np.nan_to_num(x.astype(np.float64), nan=0.0)
            inside = np.clip(wide, float(info.min), float(info.max))
            x = np.where(wide >= float(info.max), info.max, inside.astype(dtype))
        self.put(operands[0], x.astype(dtype), target)

    def _shift(self, words: Sequence[str], operands: Sequence[str]) -> None:
        kind = words[-1]
        bits = int(kind[1:])
        if words[0] == "shf":
            low, high, n = (self.get(o, "u32").astype(np.uint64) for o in operands[1:])
            n = n % np.uint64(32) if words[2] == "wrap" else np.minimum(n, np.uint64(32))
            both = (high << np.uint64(32)) | low
            shifted = both << n >> np.uint64(32) if words[1] == "l" else both >> n
            self.put(operands[0], shifted, kind)
            return
        x, n = self.get(operands[1], kind), self.get(operands[2], "u32")
        most = np.minimum(n, bits - 1).astype(x.dtype)
        shifted = x << most if words[0] == "shl" else x >> most
        gone = shifted if x.dtype.kind == "i" and words[0] == "shr" else np.zeros_like(x)
        self.put(operands[0], np.where(n < bits, shifted, gone), kind)

    def _dots(self, words: Sequence[str], operands: Sequence[str]) -> np.ndarray:
        """Return an integer of 32 bits plus the products of the bytes of two others."""
        total = self.get(operands[3], "u32").astype(np.int64)
        for place in range(0, 32, 8):
            a, b = (
                (self.get(operand, "u32") >> np.uint32(place)).astype(TYPES[f"{word[0]}8"])
                for operand, word in zip(operands[1:3], words[1:], strict=True)
            )
            total = total + a.astype(np.int64) * b.astype(np.int64)
        return (total & 0xFFFFFFFF).astype(np.uint32)

    def _multiply(self, words: Sequence[str], operands: Sequence[str]) -> None:
        """Multiply integers, and add: the low half, the high one, or a wide product."""
        kind = words[-1]
        bits = int(kind[1:])
        a, b = (self.get(o, kind) for o in operands[1:3])
        result = f"{kind[0]}{2 * bits}" if "wide" in words else kind
        if "hi" in words and bits > 32:
            high = _high(a.astype(np.uint64), b.astype(np.uint64))
            if kind[0] == "s":
                high = high - np.where(a < 0, b, 0).astype(np.uint64)
                high = high - np.where(b < 0, a, 0).astype(np.uint64)
            product = high.view(TYPES[kind])
        elif "hi" in words:
            wide = TYPES[f"{kind[0]}64"]
            product = (a.astype(wide) * b.astype(wide) >> bits).astype(TYPES[kind])
        else:
            product = a.astype(TYPES[result]) * b.astype(TYPES[result])
        if len(operands) > 3:
            c = self.get(operands[3], result)
            carried = self.carry[self.at] if words[0] == "madc" else np.uint64(0)
            if "cc" in words:
                whole = product.astype(np.uint64) + c.astype(np.uint64) + carried
                self.carry[self.at] = whole >> np.uint64(bits)
            product = product + c + np.asarray(carried).astype(TYPES[result])
        self.put(operands[0], product, result)


def _constant(text: str, dtype: np.dtype) -> np.ndarray:
    if text.startswith(("0f", "0d")):
        code = "<I" if text[1] == "f" else "<Q"
        bits = np.frombuffer(struct.pack(code, int(text[2:], 16)), code[0] + code[1].lower())
        native = bits.view(np.float32 if text[1] == "f" else np.float64)
        return native[0] if dtype.kind == "f" else native.view(f"u{dtype.itemsize}")[0].view(dtype)
    try:
        number = int(text, 0)
    except ValueError:
        raise PtxError(f"'{text}' is not known") from None
    if dtype.kind == "?":
        return np.asarray(bool(number))
    bits = number & ((1 << 8 * dtype.itemsize) - 1)
    return np.asarray(bits, f"u{dtype.itemsize}").view(dtype)


def _flushed(x: np.ndarray) -> np.ndarray:
    """Return floats, those too small to have all digits as 0 of their sign."""
    is_small = np.abs(x) < np.finfo(x.dtype).tiny
    return np.where(is_small, np.copysign(x.dtype.type(0), x), x)


def _compare(name: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    is_float = a.dtype.kind == "f"
    nan = np.isnan(a) | np.isnan(b) if is_float else np.zeros((), "?")
    if name in ("num", "nan"):
        return nan if name == "nan" else ~nan
    has_nan = is_float and name.endswith("u") and name not in ("lu", "gu")
    found = _COMPARISONS[name[:2]](a, b)
    return found | nan if has_nan else found & ~nan


def _fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Multiply and add with one rounding, but for rare numbers, whose sum is rounded twice."""
    wide = a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)
    return wide.astype(a.dtype)


def _quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Divide; integers towards zero."""
    if a.dtype.kind == "f":
        return a / b
    if a.dtype.kind == "u":
        return np.where(b == 0, ~a, a // np.where(b == 0, 1, b))
    safe = np.where(b == 0, 1, b)
    down = a // safe
    return down + ((a % safe != 0) & ((a < 0) != (safe < 0)))


def _remainder(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a - _quotient(a, b) * b


def _high(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the upper 64 bits of a product of 64-bit numbers."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    a_low, a_high, b_low, b_high = a & mask, a >> half, b & mask, b >> half
    low = a_low * b_low
    first = a_high * b_low + (low >> half)
    second = a_low * b_high + (first & mask)
    return a_high * b_high + (first >> half) + (second >> half)


def _field(x: np.ndarray, place: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Return ``count`` bits of a number from a place on; the first is the sign if it has one."""
    bits = 8 * x.dtype.itemsize
    if np.any(count < 1) or np.any(place + count > bits):
        raise PtxError("a field of no bits, or with bits after the last one, is not known")
    return x << (bits - place - count).astype(x.dtype) >> (bits - count).astype(x.dtype)


def _bytes_at(a: np.ndarray, b: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return four bytes of two numbers, or copies of the signs of such bytes."""
    both = a.astype(np.uint64) | b.astype(np.uint64) << np.uint64(32)
    result = np.zeros_like(both)
    for number in range(4):
        place = places.astype(np.uint64) >> np.uint64(4 * number)
        byte = both >> (place & np.uint64(7)) * np.uint64(8) & np.uint64(0xFF)
        sign = np.where(byte >> np.uint64(7), np.uint64(0xFF), np.uint64(0))
        result |= np.where(place & np.uint64(8), sign, byte) << np.uint64(8 * number)
    return result.astype(np.uint32)


def _leading_zeros(x: np.ndarray) -> np.ndarray:
    bits = 8 * x.dtype.itemsize
    return (bits - np.frexp(x.astype(np.float64))[1]).astype(x.dtype)


_COMPARISONS: dict[str, Callable[..., np.ndarray]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
} | {"lo": operator.lt, "ls": operator.le, "hi": operator.gt, "hs": operator.ge}

_MATRICES = {("m16n8k8", "row", "col"), ("m16n8k16", "row", "col")}

_ROUNDINGS: dict[str, Callable[..., np.ndarray]] = {
    "rmi": np.floor,
    "rpi": np.ceil,
    "rni": np.rint,
    "rzi": np.trunc,
}

_FUNCTIONS: dict[str, Callable[..., np.ndarray]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "fma": _fused,
    "div": _quotient,
    "rem": _remainder,
    "rcp": lambda x: x.dtype.type(1) / x,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "neg": operator.neg,
    "min": lambda a, b: np.fmin(a, b) if a.dtype.kind == "f" else np.minimum(a, b),
    "max": lambda a, b: np.fmax(a, b) if a.dtype.kind == "f" else np.maximum(a, b),
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "not": operator.invert,
    "clz": _leading_zeros,
    "copysign": lambda a, b: np.copysign(b, a),
}
"""Functions of operands of one type."""
