"""The layers of random quantised graphs, in the forms that files have."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import ml_dtypes
import numpy as np
from fuzz_case import FuzzCase
from fuzz_codes import MS, S4, S8, S16, SMALL, U4, U8, U16, Codes, CodesGraph, Drawn
from fuzz_numbers import MOODS
from onnx import TensorProto


def make_codes(name: str, random: np.random.Generator, moods: Sequence[str] = MOODS) -> FuzzCase:
    """Return a graph of one to five layers.

    For each result the case has two errors: where layers are summed in integers, and where not.
    """
    again = copy.deepcopy(random)
    exact, loose = (_drawn(name, draws, exact) for draws, exact in ((random, True), (again, False)))
    assert exact.model == loose.model
    slack = {key: (error, loose.slack[key]) for key, error in exact.slack.items()}
    return FuzzCase(name, exact.model, exact.inputs, slack=slack)


def _drawn(name: str, random: np.random.Generator, exact: bool) -> Drawn:
    graph = LayeredGraph(name, random, exact)
    for _ in range(int(random.integers(1, 6))):
        graph.layer()
    while not graph.nodes:
        graph.layer()
    return graph.drawn()


class LayeredGraph(CodesGraph):
    """A graph of quantised layers."""

    def layer(self) -> None:
        x = self.recent()
        rank = len(x.shape)
        choices: list[tuple[float, Callable[[Codes], None]]] = [
            (1, self.product), (1, self.pair), (0.7, self.join), (1, self.unary),
            (1, self.move), (0.4, self.mean), (0.4, self.choose), (0.5, self.requantise),
            (0.6, self.dynamic), (0.3, self.wide), (0.3, self.per_axis), (0.2, self.factors),
        ]  # fmt: skip
        if rank in (3, 4):
            choices += [(4, self.conv), (1, self.pool)]
        weights = np.array([weight for weight, _ in choices])
        chosen = int(self.random.choice(len(choices), p=weights / weights.sum()))
        choices[chosen][1](x)

    def conv(self, x: Codes) -> None:
        channels, *places = x.shape[1:]
        window = [int(self.pick(1, 1, 2, 3, 3, 5)) for _ in places]
        stride = [int(self.pick(1, 1, 2)) for _ in places]
        dilation = [int(self.pick(1, 1, 1, 2)) for _ in places]
        pads = [int(n) for n in self.random.integers(0, 3, 2 * len(places))]
        if self.chance(0.4):
            pads = [n // 2 for n in window] * 2
        if self.chance(0.2):
            pads = [0] * len(pads)
        outputs, group = int(self.pick(1, 3, 4, 8, 16, 17, 32)), 1
        match int(self.random.integers(5)):
            case 0:
                outputs = group = channels
            case 1 if channels % 2 == 0:
                group, outputs = 2, 2 * int(self.pick(1, 4, 6))
            case _:
                pass
        reach = [(k - 1) * d + 1 for k, d in zip(window, dilation, strict=True)]
        ends = zip(places, pads, pads[len(places) :], reach, stride, strict=False)
        extents = [(n + a + b - r) // s + 1 for n, a, b, r, s in ends]
        if min(extents) < 1:
            return
        operator = self.as_operator()
        w, scale, zero, numbers, factors, exact = self.weights(
            (outputs, channels // group, *window), 0, x.dtype, operator
        )
        most = float(np.abs(numbers).sum(tuple(range(1, numbers.ndim))).max(initial=0))
        spread = x.spread * float(np.sqrt((numbers**2).sum(tuple(range(1, numbers.ndim))).mean()))
        spread = max(spread, 1e-30)
        shape = (x.shape[0], outputs, *extents)
        attributes = {
            "kernel_shape": window, "strides": stride, "pads": pads, "dilations": dilation,
            "group": group,
        }  # fmt: skip
        bias, exact_bias, limit = self.bias(outputs, x, factors, spread, operator)

        def slack(step: float) -> int:
            return self.steps(x.slack * x.step * most, step, exact=exact and exact_bias)

        if operator:
            self.operator(
                "QLinearConv",
                lambda out: [x.name, x.scale, self.zero_of(x), w, scale, zero, *out, *bias],
                shape, spread + limit, x.dtype, slack, "", **attributes,
            )  # fmt: skip
            return
        axis = 0 if factors.ndim else None
        weights = self.add("DequantizeLinear", w, scale, *([zero] if zero else []), axis=axis)
        y = self.add("Conv", self.dequantise(x), weights, *bias, **attributes)
        self.result(y, shape, spread + limit, x.dtype, slack)

    def product(self, x: Codes) -> None:
        inner, columns = x.shape[-1], int(self.pick(1, 3, 8, 16, 17, 33))
        operator = self.as_operator()
        kind = str(self.pick("QLinearMatMul", "QGemm")) if operator else "MatMul"
        transposed = False
        if len(x.shape) == 2 and not operator and self.chance(0.6):
            kind, transposed = "Gemm", self.chance(0.5)
        if len(x.shape) != 2 and kind == "QGemm":
            kind = "QLinearMatMul"
        transposed = transposed or (kind == "QGemm" and self.chance(0.5))
        shape, axis = ((columns, inner), 0) if transposed else ((inner, columns), 1)
        # onnxruntime takes one scale an output of transposed weights for another.
        w, scale, zero, numbers, factors, exact = self.weights(
            shape, axis, x.dtype, operator, several=not transposed
        )
        most = float(np.abs(numbers).sum(1 - axis).max(initial=0))
        spread = max(x.spread * float(np.sqrt((numbers**2).sum(1 - axis).mean())), 1e-30)
        result = (*x.shape[:-1], columns)
        bias, exact_bias, limit = [], True, 0.0
        if kind in ("Gemm", "QGemm"):
            bias, exact_bias, limit = self.bias(columns, x, factors, spread, operator)

        def slack(step: float) -> int:
            return self.steps(x.slack * x.step * most, step, exact=exact and exact_bias)

        if kind == "QLinearMatMul":
            self.operator(
                kind, lambda out: [x.name, x.scale, self.zero_of(x), w, scale, zero, *out],
                result, spread, x.dtype, slack, "",
            )  # fmt: skip
        elif kind == "QGemm":
            self.operator(
                kind,
                lambda out: [x.name, x.scale, self.zero_of(x), w, scale, zero,
                             *(bias or [""]), *out],
                result, spread + limit, x.dtype, slack, transB=int(transposed),
            )  # fmt: skip
        else:
            along = axis if factors.ndim else None
            weights = self.add("DequantizeLinear", w, scale, *([zero] if zero else []), axis=along)
            given = {"transB": int(transposed)} if kind == "Gemm" else {}
            y = self.add(kind, self.dequantise(x), weights, *bias, **given)
            self.result(y, result, spread + limit, x.dtype, slack)

    def factors(self, x: Codes) -> None:
        """Multiply two tensors that are both computed, as attention does."""
        rank = len(x.shape)
        order = [*range(rank - 2), rank - 1, rank - 2]
        other = self.add("Transpose", self.dequantise(x), perm=order)
        y = self.add("MatMul", self.dequantise(x), other)
        inner = x.shape[-1]
        most = inner * 2 * 256 * x.step
        spread = max(x.spread**2 * math.sqrt(inner), 1e-30)
        shape = (*x.shape[:-1], x.shape[-2])
        self.quantise(
            y, shape, spread, x.dtype,
            lambda step: self.steps(x.slack * x.step * most, step, exact=False),
        )  # fmt: skip

    def pair(self, x: Codes) -> None:
        other = self.same_shape(x)
        kind = str(self.pick("Add", "Add", "Mul"))
        spread = x.spread + other.spread if kind == "Add" else x.spread * other.spread
        shape = tuple(np.broadcast_shapes(x.shape, other.shape))

        def slack(step: float) -> int:
            error = x.slack * x.step + other.slack * other.step
            if kind == "Mul":
                error = 512 * (x.slack + other.slack + 1) * x.step * other.step * (error > 0)
            return self.steps(error, step, exact=False)

        if self.as_operator():
            self.operator(
                f"QLinear{kind}",
                lambda out: [x.name, x.scale, x.zero, other.name, other.scale, other.zero, *out],
                shape, spread, x.dtype, slack,
            )  # fmt: skip
            return
        y = self.add(kind, self.dequantise(x), self.dequantise(other))
        self.result(y, shape, spread, x.dtype, slack)

    def join(self, x: Codes) -> None:
        axis = int(self.random.integers(len(x.shape)))
        parts = [x, *(self.same_shape(x) for _ in range(int(self.random.integers(1, 3))))]
        parts = [part for part in parts if part.shape == x.shape]
        shape = list(x.shape)
        shape[axis] *= len(parts)
        spread = max(part.spread for part in parts)

        def slack(step: float) -> int:
            return self.steps(max(p.slack * p.step for p in parts), step, exact=False)

        if self.as_operator():
            self.operator(
                "QLinearConcat",
                lambda out: [*out, *(n for p in parts for n in (p.name, p.scale, self.zero_of(p)))],
                tuple(shape), spread, x.dtype, slack, axis=axis,
            )  # fmt: skip
            return
        y = self.add("Concat", *(self.dequantise(part) for part in parts), axis=axis)
        if all(part.scale == x.scale for part in parts) and self.chance(0.7):
            self.quantise(y, tuple(shape), spread, x.dtype, max(p.slack for p in parts), like=x)
        else:
            self.quantise(y, tuple(shape), spread, x.dtype, slack)

    def unary(self, x: Codes) -> None:
        def slack(step: float) -> int:
            return self.steps(1.5 * x.slack * x.step, step, exact=False)

        if self.as_operator():
            kind = str(self.pick("QLinearSigmoid", "QLinearLeakyRelu", "QLinearSoftmax"))
            given: dict[str, object] = {}
            if kind == "QLinearLeakyRelu":
                given = {"alpha": float(self.pick(0.01, 0.2, 1.5))}
            if kind == "QLinearSoftmax":
                given = {"axis": -1, "opset": 13}
            spread = x.spread if kind == "QLinearLeakyRelu" else 0.2
            self.operator(
                kind, lambda out: [x.name, x.scale, self.zero_of(x), *out],
                x.shape, spread, x.dtype, slack, **given,
            )  # fmt: skip
            return
        kind = str(
            self.pick("Sigmoid", "LeakyRelu", "Softmax", "Tanh", "HardSwish", "Gelu", "Relu",
                      "Clip", "Swish")
        )  # fmt: skip
        numbers = self.dequantise(x)
        if kind == "Clip" and x.spread <= SMALL:
            kind = "Relu"
        if kind == "Clip":
            ends = [self.known(np.array(n * x.spread, np.float32)) for n in (-0.7, 1.1)]
            y = self.add("Clip", numbers, *ends[: int(self.random.integers(1, 3))])
        elif kind == "Swish":
            y = self.add("Mul", numbers, self.add("Sigmoid", numbers))
        else:
            y = self.add(kind, numbers)
        spread = 0.2 if kind in ("Sigmoid", "Softmax", "Tanh") else x.spread
        like = x if kind in ("Relu", "Clip") and self.chance(0.5) else None
        self.quantise(y, x.shape, spread, x.dtype, slack, like)

    def move(self, x: Codes) -> None:
        """Move numbers, or codes, or find the largest ones."""
        rank = len(x.shape)
        direct = self.chance(0.3)
        source = x.name if direct else self.dequantise(x)
        axis = int(self.random.integers(rank))
        shape = list(x.shape)
        kinds = ["Transpose", "Slice", "Reshape", "Gather", "Split", "Pad"]
        kinds += ["MaxPool", "MaxPool"] if rank in (3, 4) else []
        kinds += ["Resize"] if rank == 4 else []
        match str(self.random.choice(kinds)):
            case "Transpose":
                order = self.random.permutation(rank).tolist()
                y, shape = self.add("Transpose", source, perm=order), [shape[i] for i in order]
            case "Slice":
                numbers = [self.known(np.array([n], np.int64)) for n in (0, 2**31 - 1, axis, 2)]
                y = self.add("Slice", source, *numbers)
                shape[axis] = -(-shape[axis] // 2)
            case "Reshape":
                count = math.prod(shape)
                shape = [shape[0], count // shape[0], *[1] * (rank - 2)]
                y = self.add("Reshape", source, self.known(np.array(shape, np.int64)))
            case "Gather":
                places = self.random.integers(0, shape[axis], 3)
                y, shape[axis] = self.add("Gather", source, self.known(places), axis=axis), 3
            case "Split" if shape[axis] > 1:
                ends = self.known(np.array([1, shape[axis] - 1], np.int64))
                y, _ = self.add("Split", source, ends, axis=axis, outputs=2)
                shape[axis] = 1
            case "Pad":
                pads = self.random.integers(0, 2, 2 * rank)
                value = np.array(x.place, x.dtype) if direct else np.array(0, np.float32)
                y = self.add("Pad", source, self.known(pads), self.known(value))
                shape = [n + int(pads[i]) + int(pads[i + rank]) for i, n in enumerate(shape)]
            case "Resize":
                sizes = self.known(np.array([*shape[:2], 2 * shape[2], 2 * shape[3]], np.int64))
                given = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
                y = self.add("Resize", source, "", "", sizes, mode="nearest", **given)
                shape = [*shape[:2], 2 * shape[2], 2 * shape[3]]
            case "MaxPool":
                window = [min(2, n) for n in shape[2:]]
                pads = [int(self.chance(0.3) and n > 1) for n in window] * 2
                stride = [int(self.pick(1, 2)) for _ in window]
                y = self.add("MaxPool", source, kernel_shape=window, strides=stride, pads=pads)
                ends = zip(shape[2:], window, pads, stride, strict=False)
                shape = [*shape[:2], *((n + 2 * p - k) // s + 1 for n, k, p, s in ends)]
            case _:
                y = self.add("Identity", source)
        moved = tuple(shape)
        if direct:
            self.made.append(replace(x, name=y, shape=moved))
        elif self.chance(0.6):
            self.quantise(y, moved, x.spread, x.dtype, x.slack, like=x)
        else:
            self.quantise(
                y, moved, x.spread, x.dtype,
                lambda step: self.steps(x.slack * x.step, step, exact=False),
            )  # fmt: skip

    def pool(self, x: Codes) -> None:
        window = [min(int(self.pick(2, 3)), n) for n in x.shape[2:]]
        pads = [int(self.chance(0.3) and n > 1) for n in window]
        stride = [int(self.pick(1, 2)) for _ in window]
        ends = zip(x.shape[2:], window, pads, stride, strict=True)
        shape = (*x.shape[:2], *((n + 2 * p - k) // s + 1 for n, k, p, s in ends))
        given = {
            "kernel_shape": window, "strides": stride, "pads": pads * 2,
            "count_include_pad": int(self.chance(0.5)),
        }  # fmt: skip

        def slack(step: float) -> int:
            return self.steps(x.slack * x.step, step, exact=False)

        if self.as_operator():
            self.operator(
                "QLinearAveragePool", lambda out: [x.name, x.scale, self.zero_of(x), *out],
                shape, x.spread, x.dtype, slack, **given,
            )  # fmt: skip
            return
        y = self.add("AveragePool", self.dequantise(x), **given)
        self.quantise(y, shape, x.spread, x.dtype, slack, x if self.chance(0.5) else None)

    def mean(self, x: Codes) -> None:
        def slack(step: float) -> int:
            return self.steps(x.slack * x.step, step, exact=False)

        rank = len(x.shape)
        if rank in (3, 4) and self.chance(0.6):
            shape = (*x.shape[:2], *[1] * (rank - 2))
            if self.as_operator():
                self.operator(
                    "QLinearGlobalAveragePool",
                    lambda out: [x.name, x.scale, self.zero_of(x), *out],
                    shape, x.spread, x.dtype, slack,
                )  # fmt: skip
                return
            y = self.add("GlobalAveragePool", self.dequantise(x))
        else:
            axis = int(self.random.integers(rank))
            shape = tuple(1 if i == axis else n for i, n in enumerate(x.shape))
            axes = self.known(np.array([axis], np.int64))
            y = self.add("ReduceMean", self.dequantise(x), axes, keepdims=1)
        self.quantise(y, shape, x.spread, x.dtype, slack)

    def choose(self, x: Codes) -> None:
        other = self.same_shape(x)
        shape = tuple(np.broadcast_shapes(x.shape, other.shape))
        condition = self.known(self.random.random(x.shape) < 0.5)

        def slack(step: float) -> int:
            return self.steps(max(x.slack * x.step, other.slack * other.step), step, exact=False)

        if self.as_operator():
            self.operator(
                "QLinearWhere",
                lambda out: [condition, x.name, x.scale, self.zero_of(x), other.name, other.scale,
                             self.zero_of(other), *out],
                shape, x.spread, x.dtype, slack,
            )  # fmt: skip
            return
        y = self.add("Where", condition, self.dequantise(x), self.dequantise(other))
        self.quantise(y, shape, x.spread, x.dtype, slack)

    def requantise(self, x: Codes) -> None:
        """Give codes another scale, and maybe another type."""
        self.quantise(
            self.dequantise(x), x.shape, x.spread, self.pick(U8, S8, S16),
            lambda step: self.steps(x.slack * x.step, step, exact=True),
        )  # fmt: skip

    def wide(self, x: Codes) -> None:
        """Go through codes of 16 or 4 bits."""
        dtype = self.pick(U16, S16, U4, S4)
        numbers = self.dequantise(x)
        wide = self.quantise(
            numbers, x.shape, x.spread, dtype,
            lambda step: self.steps(x.slack * x.step, step, exact=True),
        )  # fmt: skip
        self.made.pop()
        y = self.dequantise(wide)
        if self.chance(0.5):
            y = self.add("Add", y, numbers)
        self.quantise(
            y, x.shape, x.spread, x.dtype,
            lambda step: self.steps(
                x.slack * x.step + wide.slack * wide.step, step, exact=False
            ),
        )  # fmt: skip

    def per_axis(self, x: Codes) -> None:
        """Give each place along an axis a scale and a zero point of its own."""
        axis = int(self.random.integers(len(x.shape)))
        count = x.shape[axis]
        info = ml_dtypes.iinfo(x.dtype)
        steps = (x.step * self.random.uniform(0.5, 2, count)).astype(np.float32)
        places = self.random.integers(int(info.min), int(info.max) + 1, count).astype(x.dtype)
        scale, zero = self.known(steps), self.known(places)
        q = self.add("QuantizeLinear", self.dequantise(x), scale, zero, axis=axis)
        y = self.add("DequantizeLinear", q, scale, zero, axis=axis)
        like = x if self.chance(0.3) else None
        self.quantise(
            y, x.shape, x.spread, x.dtype,
            lambda step: self.steps(
                (x.slack + 1) * x.step * (x.slack > 0) + (x.slack > 0) * float(steps.max()), step,
                exact=True,
            ),
            like,
        )  # fmt: skip

    def dynamic(self, x: Codes) -> None:
        """Quantise by the numbers of a run, and multiply or convolve in 32 bits."""
        rank = len(x.shape)
        if rank in (3, 4) and self.chance(0.5):
            window = [min(int(self.pick(1, 3)), n) for n in x.shape[2:]]
            w, scale, zero, floats, _, _ = self.weights(
                (int(self.pick(1, 4, 8, 17)), x.shape[1], *window), 0, U8, True
            )
            if self.constants[zero].ndim:  # one zero point a channel: onnxruntime refuses it
                return
            q, x_scale, x_zero = self.add("DynamicQuantizeLinear", self.dequantise(x), outputs=3)
            y = self.add("ConvInteger", q, w, x_zero, zero, kernel_shape=window)
            shape = (x.shape[0], floats.shape[0],
                     *(n - k + 1 for n, k in zip(x.shape[2:], window, strict=True)))  # fmt: skip
            y = self.add("Mul", self.add("Cast", y, to=TensorProto.FLOAT), x_scale)
            size = float(np.abs(floats).sum() / floats.shape[0])
            factor = self.constants[scale]
            wide = factor.reshape(-1, *[1] * (rank - 2)) if factor.ndim else factor
            y = self.add("Mul", y, self.known(wide))
        else:
            columns = int(self.pick(1, 3, 8, 17, 33))
            w, scale, zero, floats, _, _ = self.weights((x.shape[-1], columns), 1, U8, True)
            shape, size = (*x.shape[:-1], columns), float(np.abs(floats).sum(0).max())
            match str(self.pick("MatMulInteger", "DynamicQuantizeMatMul", "MatMulIntegerToFloat")):
                case "MatMulInteger":
                    numbers = self.dequantise(x)
                    q, x_scale, x_zero = self.add("DynamicQuantizeLinear", numbers, outputs=3)
                    y = self.add("MatMulInteger", q, w, x_zero, zero)
                    y = self.add("Cast", y, to=TensorProto.FLOAT)
                    y = self.add("Mul", y, self.add("Mul", x_scale, scale))
                case "DynamicQuantizeMatMul":
                    bias = [self.known(self.random.standard_normal(columns).astype(np.float32))]
                    bias = bias if self.chance(0.5) else []
                    numbers = self.dequantise(x)
                    y = self.add("DynamicQuantizeMatMul", numbers, w, scale, zero, *bias, domain=MS)
                case _:
                    y = self.add("MatMulIntegerToFloat", x.name, w, x.scale, scale,
                                 self.zero_of(x), zero, domain=MS)  # fmt: skip
        # Other numbers may have other extremes, and then each code is another one.
        moved = (x.slack + 1) * x.step if x.slack else 0
        error = size * (3e-6 * 256 * x.step + 3 * moved)
        if self.chance(0.5):
            self.outputs[y] = np.dtype(np.float32), error
            return
        spread = max(x.spread * float(np.sqrt((floats**2).mean() * floats[0].size)), 1e-30)
        self.quantise(y, shape, spread, U8, lambda step: self.steps(error, step, exact=False))
