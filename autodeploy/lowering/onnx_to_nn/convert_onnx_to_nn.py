"""The pass ``convert-onnx-to-nn``: from ONNX's operators to the closed core.

Ops are converted in the order of the program. An op that fails stays where it is, and those after
it go on with the type that it declares, so that one run finds all that is unsupported.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from weakref import proxy

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import (
    FixedBitwidthType,
    IntegerAttr,
    ModuleOp,
    TensorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from autodeploy.analysis.folding_budget import FoldingBudget
from autodeploy.diagnostics import ModelWarning, UnsupportedError, UserError
from autodeploy.dialects.extents import Extent, Undecided, last_of
from autodeploy.dialects.nn.constant import ConstantOp
from autodeploy.dialects.nn.marks import BOUND_ATTRIBUTE
from autodeploy.dialects.nn.open_extent import OpenExtentAttr, find_open_extent
from autodeploy.dialects.nn.stored import MAX_CELL_BYTES, code_element
from autodeploy.dialects.nn.types import (
    ELEMENT_BYTES,
    bounds_of,
    element_count,
    element_of,
    shape_of,
    tensor,
)
from autodeploy.dialects.onnx import CustomOp, OnnxOp
from autodeploy.frontend.nn.builder import ConversionError, check_size
from autodeploy.frontend.problems import NO_CONVERTER, Problem, common_inputs, report
from autodeploy.lowering.onnx_to_nn.bounded import give_extents
from autodeploy.lowering.onnx_to_nn.bounded_operands import convert_bounded
from autodeploy.lowering.onnx_to_nn.branches import open_counted
from autodeploy.lowering.onnx_to_nn.computed import convert
from autodeploy.lowering.onnx_to_nn.context import (
    ContradictionError,
    ConversionContext,
    DependsOnValueError,
    converted_operators,
    converter_of,
)
from autodeploy.lowering.onnx_to_nn.given_values import (
    bound_remedy,
    input_name,
    inputs_behind,
    remedy,
)
from autodeploy.lowering.onnx_to_nn.problems import problem_of
from autodeploy.lowering.onnx_to_nn.program_interface import (
    check_inputs,
    differ_in_shape,
    fits,
    give_outputs,
    is_inferred,
    refine_outputs,
    take_inputs,
    tensor_type,
)
from autodeploy.lowering.onnx_to_nn.run_sizes import RunSizes
from autodeploy.lowering.onnx_to_nn.size_tables import SizeTable
from autodeploy.lowering.onnx_to_nn.stored import CASTS, MOVED
from autodeploy.lowering.onnx_to_nn.strings import mark_moved, take_strings
from autodeploy.lowering.onnx_to_nn.structures import (
    give_maps,
    give_parts,
    is_structure,
    parts_of,
    remove_makers,
)
from autodeploy.passes.onnx.fold_onnx_constants import infer_and_fold
from autodeploy.passes.onnx.infer_onnx_shapes import (
    is_contradictory,
    nested_onnx_ops,
    opset_of,
    set_type,
)
from autodeploy.passes.onnx.inline_onnx_functions import inline_op, why_refused
from autodeploy.passes.onnx.misjudged_shapes import OPERATORS, hands_on_other_shapes
from autodeploy.weights import element_type, numpy_dtype

STRING_BYTES = 256
"""Bytes of the cell of an input's string unless another number is given."""


