"""Random graphs of quantised layers in the forms that files have, held against onnxruntime.

Layers are QDQ (dequantised, computed, quantised), operators on codes of ONNX and of onnxruntime,
and products that quantise their rows while they run. Convolutions, products and movements give the
codes of onnxruntime; of another layer a code may be a step off, and ``slack`` follows such steps
through the layers after it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import ml_dtypes
import numpy as np
from fuzz_case import reads
from fuzz_numbers import Array
from onnx import ModelProto, NodeProto, helper, numpy_helper

U8, S8, U16, S16 = (np.dtype(t) for t in (np.uint8, np.int8, np.uint16, np.int16))
U4, S4 = np.dtype(ml_dtypes.uint4), np.dtype(ml_dtypes.int4)
MS = "com.microsoft"
SMALL = 1e-2
"""For smaller scales onnxruntime drops a Clip before the codes, although it changes numbers."""


def _onnxruntime_holds_products() -> bool:
    """Tell whether onnxruntime sums any products of bytes without saturation: it does with VNNI."""
    flags = Path("/proc/cpuinfo")
    return flags.exists() and "vnni" in flags.read_text()


@dataclass(frozen=True)
class Codes:
    """Codes, with the names and the values of their scale and their zero point.

    ``spread`` is about the standard deviation of the numbers, ``slack`` how many steps a code may
    be off.
    """

    name: str
    shape: tuple[int, ...]
    scale: str
    zero: str
    step: float
    place: int
    dtype: np.dtype
    spread: float
    slack: int = 0

    @property
    def parameters(self) -> tuple[str, ...]:
        return (self.scale, self.zero) if self.zero else (self.scale,)


@dataclass(frozen=True)
class Drawn:
    """A model with its inputs, and the largest error of each output."""

    model: ModelProto
    inputs: dict[str, Array]
    slack: dict[str, float]


class CodesGraph:
    """A graph under construction; ``made`` are all codes so far."""

    def __init__(self, name: str, random: np.random.Generator, exact: bool):
        self.name, self.random, self.sums_are_exact = name, random, exact
        self.nodes: list[NodeProto] = []
        self.constants: dict[str, Array] = {}
        self.inputs: dict[str, Array] = {}
        self.outputs: dict[str, tuple[np.dtype, float]] = {}
        self.made: list[Codes] = []
        self.numbers = 0
        self.style = str(random.choice(["qdq", "qdq", "operators", "both"]))
        self.holds_products = _onnxruntime_holds_products()
        self.start()

    # Names and small choices

    def fresh(self, letter: str) -> str:
        self.numbers += 1
        return f"{letter}{self.numbers}"

    def known(self, array: Array) -> str:
        name = self.fresh("c")
        self.constants[name] = array
        return name

    def add(self, kind: str, *inputs: str, domain: str = "", outputs: int = 1, **given: object):
        """Add a node; returns the name of its result, or their names."""
        names = [self.fresh("t") for _ in range(outputs)]
        given = {key: value for key, value in given.items() if value is not None}
        self.nodes.append(helper.make_node(kind, inputs, names, domain=domain, **given))
        return names[0] if outputs == 1 else names

    def chance(self, share: float) -> bool:
        return bool(self.random.random() < share)

    def pick(self, *choices: object):
        return choices[int(self.random.integers(len(choices)))]

    def as_operator(self) -> bool:
        return self.style == "operators" or (self.style == "both" and self.chance(0.5))

    # Parameters and codes

    def start(self) -> None:
        rank = int(self.pick(2, 2, 3, 4, 4, 4, 4))
        shape = tuple(int(self.pick(1, 2, 3, 4, 5, 7, 8, 12, 16, 17)) for _ in range(rank))
        if rank == 4:
            shape = (int(self.pick(1, 1, 2)), *shape[1:])
        self.random_input(shape)

    def random_input(self, shape: tuple[int, ...]) -> Codes:
        x = self.fresh("x")
        dtype = self.pick(U8, U8, S8)
        if self.chance(0.2):
            self.inputs[x] = self.draw(shape, dtype)
            scale, zero, step, place = self.parameters(dtype, 1.0)
            codes = Codes(x, shape, scale, zero, step, place, dtype, 1.0)
            self.made.append(codes)
            return codes
        self.inputs[x] = self.random.standard_normal(shape).astype(np.float32)
        return self.quantise(x, shape, 1.0, dtype)

    def parameters(
        self, dtype: np.dtype, spread: float, zero: bool | None = None
    ) -> tuple[str, str, float, int]:
        """Return names and values of a scale and a zero point for numbers of a spread."""
        info = ml_dtypes.iinfo(dtype)
        step = spread * float(self.random.uniform(2, 8)) / (int(info.max) - int(info.min))
        match int(self.random.integers(12)):
            case 0:
                step = 2.0 ** round(math.log2(step))
            case 1:
                step *= float(self.pick(0.01, 100.0))
            case _:
                pass
        step = float(np.float32(step))
        middle = (int(info.min) + int(info.max) + 1) // 2
        place = int(self.pick(0, middle, self.random.integers(int(info.min), int(info.max) + 1)))
        absent = place == 0 and zero is None and self.chance(0.3) and dtype == U8
        scale = self.known(np.array(step, np.float32))
        return scale, "" if absent else self.known(np.array(place, dtype)), step, place

    def draw(self, shape: Sequence[int], dtype: np.dtype) -> Array:
        info = ml_dtypes.iinfo(dtype)
        low, high = int(info.min), int(info.max)
        if dtype in (S8, U8) and not self.holds_products:  # four products fit in 16 bits
            low, high = low + 97, high - 96
        array = self.random.integers(low, high + 1, shape)
        if self.chance(0.5):  # as weights are: most are near the middle
            array = np.rint((array - (low + high) / 2) / 4 + (low + high) / 2)
        return array.astype(np.int64).astype(dtype)

    def quantise(
        self,
        x: str,
        shape: tuple[int, ...],
        spread: float,
        dtype: np.dtype,
        slack: int | Callable[[float], int] = 0,
        like: Codes | None = None,
    ) -> Codes:
        """Add QuantizeLinear of a float; ``like`` gives the parameters."""
        if like is None:
            scale, zero, step, place = self.parameters(dtype, spread)
        else:
            scale, zero, step, place = like.scale, like.zero, like.step, like.place
        codes = Codes("", shape, scale, zero, step, place, dtype, spread)
        steps = slack if isinstance(slack, int) else slack(step)
        codes = replace(codes, name=self.add("QuantizeLinear", x, *codes.parameters), slack=steps)
        self.made.append(codes)
        return codes

    def operator(
        self,
        kind: str,
        inputs: Callable[[Sequence[str]], Sequence[str]],
        shape: tuple[int, ...],
        spread: float,
        dtype: np.dtype,
        slack: Callable[[float], int],
        domain: str = MS,
        **given: object,
    ) -> Codes:
        """Add an operator on codes; ``inputs`` makes its inputs of the result's parameters."""
        scale, zero, step, place = self.parameters(dtype, spread, zero=True)
        name = self.add(kind, *inputs((scale, zero)), domain=domain, **given)
        codes = Codes(name, shape, scale, zero, step, place, dtype, spread, slack(step))
        self.made.append(codes)
        return codes

    def dequantise(self, codes: Codes) -> str:
        """Return the name of the numbers; one DequantizeLinear may have several readers."""
        for node in self.nodes:
            same = node.op_type == "DequantizeLinear" and node.input[0] == codes.name
            if same and self.chance(0.5):
                return node.output[0]
        return self.add("DequantizeLinear", codes.name, *codes.parameters)

    def recent(self) -> Codes:
        eight = [codes for codes in self.made if codes.dtype in (U8, S8)]
        return eight[-1] if self.chance(0.8) else self.pick(*eight)

    def same_shape(self, x: Codes) -> Codes:
        """Return codes of this shape: earlier ones, itself, or constants."""
        found = [c for c in self.made if c.shape == x.shape and c.dtype == x.dtype]
        if self.chance(0.6):
            return self.pick(*found)
        shape = x.shape
        if self.chance(0.4):
            shape = tuple(n if self.chance(0.5) else 1 for n in shape)
        scale, zero, step, place = self.parameters(x.dtype, x.spread, zero=True)
        name = self.known(self.draw(shape, x.dtype))
        return Codes(name, shape, scale, zero, step, place, x.dtype, x.spread)

    def result(
        self,
        x: str,
        shape: tuple[int, ...],
        spread: float,
        dtype: np.dtype,
        slack: Callable[[float], int],
    ) -> None:
        """End a QDQ layer: activations may be between, or its numbers are a result."""
        if self.chance(0.25):
            kind = self.pick("Relu", "Clip") if spread > SMALL else "Relu"
            ends = [self.known(np.array(n, np.float32)) for n in (0.0, 6.0)]
            x = self.add("Relu", x) if kind == "Relu" else self.add("Clip", x, *ends)
        self.quantise(x, shape, spread, dtype, slack)

    def weights(
        self,
        shape: tuple[int, ...],
        axis: int,
        codes: np.dtype,
        operator: bool,
        *,
        several: bool = True,
    ) -> tuple[str, str, str, Array, Array, bool]:
        """Return names of weights, scales and zero points, the numbers, and if they are exact."""
        dtypes = [S8, S8, S8, U8] if codes == U8 or not operator else [S8]
        if not operator:
            dtypes += [S4] if self.chance(0.3) else []
        dtype = self.pick(*dtypes)
        array = self.draw(shape, dtype)
        several = several and self.chance(0.6)
        count = (shape[axis],) if several else ()
        scale = self.random.uniform(0.002, 0.02, count)
        if self.chance(0.1):
            scale = scale * 10.0 ** self.random.integers(-6, 3, count)
        scale = np.asarray(scale, np.float32)
        middle = 128 if dtype == U8 else 0
        offset = self.random.integers(-9, 10, count) if self.chance(0.2) else np.zeros(count)
        if dtype == U8 and several and self.chance(0.5):
            offset = self.random.integers(-90, 90, count)
        if dtype == S4:
            offset = np.zeros(count)
        zero = np.asarray(middle + offset).astype(np.int64)
        wide = [n if i == axis else 1 for i, n in enumerate(shape)] if several else []
        distance = array.astype(np.int64) - zero.reshape(wide)
        numbers = distance * scale.reshape(wide).astype(np.float64)
        absent = not operator and not zero.any() and self.chance(0.3)
        zero_name = "" if absent else self.known(zero.astype(dtype))
        # onnxruntime takes its own way with zero points of signed weights an axis.
        exact = dtype in (U8, S8)
        return self.known(array), self.known(scale), zero_name, numbers, scale, exact

    def zero_of(self, x: Codes) -> str:
        return x.zero or self.known(np.array(0, x.dtype))

    def bias(
        self, outputs: int, x: Codes, factors: Array, spread: float, operator: bool
    ) -> tuple[list[str], bool, float]:
        """Return the name of a bias, whether codes of sums hold it, and its largest number."""
        scale = (np.float32(x.step) * factors).astype(np.float32)
        if self.chance(0.3) or scale.min() < 1e-20:
            return [], True, 0.0
        limit = np.minimum(spread / scale.astype(np.float64), 2**24)
        codes = np.rint(self.random.uniform(-1, 1, outputs) * limit).astype(np.int32)
        most = float(np.abs(codes * scale.astype(np.float64)).max(initial=0))
        if operator:
            return [self.known(codes)], True, most
        if self.chance(0.15):
            return [self.known((codes * scale).astype(np.float32))], False, most
        exact = self.chance(0.9)
        if not exact:
            scale = (scale * np.float32(1.37)).astype(np.float32)
        zero = [self.known(np.zeros(scale.shape, np.int32))] if self.chance(0.5) else []
        axis = 0 if scale.ndim else None
        name = self.add("DequantizeLinear", self.known(codes), self.known(scale), *zero, axis=axis)
        return [name], exact, most

    def steps(self, error: float, step: float, *, exact: bool) -> int:
        """Return how many steps a code may be off, given the error of the numbers before it."""
        return 0 if exact and self.sums_are_exact and error == 0 else math.ceil(error / step) + 1

    def drawn(self) -> Drawn:
        read = {name for node in self.nodes for name in reads(node)}
        for codes in self.made:
            unread = codes.name not in read and codes.name not in self.inputs
            if unread or (codes.name not in self.inputs and self.chance(0.1)):
                if self.chance(0.3) and codes.dtype not in (U4, S4):
                    floats = self.dequantise(codes)
                    error = codes.slack * codes.step * 1.0001
                    self.outputs[floats] = np.dtype(np.float32), error
                else:
                    self.outputs[codes.name] = codes.dtype, codes.slack
        read = {name for node in self.nodes for name in reads(node)}
        inputs = {name: array for name, array in self.inputs.items() if name in read}
        graph = helper.make_graph(
            self.nodes,
            self.name,
            [_info(name, array.dtype, array.shape) for name, array in inputs.items()],
            [_info(name, dtype) for name, (dtype, _) in self.outputs.items()],
            [numpy_helper.from_array(np.asarray(a), n) for n, a in self.constants.items()
             if n in read],
        )  # fmt: skip
        imports = [helper.make_opsetid("", 21), helper.make_opsetid(MS, 1)]
        model = helper.make_model(graph, opset_imports=imports, ir_version=10)
        slack = {name: slack for name, (_, slack) in self.outputs.items()}
        return Drawn(model, inputs, slack)


def _info(name: str, dtype: np.dtype, shape: Sequence[int] | None = None):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)
