"""A Halide pipeline: buffers in, funcs inside, and the funcs that fill the buffers that go out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    SymbolNameConstraint,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, NoTerminator, SymbolOpInterface

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.halide.algorithm import FuncOp
from autodeploy.dialects.halide.call_values import ExtentOp
from autodeploy.dialects.halide.launch import LaunchAttr
from autodeploy.dialects.halide.start_numbers import extents_of
from autodeploy.dialects.halide.types import BufferType, FuncType, buffer_type
from autodeploy.dialects.nn.base import ints
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import IN_BANDS
from autodeploy.dialects.nn.open_extent import (
    AXES,
    Axes,
    AxesAttr,
    AxesList,
    ProductsAttr,
    constant_axes,
    listed_axes,
)
from autodeploy.dialects.properties import properties

ROWS = "rows"
"""The role of an image or a matrix between two anchors: a band of its rows is kept at a time."""

HOST_REASON = "halide.on_host"
"""The attribute of a kernel, or a pipeline, that says why it does not run on the device."""


@irdl_op_definition
class PipelineOp(IRDLOperation):
    """One compiled kernel: block arguments are its input buffers, then its output buffers.

    ``config`` is that of the kernel, which the pass that schedules it reads; the emitters do not
    look at it. If it lists the bands of rows of several images or matrices, each but the first and
    the last one is a func of role ``rows``. Floats are computed as IEEE 754 says, unless the
    pipeline has ``fast_math``: then Halide may regroup and contract all arithmetic outside of
    ``halide.strict``, and takes for granted that its results are neither nan nor inf.
    ``scratch_bytes`` is the most that the compiled kernel holds at one time of memory which it asks
    the runtime for (``halide_malloc``); it is absent where that is nothing, or not known yet.
    ``worker_scratch_bytes`` is the same for each further thread that takes part in a parallel loop
    of the kernel; it is absent where there is none, or not known yet. ``stack_bytes`` are those of
    all arrays that the kernel keeps on the C stack at one time, besides what a compiler needs there
    for registers; it is absent where it keeps none, or not known yet.

    ``open`` has a coefficient for each dimension of each buffer, innermost first, where some
    extents are open: such a dimension has its coefficient times a number that only a call brings,
    and the extent of its type is the largest. The strides are those of the type all the same. If an
    extent is no multiple of the number, a map has all those of the buffer. ``packed`` are the
    inputs whose elements are contiguous in a run. The call brings their strides, too, along
    dimensions around an open one.

    With ``on_device`` the kernel runs on the device of the machine. Its buffers are whole blocks of
    the device's memory then, and ``starts`` says how many elements there are before the first one
    of each buffer, where not all begin with it. Once it is compiled, ``launches`` are its starts in
    order, and ``arrays`` the bytes of each array of device memory that they pass on to each other.
    """

    name = "halide.pipeline"

    sym_name = prop_def(SymbolNameConstraint())
    output_count = prop_def(IntegerAttr.constr(i64))
    config = opt_prop_def(ConfigAttr)
    fast_math = opt_prop_def(base(UnitAttr))
    scratch_bytes = opt_prop_def(IntegerAttr.constr(i64))
    worker_scratch_bytes = opt_prop_def(IntegerAttr.constr(i64))
    stack_bytes = opt_prop_def(IntegerAttr.constr(i64))
    open = opt_prop_def(ArrayAttr.constr(AXES))
    packed = opt_prop_def(DenseArrayBase.constr(i64))
    on_device = opt_prop_def(base(UnitAttr))
    starts = opt_prop_def(DenseArrayBase.constr(i64))
    arrays = opt_prop_def(DenseArrayBase.constr(i64))
    launches = opt_prop_def(ArrayAttr.constr(base(LaunchAttr)))
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        output_count: int,
        body: Block | Region,
        config: ConfigAttr | None = None,
        fast_math: bool = False,
        open: AxesList | None = None,
    ):
        super().__init__(
            properties=properties(
                sym_name=name,
                output_count=output_count,
                config=config,
                fast_math=fast_math,
                open=open,
            ),
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    @property
    def inputs(self) -> tuple[SSAValue, ...]:
        """Return the buffers that the kernel reads."""
        return tuple(self.body.block.args[: -self.output_count.value.data])

    @property
    def outputs(self) -> tuple[SSAValue, ...]:
        """Return the buffers that the kernel fills."""
        return tuple(self.body.block.args[-self.output_count.value.data :])

    @property
    def open_axes(self) -> tuple[Axes, ...]:
        """Return how the dimensions of all buffers grow, innermost first."""
        if self.open is not None:
            return listed_axes(self.open)
        return tuple(constant_axes(len(buffer_type(a).extents)) for a in self.body.block.args)

    def is_open(self, buffer: SSAValue, dimension: int) -> bool:
        """Return whether only a call brings the extent of a dimension of a buffer."""
        index = self.body.block.args.index(buffer)
        return self.open is not None and bool(self.open_axes[index][dimension])

    @property
    def packed_inputs(self) -> tuple[int, ...]:
        """Return which inputs have no gaps in a run."""
        return () if self.packed is None else tuple(ints(self.packed))

    @property
    def first_elements(self) -> tuple[int, ...]:
        """Return how many elements of its block there are before the first one of each buffer."""
        if self.starts is None:
            return (0,) * len(self.body.block.args)
        return tuple(ints(self.starts))

    def reads_nothing(self, index: int) -> bool:
        """Return whether the kernel takes the extents of an input, and none of its elements."""
        uses = self.body.block.args[index].uses
        return all(isinstance(use.operation, ExtentOp) for use in uses)

    def is_strided_by_call(self, buffer: SSAValue, dimension: int) -> bool:
        """Return whether only a call brings the stride of a dimension of a buffer."""
        index, type_ = self.body.block.args.index(buffer), buffer_type(buffer)
        if index not in self.packed_inputs or type_.extents[dimension] == 1:
            return False
        inner = zip(type_.strides, self.open_axes[index], strict=True)
        return any(growth and stride < type_.strides[dimension] for stride, growth in inner)

    def verify_(self) -> None:
        """Check the constraints.

        - (pipeline_c1) at least one argument is an output
        - (pipeline_c2) sizes are not negative
        - (pipeline_c3) arguments are halide.buffers
        - (pipeline_c4) each output is bound once
        - (pipeline_c5) only outputs are bound
        - (pipeline_c6) a func fills one output
        - (pipeline_c7) there is at most one halide.schedule
        - (pipeline_c8) the names of the funcs differ
        - (pipeline_c9) bands has a positive number for each image in bands of rows
        - (pipeline_c10) ``open`` says of each dimension of each buffer how it grows
        - (pipeline_c11) ``packed`` are inputs with an open dimension
        - (pipeline_c12) a kernel on a device has no packed inputs, and one elsewhere no launches,
          arrays or starts
        - (pipeline_c13) ``starts`` has a number for each buffer; launches name buffers, arrays and
          open extents
        """
        block = self.body.block
        if not 1 <= self.output_count.value.data <= len(block.args):
            raise invalid(
                "pipeline_c1",
                f"{self.output_count.value.data} outputs among {len(block.args)} arguments",
            )
        for what, size in (
            ("scratch", self.scratch_bytes),
            ("worker_scratch", self.worker_scratch_bytes),
            ("stack", self.stack_bytes),
        ):
            if size is not None and size.value.data < 0:
                raise invalid(
                    "pipeline_c2", f"{what} is not negative, found {size.value.data} bytes"
                )
        self._check_bands()
        for argument in block.args:
            if not isinstance(argument.type, BufferType):
                raise invalid("pipeline_c3", f"arguments are halide.buffers, found {argument.type}")
        ranks = [len(buffer_type(argument).extents) for argument in block.args]
        if self.open is not None and [len(axes) for axes in self.open_axes] != ranks:
            raise invalid("pipeline_c10", "open says of each dimension of each buffer how it grows")
        for index in self.packed_inputs:
            if not 0 <= index < len(self.inputs) or not any(self.open_axes[index]):
                raise invalid(
                    "pipeline_c11", f"argument {index} is no input with an open dimension"
                )
        self._check_device()
        bound = [op.buffer for op in block.ops if isinstance(op, OutputOp)]
        for output in self.outputs:
            if bound.count(output) != 1:
                raise invalid(
                    "pipeline_c4", f"each output is bound once, found {bound.count(output)}"
                )
        if len(bound) != len(self.outputs):
            raise invalid("pipeline_c5", "only output buffers are bound by halide.output")
        if len({op.func for op in block.ops if isinstance(op, OutputOp)}) != len(bound):
            raise invalid("pipeline_c6", "a func fills one output buffer, found two for one func")
        if sum(op.name == "halide.schedule" for op in block.ops) > 1:
            raise invalid("pipeline_c7", "a pipeline has one halide.schedule, found more")
        names = [op.func_name.data for op in block.ops if isinstance(op, FuncOp)]
        if len(set(names)) != len(names):
            raise invalid("pipeline_c8", f"func names differ, found {', '.join(names)}")

    def _check_device(self) -> None:
        parts = (self.starts, self.arrays, self.launches)
        if self.on_device is None:
            if any(part is not None for part in parts):
                raise invalid("pipeline_c12", "launches, arrays and starts are for a device")
            return
        if self.packed is not None:
            raise invalid("pipeline_c12", "a kernel on a device has no packed inputs")
        buffers = len(self.body.block.args)
        first = self.first_elements
        if len(first) != buffers or min(first) < 0:
            raise invalid("pipeline_c13", f"{list(first)} are no starts of {buffers} buffers")
        arrays = () if self.arrays is None else tuple(ints(self.arrays))
        opened = {
            (buffer, dimension)
            for buffer, axes in enumerate(self.open_axes)
            for dimension, growth in enumerate(axes)
            if growth
        }
        for launch in self.launches or ():
            numbers = (*launch.blocks, *launch.arguments)
            named = [number for number in launch.arguments if isinstance(number, int)]
            asked = [extents_of(number) - opened for number in numbers if isinstance(number, str)]
            if max(named, default=0) >= buffers + len(arrays) or any(asked):
                raise invalid(
                    "pipeline_c13", f"{launch} is not for {buffers} buffers, {len(arrays)} arrays"
                )

    def _check_bands(self) -> None:
        if self.config is None or self.config.template_name not in IN_BANDS:
            return
        rows = self.config.ints("bands")
        funcs = [op for op in self.body.block.ops if isinstance(op, FuncOp)]
        images = 2 + sum(func.role_name == ROWS for func in funcs)
        if len(rows) != images or not all(rows):
            raise invalid(
                "pipeline_c9",
                f"bands are a number from 1 on for each of {images} images, found {list(rows)}",
            )

    @classmethod
    def parse(cls, parser: Parser) -> PipelineOp:
        """Parse ``@name(inputs) to (outputs) config<…> fast_math … { … }``."""
        name = parser.parse_symbol_name().data
        inputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
        parser.parse_keyword("to")
        outputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_argument)
        given = {
            clause.property: clause.parse(parser)
            for clause in _CLAUSES
            if parser.parse_optional_keyword(clause.keyword) is not None
        }
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parser.parse_region([*inputs, *outputs])
        op = PipelineOp(name, len(outputs), body)
        op.properties |= given
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        arguments = self.body.block.args
        split = len(arguments) - self.output_count.value.data
        for keyword, part in (("", arguments[:split]), (" to ", arguments[split:])):
            printer.print_string(keyword)
            with printer.in_parens():
                printer.print_list(part, printer.print_block_argument)
        for clause in _CLAUSES:
            if (value := self.properties.get(clause.property)) is not None:
                printer.print_string(f" {clause.keyword}")
                clause.print(printer, value)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)


@dataclass(frozen=True)
class _Clause:
    """A property in the text of a pipeline: a keyword, and the text of the value after it."""

    property: str
    keyword: str
    parse: Callable[[Parser], Attribute] = lambda parser: UnitAttr()
    print: Callable[[Printer, Any], None] = lambda printer, value: None


def _parse_config(parser: Parser) -> ConfigAttr:
    return ConfigAttr.new(ConfigAttr.parse_parameters(parser))


def _parse_size(parser: Parser) -> IntegerAttr:
    return IntegerAttr(parser.parse_integer(allow_boolean=False), i64)


def _print_size(printer: Printer, size: IntegerAttr) -> None:
    printer.print_string(f" {size.value.data}")


def _parse_numbers(parser: Parser) -> DenseArrayBase[IntegerType]:
    numbers = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    return DenseArrayBase.from_list(i64, numbers)


def _print_numbers(printer: Printer, numbers: DenseArrayBase[IntegerType]) -> None:
    printer.print_string(f" {list(ints(numbers))}")


def _parse_list(parser: Parser, one: Callable[[Parser], Attribute]) -> ArrayAttr[Attribute]:
    found = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: one(parser))
    return ArrayAttr(found)


def _print_list(
    printer: Printer, values: ArrayAttr[Any], one: Callable[[Printer, Any], None]
) -> None:
    printer.print_string(" ")
    with printer.in_square_brackets():
        printer.print_list(values, partial(one, printer))


def _parse_launch(parser: Parser) -> LaunchAttr:
    launch = parser.parse_attribute()
    if not isinstance(launch, LaunchAttr):
        parser.raise_error("expected a #halide.launch")
    return launch


def _parse_axes(parser: Parser) -> AxesAttr:
    """Parse ``[0, 1]``, a coefficient for each dimension, or affine maps of factors."""
    coefficients = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_integer
    )
    if coefficients is not None:
        return DenseArrayBase.from_list(i64, coefficients)
    maps = [_parse_map(parser)]
    while parser.parse_optional_punctuation("*") is not None:
        maps.append(_parse_map(parser))
    return maps[0] if len(maps) == 1 else ProductsAttr(ArrayAttr(maps))


def _parse_map(parser: Parser) -> AffineMapAttr:
    map_ = parser.parse_attribute()
    if not isinstance(map_, AffineMapAttr):
        parser.raise_error("expected coefficients or an affine map")
    return map_


def _print_axes(printer: Printer, axes: AxesAttr) -> None:
    if isinstance(axes, AffineMapAttr):
        printer.print_attribute(axes)
    elif isinstance(axes, ProductsAttr):
        printer.print_list(axes.maps, printer.print_attribute, " * ")
    else:
        printer.print_string(str(list(ints(axes))))


_SIZE, _NUMBERS = (_parse_size, _print_size), (_parse_numbers, _print_numbers)

_CLAUSES = (
    _Clause("config", "config", _parse_config, lambda p, config: config.print_parameters(p)),
    _Clause("fast_math", "fast_math"),
    _Clause("scratch_bytes", "scratch", *_SIZE),
    _Clause("worker_scratch_bytes", "worker_scratch", *_SIZE),
    _Clause("stack_bytes", "stack", *_SIZE),
    _Clause(
        "open", "open", partial(_parse_list, one=_parse_axes), partial(_print_list, one=_print_axes)
    ),
    _Clause("packed", "packed", *_NUMBERS),
    _Clause("on_device", "on_device"),
    _Clause("starts", "starts", *_NUMBERS),
    _Clause("arrays", "arrays", *_NUMBERS),
    _Clause(
        "launches",
        "launches",
        partial(_parse_list, one=_parse_launch),
        partial(_print_list, one=Printer.print_attribute),
    ),
)
"""The optional properties in the order of the text."""


@irdl_op_definition
class OutputOp(IRDLOperation):
    """The func whose values fill an output buffer of the pipeline.

    If the func has updates, or another func reads it, Halide takes the buffer to be aligned to
    the machine's vectors; otherwise it may be anywhere.
    """

    name = "halide.output"

    func = operand_def(FuncType)
    buffer = operand_def(BufferType)

    traits = traits_def(HasParent(PipelineOp))
    assembly_format = "$func `in` $buffer attr-dict `:` type($func) `in` type($buffer)"

    def __init__(self, func: SSAValue, buffer: SSAValue):
        super().__init__(operands=[func, buffer])

    def verify_(self) -> None:
        """Check (output_c1) that func and buffer have the same element type and rank."""
        func, buffer = self.func.type, self.buffer.type
        assert isinstance(func, FuncType) and isinstance(buffer, BufferType)
        if (func.element, func.rank) != (buffer.element, len(buffer.extents)):
            raise invalid("output_c1", f"{func} does not fill {buffer}")