@dataclass(frozen=True)
class ConvertOnnxToNnPass(ModulePass):
    """Convert every onnx op to nn ops.

    Shapes must be static, and operands from which ONNX computes sizes must be constant by now. Each
    nn op gets the location of the node that it comes from; constants without uses are removed.
    Raises ``UnsupportedError``, which lists unsupported nodes by operator, or names an input
    that is no tensor of numbers, and ``ModelError`` if an output is not of the type that the
    model declares; the module is partly converted then.
    """

    name = "convert-onnx-to-nn"

    string_bytes: int = STRING_BYTES
    """Bytes of the cell of an input's string, with the zero at its end."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert the module or raise."""
        if not 1 <= self.string_bytes <= MAX_CELL_BYTES:
            raise UserError(
                f"the cell of a string has 1 to {MAX_CELL_BYTES} bytes, found {self.string_bytes}"
            )
        bound = op.attributes.get(BOUND_ATTRIBUTE)
        most = bound.value.data if isinstance(bound, IntegerAttr) else None
        inferred = is_inferred(op)
        conversion = _Conversion(ctx, self.string_bytes, find_open_extent(op.attributes), most)
        conversion.convert_ops(op)
        if problems := conversion.problems:
            raise UnsupportedError(*report(problems), inputs=common_inputs(problems))
        remove_makers(op)
        for inner in tuple(op.walk()):
            if isinstance(inner, FuncOp):
                check_inputs(inner)
                refine_outputs(inner, conversion.misjudged, inferred)
            elif isinstance(inner, ConstantOp) and not inner.result.uses:
                inner.detach()
                inner.erase()


class _WaitingError(Exception):
    """An operand has no static type since the op that makes it failed."""


