"""Tmfiles to the nn dialect.

The module holds one ``func.func @main``. Nodes are converted in the order of the file. One that
fails is noted, those that need its results are passed over, and in the end all is reported.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DenseArrayBase,
    ModuleOp,
    StringAttr,
    f32,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from autodeploy.diagnostics import ModelError, ModelWarning, UnsupportedError
from autodeploy.dialects.extent_growths import check_input
from autodeploy.dialects.nn.axes import to_first, to_last
from autodeploy.dialects.nn.types import element_of, is_addressable, shape_of, tensor
from autodeploy.frontend.module import Axes, check_inputs, model_module, place, with_axes
from autodeploy.frontend.names import ascii_text, value_hint
from autodeploy.frontend.nn.builder import ConversionError, NewOp, NnBuilder
from autodeploy.frontend.problems import NO_CONVERTER, Problem, report
from autodeploy.frontend.tmfile.converters.registry import Node, converter_of, is_on_images
from autodeploy.frontend.tmfile.file import (
    CONST,
    CONSTANT_TENSOR,
    INPUT,
    Quantisation,
    TmFile,
    TmNode,
    TmTensor,
    open_tmfile,
    operator_name,
    parse_tmfile,
)
from autodeploy.frontend.tmfile.tensors import (
    Constants,
    channels_first,
    element_of_tensor,
    is_quantised,
)

_ORIGINS = {
    1: "tengine", 2: "caffe", 3: "onnx", 4: "mxnet", 5: "tensorflow", 6: "tflite", 9: "ncnn",
    10: "megengine", 11: "oneflow", 12: "paddle",
}  # fmt: skip
"""The formats that models came from; of 7 and 8 the tools of Tengine have two opinions."""

_BIAS_OF = ("Convolution", "Deconvolution", "FullyConnected")


def import_tmfile(
    ctx: Context,
    source: Path | str | bytes,
    *,
    shapes: Mapping[str, Sequence[int]] | None = None,
    widen: bool = False,
    axes: Axes | None = None,
) -> ModuleOp:
    """Import a tmfile from a path, or from the bytes of one.

    ``shapes`` replaces the shapes of inputs by their names, ``axes`` extents of single axes; with
    ``widen`` halves become single floats. Weights become views of the file, which must not change
    while the context lives. Raises ``ModelError`` if the file is missing or malformed, or
    ``shapes`` do not fit, and ``UnsupportedError``, which lists all nodes that do not convert.
    """
    if isinstance(source, bytes):
        file = parse_tmfile(source, "the model")
        return _Importer(ctx, file, widen).module(file.name, shapes or {}, axes or {})
    path = Path(source)
    return _Importer(ctx, open_tmfile(path), widen).module(path.stem, shapes or {}, axes or {})


class _WaitingError(Exception):
    """An operand is a result of a node that failed."""


class _Importer(NnBuilder):
    """One import: what the tensors of the file have become so far."""

    def __init__(self, ctx: Context, file: TmFile, widen: bool):
        super().__init__(ctx)
        self.file, self.widen = file, widen
        self.constants = Constants(file, widen)
        self.block = Block()
        self.values: dict[tuple[int, bool], SSAValue] = {}
        """The values of tensors, in the order of axes of the file (true) or with channels first."""
        self.failed: set[int] = set()
        self.problems: list[Problem] = []
        self.location = ""

    def insert(self, new: NewOp) -> None:
        """Append an op, at the node that is being converted."""
        place(self.block, new, self.location)

    def module(self, name: str, shapes: Mapping[str, Sequence[int]], axes: Axes) -> ModuleOp:
        """Convert the graph and build the module around it."""
        inputs = [out for index in self.file.inputs for out in self._input_node(index).outputs]
        self._arguments(inputs, shapes, axes)
        for node in self.file.nodes:
            if node.operator not in (CONST, INPUT):
                self._convert(node)
        outputs = [out for index in self.file.outputs for out in self.file.nodes[index].outputs]
        if not outputs:
            raise ModelError("the model has no outputs")
        if self.problems:
            raise UnsupportedError(*report(self.problems))
        results = [self._value(out, in_file_order=False) for out in outputs]
        arguments = self._named(inputs)
        for argument in self.block.args:
            check_input(str(argument.name_hint), shape_of(argument.type))
        module = model_module(name, self.block, results, arguments, self._named(outputs))
        if origin := _ORIGINS.get(self.file.origin):
            module.attributes["tmfile.origin"] = StringAttr(origin)
        self._warn(outputs)
        return module

    def _input_node(self, index: int) -> TmNode:
        node = self.file.nodes[index]
        if node.operator != INPUT:
            raise ModelError(f"{node.label} is an input of the graph, expected an InputOp")
        return node

    def _arguments(
        self, inputs: Sequence[int], shapes: Mapping[str, Sequence[int]], axes: Axes
    ) -> None:
        check_inputs(shapes, sorted({self.file.tensors[number].name for number in inputs}))
        own = {
            tensor_.name: _shape(tensor_, channels_first(tensor_.dims, self.file.is_nhwc), shapes)
            for tensor_ in (self.file.tensors[number] for number in inputs)
        }
        own |= with_axes(own, axes)
        for number in inputs:
            tensor_ = self.file.tensors[number]
            shape = _checked(tensor_, own[tensor_.name])
            type_ = tensor(element_of_tensor(tensor_, self.widen), shape)
            argument = self.block.insert_arg(type_, len(self.block.args))
            self._bind(number, argument, in_file_order=False)

    def _convert(self, node: TmNode) -> None:
        converter = converter_of(node.operator)
        self.location = node.name
        try:
            if converter is None:
                raise ConversionError(NO_CONVERTER)
            in_file_order = not is_on_images(node.operator)
            values = converter(self, self._node(node, in_file_order))
            if len(values) < len(node.outputs):
                raise ConversionError(
                    f"it has {len(node.outputs)} outputs, {len(values)} are supported"
                )
            for number, value in zip(node.outputs, values, strict=False):
                self._bind(number, value, in_file_order)
                self._note_scale(number, value)
        except _WaitingError:
            self.failed.update(node.outputs)
        except (ConversionError, VerifyException) as error:
            reason = " ".join(str(error).split())
            self.failed.update(node.outputs)
            self.problems.append(
                Problem(operator_name(node.operator), f"'{node.name}'", self._element(node), reason)
            )

    def _node(self, node: TmNode, in_file_order: bool) -> Node:
        is_filter = operator_name(node.operator) in ("Convolution", "Deconvolution")
        operands = [
            self._value(
                number, in_file_order, is_filter and place == 1, self._bias_scale(node, place)
            )
            for place, number in enumerate(node.inputs)
        ]
        elements = [element_of_tensor(self.file.tensors[n], self.widen) for n in node.outputs]
        return Node(node, tuple(operands), tuple(elements))

    def _bias_scale(self, node: TmNode, place: int) -> Quantisation | None:
        """Return the scales of a bias that states none: the scales of the other addend."""
        if place != 2 or operator_name(node.operator) not in _BIAS_OF:
            return None
        x, weight = (self.file.tensors[number].quantisation for number in node.inputs[:2])
        if x is None or weight is None:
            return None
        scales = tuple(x.scales[0] * scale for scale in weight.scales)
        return Quantisation(scales, (0,) * len(scales))

    def _value(
        self,
        number: int,
        in_file_order: bool,
        is_filter: bool = False,
        fallback: Quantisation | None = None,
    ) -> SSAValue:
        """Return the value of a tensor; raises ``ModelError`` if nothing has made it yet."""
        if number in self.failed:
            raise _WaitingError
        tensor_ = self.file.tensors[number]
        if (number, False) not in self.values and (number, True) not in self.values:
            if tensor_.kind != CONSTANT_TENSOR:
                raise ModelError(
                    f"tensor '{tensor_.name}' is used before any node makes it, or none does"
                )
            outer, self.location = self.location, tensor_.name
            value = self.make_constant(self.constants.array(tensor_, is_filter, fallback))
            self.location = outer
            self._bind(number, value, in_file_order=False)
            self._note_scale(number, value)
        if (number, in_file_order) not in self.values:
            # The other order is there, since one of them is.
            other = self.values[number, not in_file_order]
            order = to_last(4) if in_file_order else to_first(4)
            self.values[number, in_file_order] = self.transpose(other, order)
        return self.values[number, in_file_order]

    def _bind(self, number: int, value: SSAValue, in_file_order: bool) -> None:
        if (number, False) in self.values or (number, True) in self.values:
            raise ModelError(f"tensor '{self.file.tensors[number].name}' is made twice")
        self.values[number, in_file_order] = value
        if not self.file.is_nhwc or len(shape_of(value.type)) != 4:
            self.values[number, not in_file_order] = value
        value.name_hint = value.name_hint or value_hint(self.file.tensors[number].name)

    def _note_scale(self, number: int, value: SSAValue) -> None:
        tensor_ = self.file.tensors[number]
        if isinstance(value.owner, Operation) and is_quantised(tensor_):
            value.owner.attributes.update(_scale_of(tensor_))

    def _named(self, numbers: Iterable[int]) -> list[dict[str, Attribute]]:
        """Return the attributes of arguments or results; of equal names one gets a number."""
        found: list[dict[str, Attribute]] = []
        taken: set[str] = set()
        for number in numbers:
            tensor_ = self.file.tensors[number]
            name = tensor_.name if tensor_.name not in taken else f"{tensor_.name}_{len(taken)}"
            taken.add(name)
            scale = _scale_of(tensor_) if is_quantised(tensor_) else {}
            found.append({"nn.name": StringAttr(ascii_text(name)), **scale})
        return found

    def _element(self, node: TmNode) -> str:
        known = [
            self.values[number, in_file_order]
            for number in node.inputs
            for in_file_order in (False, True)
            if (number, in_file_order) in self.values
        ]
        return str(element_of(known[0].type)) if known else ""

    def _warn(self, outputs: Sequence[int]) -> None:
        quantised = sum(map(is_quantised, self.file.tensors))
        if quantised:
            warnings.warn(
                f"{quantised} tensors of the model are quantised; they are computed as the "
                "floating-point numbers that they stand for, without rounding between operators",
                ModelWarning,
                stacklevel=2,
            )
        weights = [t for t in self.file.tensors if t.kind == CONSTANT_TENSOR]
        if weights and all(t.data is None for t in weights):
            warnings.warn(
                "the file has no weights, as files for benchmarks have none; all are 0",
                ModelWarning,
                stacklevel=2,
            )


def _shape(
    tensor_: TmTensor, dims: Sequence[int], shapes: Mapping[str, Sequence[int]]
) -> Sequence[int]:
    """Return the shape of an input: as given, else as the file has it."""
    given = shapes.get(tensor_.name)
    if given is not None and dims and len(given) != len(dims):
        raise ModelError(
            f"shape {list(given)} of input '{tensor_.name}' has {len(given)} extents, the "
            f"model's {list(dims)} has {len(dims)}"
        )
    return dims if given is None else given


def _checked(tensor_: TmTensor, shape: Sequence[int]) -> Sequence[int]:
    """Return the shape of an input; raises ``ModelError`` if it is none."""
    if not shape or min(shape) < 1:
        raise ModelError(
            f"input '{tensor_.name}' has shape {list(shape)}, expected positive extents; "
            f"give it a shape, such as --shape {tensor_.name}=1,3,224,224"
        )
    if not is_addressable(shape):
        raise ModelError(f"input '{tensor_.name}' has the impossible shape {list(shape)}")
    return shape


def _scale_of(tensor_: TmTensor) -> dict[str, Attribute]:
    """Return what the integers of a tensor stand for, as attributes of the op that makes it."""
    quantisation = tensor_.quantisation
    if quantisation is None:
        return {}
    scales = [float(np.float32(scale)) for scale in quantisation.scales]
    return {
        "tmfile.scales": DenseArrayBase.from_list(f32, scales),
        "tmfile.zero_points": DenseArrayBase.from_list(i32, list(quantisation.zero_points)),
    }
