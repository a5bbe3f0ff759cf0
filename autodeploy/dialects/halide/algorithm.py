"""The algorithm half of a Halide pipeline: what each func's values are.

Funcs are defined by regions that yield the value at one point, and updated over reduction domains.
Nothing here says how or in which order values are computed: that is the schedule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    StringAttr,
    i32,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsTerminator,
    Pure,
)

from autodeploy.diagnostics import UserError
from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.halide.types import BufferType, FuncType
from autodeploy.dialects.nn.base import CONSTANT_ARRAY, i64_array, ints
from autodeploy.dialects.nn.types import ELEMENT_BYTES
from autodeploy.dialects.properties import properties


def _in_pipeline() -> HasParent:
    # A pipeline knows what it holds.
    from autodeploy.dialects.halide.pipeline import PipelineOp

    return HasParent(PipelineOp)


def _parse_vars(parser: Parser) -> tuple[list[str], list[Parser.Argument]]:
    """Parse ``(name %value, …)``: the variables of a func, innermost dimension first."""

    def one() -> tuple[str, Parser.Argument]:
        name = parser.parse_identifier("variable name")
        return name, parser.parse_argument(expect_type=False).resolve(i32)

    pairs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, one)
    return [name for name, _ in pairs], [argument for _, argument in pairs]


def _print_vars(printer: Printer, names: Sequence[str], values: Sequence[SSAValue]) -> None:
    def one(pair: tuple[str, SSAValue]) -> None:
        printer.print_string(pair[0] + " ")
        printer.print_ssa_value(pair[1])

    with printer.in_parens():
        printer.print_list(tuple(zip(names, values, strict=True)), one)


def _verify_body(op: FuncOp | UpdateOp, argument_count: int, element: Attribute) -> None:
    block = op.body.block
    if [argument.type for argument in block.args] != [i32] * argument_count:
        raise invalid("func_c5", f"the region takes {argument_count} i32 coordinates")
    last = block.last_op
    if not isinstance(last, YieldOp) or last.value.type != element:
        raise invalid("func_c6", f"the region must end in a halide.yield of {element}")


@irdl_op_definition
class FuncOp(IRDLOperation):
    """``Func name; name(vars…) = region``: the pure definition of a func.

    The region's arguments are the coordinates, dimension 0 (the innermost) first; ``vars`` are the
    names by which schedule ops know them. ``extents``, where given, say that all that is read is
    at coordinates from 0 to these: schedules size tiles and scratch memory by them. ``role`` says
    what the func is to the op that it was made for, by which templates of schedules find it; it is
    given where it is not the name, which no other func of the pipeline has.
    """

    name = "halide.func"

    func_name = prop_def(base(StringAttr))
    vars = prop_def(ArrayAttr[StringAttr])
    extents = opt_prop_def(CONSTANT_ARRAY)
    role = opt_prop_def(base(StringAttr))
    body = region_def("single_block")
    result = result_def(FuncType)

    traits = lazy_traits_def(lambda: (Pure(), _in_pipeline()))

    def __init__(
        self,
        name: str,
        vars: Sequence[str],
        body: Block | Region,
        element: Attribute,
        extents: Sequence[int] | None = None,
        role: str | None = None,
    ):
        super().__init__(
            properties=properties(
                func_name=name,
                role=role,
                vars=ArrayAttr(map(StringAttr, vars)),
                extents=None if extents is None else i64_array(extents),
            ),
            regions=[body if isinstance(body, Region) else Region(body)],
            result_types=[FuncType(element, len(vars))],
        )

    @property
    def var_names(self) -> tuple[str, ...]:
        """Return the names of the variables, dimension 0 first."""
        return tuple(v.data for v in self.vars)

    @property
    def role_name(self) -> str:
        """Return the role, which is the name where nothing else is said."""
        return self.func_name.data if self.role is None else self.role.data

    @property
    def known_extents(self) -> tuple[int, ...]:
        """Return the extents, dimension 0 first; raises ``UserError`` without any."""
        if self.extents is None:
            raise UserError(f"func '{self.func_name.data}' does not state its extents")
        return ints(self.extents)

    def verify_(self) -> None:
        """Check the constraints.

        - (func_c1) a role differs from the name
        - (func_c2) the variables differ from each other
        - (func_c3) there is a variable for each dimension
        - (func_c4) extents, where they are given, are one for each dimension
        - (func_c5) the region takes an i32 for each variable (also that of an update)
        - (func_c6) the region yields a value of the func's type (also that of an update)
        """
        if self.role == self.func_name:
            raise invalid(
                "func_c1",
                f"a role is given where it is not the name, found '{self.func_name.data}' for both",
            )
        if len(set(self.var_names)) != len(self.var_names):
            raise invalid("func_c2", f"variables differ, found {', '.join(self.var_names)}")
        type_ = self.result.type
        assert isinstance(type_, FuncType)
        if type_.rank != len(self.var_names):
            raise invalid("func_c3", f"{len(self.var_names)} variables for {type_}")
        if self.extents is not None and len(ints(self.extents)) != type_.rank:
            raise invalid("func_c4", f"{len(ints(self.extents))} extents for {type_}")
        _verify_body(self, type_.rank, type_.element)

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        """Parse ``"name" as "role"(x %x, y %y) in [8, 4] : f32 { … }``.

        Role and extents may be missing.
        """
        name = parser.parse_str_literal()
        role = (
            parser.parse_str_literal() if parser.parse_optional_keyword("as") is not None else None
        )
        names, arguments = _parse_vars(parser)
        extents = None
        if parser.parse_optional_keyword("in") is not None:
            extents = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: parser.parse_integer()
            )
        parser.parse_punctuation(":")
        element = parser.parse_type()
        return FuncOp(name, names, parser.parse_region(arguments), element, extents, role)

    def print(self, printer: Printer) -> None:
        """Print ``"name" as "role"(x %x, y %y) in [8, 4] : f32 { … }``."""
        printer.print_string(" ")
        printer.print_string_literal(self.func_name.data)
        if self.role is not None:
            printer.print_string(" as ")
            printer.print_string_literal(self.role.data)
        _print_vars(printer, self.var_names, self.body.block.args)
        if self.extents is not None:
            printer.print_string(f" in {list(ints(self.extents))}")
        printer.print_string(" : ")
        type_ = self.result.type
        assert isinstance(type_, FuncType)
        printer.print_attribute(type_.element)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)


@irdl_op_definition
class UpdateOp(IRDLOperation):
    """``name(vars…) = region`` over a reduction domain: one update definition of a func.

    The region's arguments are the func's coordinates, then the reduction variables; ``rvars`` names
    these, ``mins`` and ``extents`` bound them, innermost loop first. The region reads the value so
    far by loading the func itself.

    A reduction variable whose number is in ``ended`` ends where its operand of ``ends`` says, which
    only a call brings; its extent is the largest that there can be.
    """

    name = "halide.update"

    func = operand_def(FuncType)
    ends = var_operand_def(i32)
    vars = prop_def(ArrayAttr[StringAttr])
    rvars = prop_def(ArrayAttr[StringAttr])
    mins = prop_def(CONSTANT_ARRAY)
    extents = prop_def(CONSTANT_ARRAY)
    ended = opt_prop_def(CONSTANT_ARRAY)
    body = region_def("single_block")

    traits = lazy_traits_def(lambda: (_in_pipeline(),))

    def __init__(
        self,
        func: SSAValue,
        vars: Sequence[str],
        rdom: Sequence[tuple[str, int, int]],
        body: Block | Region,
        ends: Mapping[str, SSAValue] | None = None,
    ):
        ended = [number for number, (name, _, _) in enumerate(rdom) if name in (ends or {})]
        super().__init__(
            operands=[func, [ends[rdom[number][0]] for number in ended] if ends else []],
            properties=properties(
                vars=ArrayAttr(StringAttr(v) for v in vars),
                rvars=ArrayAttr(StringAttr(name) for name, _, _ in rdom),
                mins=i64_array([low for _, low, _ in rdom]),
                extents=i64_array([extent for _, _, extent in rdom]),
                ended=i64_array(ended) if ended else None,
            ),
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    @property
    def var_names(self) -> tuple[str, ...]:
        """Return the names of the pure variables, dimension 0 first."""
        return tuple(v.data for v in self.vars)

    @property
    def rdom(self) -> tuple[tuple[str, int, int], ...]:
        """Return name, least value and extent of each reduction variable, innermost first."""
        mins: tuple[int, ...] = ints(self.mins)
        return tuple(zip((r.data for r in self.rvars), mins, ints(self.extents), strict=True))

    @property
    def ends_by_name(self) -> dict[str, SSAValue]:
        """Return where the reduction variables end whose extents only a call brings."""
        numbers = () if self.ended is None else ints(self.ended)
        return {
            self.rvars.data[number].data: end
            for number, end in zip(numbers, self.ends, strict=True)
        }

    def verify_(self) -> None:
        """Check the constraints.

        - (update_c1) rvars, mins and extents have one entry each, and at least one
        - (update_c2) the variables differ from each other
        - (update_c3) what is updated is a halide.func
        - (update_c4) the pure variables are those of the func
        - (update_c5) no other func reads the func before
        - (update_c6) an end is that of a reduction variable from 0 on, and each has one at most
        """
        counts = {len(self.rvars), len(ints(self.mins)), len(ints(self.extents))}
        if len(counts) != 1 or not len(self.rvars):
            raise invalid("update_c1", "rvars, mins and extents have one entry each, at least one")
        numbers = () if self.ended is None else ints(self.ended)
        if (
            len(numbers) != len(self.ends)
            or len(set(numbers)) != len(numbers)
            or any(not 0 <= n < len(self.rvars) or ints(self.mins)[n] for n in numbers)
        ):
            raise invalid(
                "update_c6",
                f"{len(self.ends)} ends of reduction variables from 0 on, found those of "
                f"{list(numbers)}",
            )
        names = [*self.var_names, *(r.data for r in self.rvars)]
        if len(set(names)) != len(names):
            raise invalid("update_c2", f"variables differ, found {', '.join(names)}")
        if not isinstance(self.func.owner, FuncOp):
            raise invalid("update_c3", "only a halide.func is updated")
        type_ = self.func.type
        assert isinstance(type_, FuncType)
        if self.var_names != self.func.owner.var_names:
            raise invalid(
                "update_c4",
                f"an update has the func's variables {', '.join(self.func.owner.var_names)}, "
                f"found {', '.join(self.var_names)}",
            )
        for use in self.func.uses:
            # A func that another one reads is complete: Halide takes no further definition.
            reader = use.operation.parent_op()
            if isinstance(reader, UpdateOp) and reader.func is self.func:
                continue
            if isinstance(reader, FuncOp | UpdateOp) and reader.is_before_in_block(self):
                raise invalid("update_c5", "a func is updated before others read it")
        _verify_body(self, len(names), type_.element)

    @classmethod
    def parse(cls, parser: Parser) -> UpdateOp:
        """Parse ``%f(x %x) over (r %r in 0 to 5) : type { … }``; the upper bound is exclusive.

        ``in 0 to 5 until %n`` has the end ``%n``.
        """
        func = parser.parse_unresolved_operand()
        names, arguments = _parse_vars(parser)
        parser.parse_keyword("over")

        ends: dict[str, SSAValue] = {}

        def one() -> tuple[tuple[str, int, int], Parser.Argument]:
            name = parser.parse_identifier("reduction variable name")
            argument = parser.parse_argument(expect_type=False).resolve(i32)
            parser.parse_keyword("in")
            low = parser.parse_integer()
            parser.parse_keyword("to")
            high = parser.parse_integer()
            if parser.parse_optional_keyword("until") is not None:
                ends[name] = parser.resolve_operand(parser.parse_unresolved_operand(), i32)
            return (name, low, high - low), argument

        pairs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, one)
        parser.parse_punctuation(":")
        resolved = parser.resolve_operand(func, parser.parse_type())
        body = parser.parse_region([*arguments, *(argument for _, argument in pairs)])
        return UpdateOp(resolved, names, [rvar for rvar, _ in pairs], body, ends)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.func)
        rank = len(self.var_names)
        arguments = self.body.block.args
        _print_vars(printer, self.var_names, arguments[:rank])
        printer.print_string(" over ")
        ends = self.ends_by_name

        def one(pair: tuple[tuple[str, int, int], SSAValue]) -> None:
            (name, low, extent), value = pair
            printer.print_string(name + " ")
            printer.print_ssa_value(value)
            printer.print_string(f" in {low} to {low + extent}")
            if name in ends:
                printer.print_string(" until ")
                printer.print_ssa_value(ends[name])

        with printer.in_parens():
            printer.print_list(tuple(zip(self.rdom, arguments[rank:], strict=True)), one)
        printer.print_string(" : ")
        printer.print_attribute(self.func.type)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)


def updates_of(func: SSAValue) -> list[UpdateOp]:
    """Return the updates of a func, in no order."""
    return [use.operation for use in func.uses if isinstance(use.operation, UpdateOp)]


@irdl_op_definition
class LoadOp(IRDLOperation):
    """The value of a func or a buffer at the given coordinates, dimension 0 first."""

    name = "halide.load"

    source = operand_def(base(FuncType) | base(BufferType))
    indices = var_operand_def(i32)
    result = result_def()

    traits = traits_def(Pure())
    assembly_format = "$source `[` $indices `]` attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, indices: Sequence[SSAValue]):
        type_ = source.type
        assert isinstance(type_, FuncType | BufferType)
        super().__init__(operands=[source, indices], result_types=[type_.element])

    def verify_(self) -> None:
        """Check the constraints.

        - (load_c1) there is an index for each dimension
        - (load_c2) the result has the element type of the source
        """
        type_ = self.source.type
        assert isinstance(type_, FuncType | BufferType)
        rank = type_.rank if isinstance(type_, FuncType) else len(type_.extents)
        if len(self.indices) != rank:
            raise invalid("load_c1", f"{len(self.indices)} indices for {type_}")
        if self.result.type != type_.element:
            raise invalid("load_c2", f"a load from {type_} gives no {self.result.type}")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """End of a func's or update's region: the value at the point."""

    name = "halide.yield"

    value = operand_def()

    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "$value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue):
        super().__init__(operands=[value])

    def verify_(self) -> None:
        """Check (yield_c1) that the value has a type that Halide computes with."""
        if self.value.type not in ELEMENT_BYTES:
            raise invalid("yield_c1", f"no halide value has type {self.value.type}")