class _Conversion:
    """Converts ops in place and collects what fails."""

    def __init__(
        self, ctx: Context, string_bytes: int, extent: OpenExtentAttr | None, bound: int | None
    ):
        self.problems: list[Problem] = []
        self.misjudged = False
        """Whether an op computes another shape than ONNX infers, and its readers may, too."""
        self._ctx, self._context = ctx, ConversionContext(ctx, string_bytes)
        # A cycle would keep the tables of sizes, which may be large.
        self._context.convert_block = partial(_Conversion._convert_subgraph, proxy(self))
        self._context.bound = bound
        self._context.open = None if extent is None else RunSizes(ctx, extent)
        self._failed: set[Operation] = set()
        self._constants: set[Operation] = set()
        """The constants that were there before the conversion."""
        self._contradictory: set[Operation] = set()
        self._tabulated_ops: list[OnnxOp] = []

    def convert_ops(self, parent: Operation) -> None:
        """Convert the ops in the regions of ``parent``, first to last."""
        for region in parent.regions:
            for block in region.blocks:
                for op in tuple(block.ops):
                    if isinstance(op, OnnxOp | CustomOp) and op.parent is not None:
                        self._convert(op)
                    elif isinstance(op, FuncOp):
                        self._constants.update(c for c in op.walk() if isinstance(c, ConstantOp))
                        if self._context.open is not None:
                            self._context.open.take(op)
                        take_inputs(self._context, op)
                        self.convert_ops(op)
                        if not self.problems:
                            give_maps(self._context, op)
                            give_parts(op)
                        give_extents(self._context, op)
                        give_outputs(self._context, op)
                        self._finish(op)
                    else:
                        self.convert_ops(op)

    def _convert_subgraph(self, block: Block) -> Sequence[SSAValue]:
        """Convert a subgraph whose arguments have static types; return what it yields.

        The values that it computes of their extents are known only now.
        """
        known = len(self.problems)
        owner = block.parent_op()
        assert owner is not None
        opsets, budget = opset_of(owner), self._budget()
        budget.misjudged = self.misjudged
        with open_counted(self._context, block):
            for op in nested_onnx_ops(block):
                infer_and_fold(self._ctx, op, opsets, budget)
        with self._context.before(None):
            for op in tuple(block.ops):
                if isinstance(op, OnnxOp | CustomOp) and op.parent is not None:
                    self._convert(op)
        failed = next((op for op in block.ops if op in self._failed), None)
        if failed in self._contradictory:
            problems = self.problems[known:]
            del self.problems[known:]
            raise ContradictionError(problems)
        if failed is not None or len(self.problems) > known:
            raise _WaitingError
        last = block.last_op
        if last is not None and any(value in self._context.tables for value in last.operands):
            raise ConversionError("a subgraph that hands out strings is not supported")
        if last is not None and self._context.open is not None:
            self._context.open.compute([last])
        return () if last is None else tuple(last.operands)

    def _convert(self, op: OnnxOp | CustomOp) -> None:
        try:
            if not self._tabulated(op) and not self._folded(op):
                self._replace_or_follow(op)
        except _WaitingError:
            self._failed.add(op)
        except DependsOnValueError as error:
            self._failed.add(op)
            if error.value.owner not in self._failed:
                inputs = inputs_behind(error.value, is_size=error.sized is not None)
                ways = [bound_remedy(error.sized), remedy(inputs)]
                names = tuple(filter(None, map(input_name, inputs)))
                self._refuse(op, "; ".join([str(error), *filter(None, ways)]), names)
        except ContradictionError as error:
            self.problems += error.problems
            self._failed.add(op)
            self._contradictory.add(op)
        except Undecided as error:
            self._refuse(op, f"{error}; {error.remedy}")
        except (ConversionError, VerifyException) as error:
            self._refuse(op, str(error))
            if isinstance(op, OnnxOp) and is_contradictory(self._ctx, op):
                self._contradictory.add(op)

    def _refuse(self, op: OnnxOp | CustomOp, reason: str, inputs: Sequence[str] = ()) -> None:
        """Keep why an op is not converted, and the inputs whose values would take that away."""
        self._failed.add(op)
        b, advice = self._context, ""
        if b.open is not None and isinstance(op, OnnxOp) and reason != NO_CONVERTER:
            is_open = b.follows_numbers(op) or any(map(b.known_extents, op.operands))
            advice = b.open.numbers.single_parts if is_open else ""
        problem = problem_of(op, reason, b.stored)
        self.problems.append(replace(problem, inputs=tuple(inputs), advice=advice))

    def _tabulated(self, op: OnnxOp | CustomOp) -> bool:
        """Keep the tables of values that an op computes from open extents, if no run needs them.

        The op stays where it is until all is converted.
        """
        sizes = self._context.open
        if sizes is None or not isinstance(op, OnnxOp):
            return False
        b = self._context
        if any(value in known for value in op.operands for known in (b.stored, b.tables)):
            return False
        if any(value in b.bounded for value in op.operands):
            extents = b.known_extents(op.operands[0])
            if extents is None or op.domain or op.op_type not in ("Shape", "Size"):
                return False
            self._keep(sizes, op, sizes.asked(op, extents))
            return True
        if any(value.owner in self._failed for value in op.operands):
            raise _WaitingError
        tables = sizes.tabulated(op)
        if tables is None:
            return False
        self._keep(sizes, op, tables)
        return True

    def _replace_or_follow(self, op: OnnxOp | CustomOp) -> None:
        """Put nn ops in the place of an op, or keep the tables of its results if it has none."""
        sizes = self._context.open
        try:
            self._replace(op)
        except (ConversionError, VerifyException):
            tables = None if sizes is None or not isinstance(op, OnnxOp) else sizes.results_of(op)
            if tables is None:
                raise
            assert sizes is not None and isinstance(op, OnnxOp)
            self._context.remove_from(0)
            self._keep(sizes, op, tables)

    def _keep(self, sizes: RunSizes, op: OnnxOp, tables: Sequence[SizeTable]) -> None:
        """Keep the tables of the results of an op; constants are put in the place of the op."""
        b = self._context
        if all(table.constant is not None for table in tables):
            b.start(op)
            for result, table in zip(op.results, tables, strict=True):
                assert table.constant is not None
                result.replace_all_uses_with(b.make_constant(table.constant))
            op.detach()
            op.erase()
            return
        for result, table in zip(op.results, tables, strict=True):
            set_type(result, tensor(element_type(table.dtype), table.shape))
        for result, table in zip(op.results, tables, strict=True):
            sizes.tables[result] = table
        self._tabulated_ops.append(op)

    def _finish(self, function: FuncOp) -> None:
        """Let a function return what a run computes, and remove ops that have tables."""
        sizes = self._context.open
        if sizes is None or self.problems:
            return
        returned = function.get_return_op()
        if returned is not None:
            sizes.compute([returned])
        for op in reversed(self._tabulated_ops):
            if not any(result.uses for result in op.results):
                op.detach()
                op.erase()

    def _folded(self, op: OnnxOp | CustomOp) -> bool:
        """Fold an op of constants that the conversion has made, such as the length of a sequence.

        A choice is left to its converter, which puts the ops of the branch in its place. The same
        holds for readers of codes of elements, places of strings, or values with few valid
        elements: the constant alone does not say what these are."""
        if not isinstance(op, OnnxOp) or op.op_type == "If":
            return False
        b = self._context
        kept = (b.stored, b.tables, b.bounded, b.keys)
        if any(value in known for value in op.operands for known in kept):
            return False
        makers = [value.owner for value in op.operands]
        asks = op.op_type in ("Shape", "Size")
        if not asks and not any(
            isinstance(m, ConstantOp) and m not in self._constants for m in makers
        ):
            return False
        return infer_and_fold(self._ctx, op, opset_of(op), self._budget())

    def _replace(self, op: OnnxOp | CustomOp) -> None:
        """Put nn ops in the place of an op; raises where there are none for it."""
        converter = converter_of(op) if isinstance(op, OnnxOp) else None
        if converter is None or isinstance(op, CustomOp):
            if isinstance(op, OnnxOp) and self._inlined(op):
                return
            self._report_nested(op)
            if getattr(op, "text", None) and any(v.owner in self._failed for v in op.operands):
                raise _WaitingError
            why = why_refused(self._ctx, op) if isinstance(op, OnnxOp) else None
            raise ConversionError(why or NO_CONVERTER)
        self._check_operands(op)
        self.misjudged |= hands_on_other_shapes(op)
        b = self._context
        b.start(op)
        take_strings(b, op)
        varies = b.open is not None and b.open.follows(op)
        if b.open is not None and varies:
            b.open.vary(op.results)  # converters may change what the op reads
        values = self._made(op, partial(convert_bounded, b, op, partial(convert, b, op, converter)))
        if op.results and tuple(values) == tuple(op.results):
            return  # what reads the parts of a sequence finds them here
        stored = self._context.stored.get(op.operands[0]) if op.operands else None
        if isinstance(stored, FixedBitwidthType) and op.op_type in MOVED:
            moved = [value for value in values if element_of(value.type) == code_element(stored)]
            self._context.stored.update(dict.fromkeys(moved, stored))
        mark_moved(self._context, op, values)
        outputs = op.outputs_by_position()
        for position, result in enumerate(outputs[len(values) :], len(values)):
            if result is not None and result.uses:
                raise ConversionError(f"output {position} is not supported")
        for result, value in zip(outputs, values, strict=False):
            if result is not None:
                self._compare(op, result.type, value.type)
                value = self._without_elements(value)
                if b.open is not None:
                    b.open.keep(result, value)
                    if varies:
                        b.open.vary([value])
                if op.regions and isinstance(value.owner, ConstantOp):
                    self._constants.discard(value.owner)  # a choice has become it
                value.name_hint = value.name_hint or result.name_hint
                result.replace_all_uses_with(value)
        op.detach()
        op.erase()

    def _budget(self) -> FoldingBudget:
        return FoldingBudget.of(self._ctx, is_open=self._context.open is not None)

    def _inlined(self, op: OnnxOp) -> bool:
        """Convert the body of an op, if it has one now that all types before it are known."""
        if any(value in self._context.stored for value in op.operands):
            return False  # the types of codes are not those that a body would ask for
        before, after, block = op.prev_op, op.next_op, op.parent_block()
        if not inline_op(self._ctx, op, opset_of(op), converted_operators(), self._budget()):
            return False
        assert block is not None
        made = block.first_op if before is None else before.next_op
        while made is not None and made is not after:
            following = made.next_op
            if isinstance(made, OnnxOp | CustomOp):
                self._convert(made)
            made = following
        return True

    def _made(self, op: OnnxOp, make: Callable[[], Sequence[SSAValue]]) -> Sequence[SSAValue]:
        """Return the results of an op, by sizes that it reads or as values of a run."""
        sizes, b = self._context.open, self._context
        if sizes is None:
            return make()
        start = b.mark()
        try:
            values = make()
        except (ConversionError, VerifyException) as error:
            b.remove_from(start)
            if not sizes.reads(op):
                raise
            with sizes.hidden():
                try:
                    values = make()
                except (ConversionError, VerifyException):
                    b.remove_from(start)
                    raise error from None
        if not any(value in b.bounded for value in (*op.operands, *values)):
            sizes.check(op, values)
        sizes.compute(b.made_since(start))
        return values

    def _without_elements(self, value: SSAValue) -> SSAValue:
        """Return a constant for a value of no elements, so that nothing computes it."""
        b, type_ = self._context, tensor_type(value.type)
        if not isinstance(type_, TensorType) or b.array(value) is not None:
            return value
        has_last = all(map(last_of, shape_of(type_)))  # those for the largest numbers
        if has_last or isinstance(count := element_count(type_), Extent) or count:
            return value
        if value in b.stored or value in b.tables or value in b.bounded or value in b.keys:
            return value
        zeros = np.zeros(bounds_of(type_), numpy_dtype(type_.element_type))
        return b.first_elements(zeros, shape_of(type_))

    def _compare(self, op: OnnxOp, inferred: Attribute, computed: Attribute) -> None:
        """Warn where ONNX's inference has another shape than its definition of the operator."""
        is_known = op.op_type in OPERATORS and not op.domain and not fits(inferred, computed)
        if is_known and differ_in_shape(inferred, computed):
            self.misjudged = True
            node = problem_of(op, "")
            warnings.warn(
                f"ONNX infers {inferred} for {node.operator} node {node.node}, which computes "
                f"{computed}; the model is compiled for that",
                ModelWarning,
                stacklevel=2,
            )

    def _report_nested(self, op: OnnxOp | CustomOp) -> None:
        """Report the ops in the subgraphs of an unsupported op that are unsupported themselves."""
        for inner in op.walk():
            known = isinstance(inner, OnnxOp) and converter_of(inner) is not None
            if inner is not op and isinstance(inner, OnnxOp | CustomOp) and not known:
                self.problems.append(problem_of(inner, NO_CONVERTER))

    def _check_operands(self, op: OnnxOp) -> None:
        """Check that every operand is a static tensor of elements that nn has."""
        if not op.operands and any(p.kind == "Variadic" for p in op.input_parameters):
            raise ConversionError("an operand is needed at least, found none")
        read = (value for inner in op.walk() for value in inner.operands) if op.regions else ()
        if any(value.owner in self._failed for value in read):
            raise _WaitingError
        for value in op.operands:
            if is_structure(value.type):
                if value.owner in self._failed:
                    raise _WaitingError
                parts_of(value)
                continue
            stored = self._context.stored.get(value)
            is_string = value in self._context.tables  # take_strings holds its value
            if stored is not None and not is_string and op.op_type not in MOVED | CASTS:
                raise ConversionError(f"an operand has elements of type {stored}")
            type_ = tensor_type(value.type)
            static = isinstance(type_, TensorType) and type_.has_static_shape()
            if not static and value.owner in self._failed:
                raise _WaitingError
            if type_ is None:
                raise ConversionError(f"an operand has type {value.type}, expected a tensor")
            if type_.element_type not in ELEMENT_BYTES:
                raise ConversionError(f"an operand has elements of type {type_.element_type}")
            if not static:
                raise ConversionError(
                    f"an operand has dynamic shape {type_}; "
                    "give the model's inputs a shape with --shape"
                )
            check_size("an operand", type_)
