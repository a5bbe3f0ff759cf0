"""Networks of .tflite files in ONNX: quantised ones as dequantize, operator, quantize.

Images have channels first within the model and last at its border, as other converters do it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, checker, helper, numpy_helper
from tflite_file import Operator, Tensor, TfliteFile

_FIRST, _LAST = (0, 3, 1, 2), (0, 2, 3, 1)
_SAME = 0
"""The padding with which an output has as many places as strides fit in the input."""


def onnx_of_tflite(path: Path) -> ModelProto:
    """Return the network of a file of the operators that ``tflite_file`` knows."""
    return _Converter(TfliteFile(path)).model(path.stem)


class _Converter:
    def __init__(self, file: TfliteFile):
        self._file = file
        self._nodes: list[NodeProto] = []
        self._constants: dict[str, npt.NDArray] = {}
        self._names: dict[str, str] = {}
        """What a tensor is called in the graph where images have channels first."""

    def model(self, name: str) -> ModelProto:
        for given in self._file.inputs:
            self._store(self._tensor(given), self._channels(given, given, _FIRST))
        for operator in self._file.operators:
            self._convert(operator)
        for made in self._file.outputs:
            moved = self._channels(made, self._names[made], _LAST)
            self._nodes.append(helper.make_node("Identity", [moved], [made]))
        graph = helper.make_graph(
            self._nodes,
            name,
            [self._info(given) for given in self._file.inputs],
            [self._info(made) for made in self._file.outputs],
            [numpy_helper.from_array(array, key) for key, array in self._constants.items()],
        )
        imports = [helper.make_opsetid("", 17)]
        model = helper.make_model(graph, opset_imports=imports, ir_version=8)
        checker.check_model(model, full_check=True)
        return model

    def _tensor(self, name: str) -> Tensor:
        return self._file.tensors[name]

    def _info(self, name: str):
        tensor = self._tensor(name)
        kind = helper.np_dtype_to_tensor_dtype(tensor.dtype)
        return helper.make_tensor_value_info(name, kind, tensor.shape)

    def _add(self, kind: str, inputs: Sequence[str], **attributes: object) -> str:
        name = f"{kind}_{len(self._nodes)}"
        given = {key: value for key, value in attributes.items() if value is not None}
        self._nodes.append(helper.make_node(kind, inputs, [name], **given))
        return name

    def _known(self, array: npt.NDArray) -> str:
        name = f"constant_{len(self._constants)}"
        self._constants[name] = array
        return name

    def _channels(self, tensor: str, value: str, order: Sequence[int]) -> str:
        """Return a value, an image of it with its axes in another order."""
        is_image = len(self._tensor(tensor).shape) == 4
        return self._add("Transpose", [value], perm=order) if is_image else value

    # Codes

    def _parameters(self, tensor: Tensor) -> tuple[list[str], bool]:
        """Return names of scale and zero point, and whether there are several."""
        several = tensor.scale.size > 1
        shape = tensor.scale.shape if several else ()
        arrays = tensor.scale.reshape(shape), tensor.zero.reshape(shape).astype(tensor.dtype)
        return [self._known(array) for array in arrays], several

    def _store(self, tensor: Tensor, value: str) -> None:
        self._names[tensor.name] = value

    def _numbers(self, tensor: Tensor, value: str, axis: int = 0) -> str:
        if not tensor.scale.size:
            return value
        names, several = self._parameters(tensor)
        return self._add("DequantizeLinear", [value, *names], axis=axis if several else None)

    def _read(self, name: str) -> str:
        return self._numbers(self._tensor(name), self._names[name])

    def _constant(self, name: str, order: Sequence[int] | None = None) -> str:
        """Return the numbers of a constant, whose first axis in this order has the scales."""
        tensor = self._tensor(name)
        assert tensor.data is not None
        array = tensor.data if order is None else tensor.data.transpose(order)
        assert order is None or tensor.scale.size < 2 or order[0] == tensor.axis
        return self._numbers(tensor, self._known(np.ascontiguousarray(array)))

    def _write(self, operator: Operator, value: str) -> None:
        """Add the activation, and make codes of the numbers if the output has any."""
        if operator.activation == "Relu":
            value = self._add("Relu", [value])
        elif operator.activation:
            ends = [self._known(np.array(n, np.float32)) for n in (0, 6)]
            value = self._add("Clip", [value, *ends])
        tensor = self._tensor(operator.output)
        if tensor.scale.size:
            names, _ = self._parameters(tensor)
            value = self._add("QuantizeLinear", [value, *names])
        self._store(tensor, value)

    # Operators

    def _convert(self, operator: Operator) -> None:
        match operator.kind:
            case "CONV_2D" | "DEPTHWISE_CONV_2D":
                self._conv(operator)
            case "FULLY_CONNECTED":
                x, weights, *bias = operator.inputs
                rest = [self._constant(name) for name in (weights, *bias)]
                self._write(operator, self._add("Gemm", [self._read(x), *rest], transB=1))
            case "ADD":
                self._write(operator, self._add("Add", [self._read(x) for x in operator.inputs]))
            case "SOFTMAX":
                self._write(operator, self._add("Softmax", [self._read(operator.inputs[0])]))
            case "AVERAGE_POOL_2D":
                window = [operator.options["height"], operator.options["width"]]
                given = self._places(operator, window, [1, 1])
                x = self._read(operator.inputs[0])
                self._write(operator, self._add("AveragePool", [x], **given))
            case "RESHAPE":
                x, tensor = operator.inputs[0], self._tensor(operator.output)
                moved = self._channels(x, self._names[x], _LAST)
                shape = self._known(np.array(tensor.shape, np.int64))
                self._store(tensor, self._add("Reshape", [moved, shape]))
            case kind:
                raise AssertionError(kind)

    def _conv(self, operator: Operator) -> None:
        x, weights, *bias = operator.inputs
        _, height, width, channels = self._tensor(weights).shape
        depthwise = operator.kind == "DEPTHWISE_CONV_2D"
        order = (3, 0, 1, 2) if depthwise else _FIRST
        dilation = [operator.options["dilation_h"], operator.options["dilation_w"]]
        names = [self._constant(weights, order), *map(self._constant, bias)]
        given = self._places(operator, [height, width], dilation)
        group = self._tensor(x).shape[-1] if depthwise else 1
        assert not depthwise or channels % group == 0
        y = self._add("Conv", [self._read(x), *names], dilations=dilation, group=group, **given)
        self._write(operator, y)

    def _places(
        self, operator: Operator, window: Sequence[int], dilation: Sequence[int]
    ) -> dict[str, Sequence[int]]:
        """Return window, strides and pads as attributes."""
        stride = [operator.options["stride_h"], operator.options["stride_w"]]
        pads = [0] * 4
        if operator.options["padding"] == _SAME:
            places = self._tensor(operator.inputs[0]).shape[1:3]
            for axis, (n, k, s, d) in enumerate(zip(places, window, stride, dilation, strict=True)):
                total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
                pads[axis], pads[axis + 2] = total // 2, total - total // 2
        return {"kernel_shape": window, "strides": stride, "pads": pads}
