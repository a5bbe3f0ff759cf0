"""The program: its interface, its memory, and which of its values have open axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface, SymbolTable
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.driver.calls import (
    CallOp,
    OutputAllocation,
    check_callee,
    check_packed_call,
    output_allocations,
)
from autodeploy.dialects.driver.memory import BufferOp, ViewOp, elements_of, root_of, view_axes
from autodeploy.dialects.driver.open_axes import check_joins, check_open, strides_of_run
from autodeploy.dialects.driver.part import PartAttr
from autodeploy.dialects.driver.state import StateOp, check_states
from autodeploy.dialects.growth import CONSTANT, Growth
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.memref import MemRef, aligned_within, memref_bytes, memref_of
from autodeploy.dialects.nn.constant import DenseAttr
from autodeploy.dialects.nn.marks import values_of
from autodeploy.dialects.nn.open_extent import (
    AXES,
    Axes,
    OpenExtentAttr,
    constant_axes,
    listed_axes,
    outermost_axis,
)
from autodeploy.dialects.nn.stored import interface_bytes
from autodeploy.dialects.open_range import Derived


@irdl_op_definition
class ProgramOp(IRDLOperation):
    """The whole program: block arguments are the model's inputs, then its outputs.

    ``input_names`` and ``output_names`` are the model's own names. The sizes are known once memory
    is planned: ``arena_bytes`` holds every buffer and the scratch of calls, ``weight_bytes`` every
    weight, ``state_bytes`` every state, ``device_arena_bytes`` what is on the device but weights.
    The arena may be in several memories, ``pool_names``, each from its ``pool_starts`` on.

    ``embedded`` says that the weights are linked into the program instead of read from a
    file.

    ``freestanding`` says that there is no operating system: the program has no heap and no files.

    ``threads`` is how many threads may compute at most, 1 where it is absent;
    ``worker_scratch_bytes``, planned like the sizes above, is what each of them but the calling
    one works in, absent where no kernel has a parallel loop.

    ``stack_bytes`` is, planned like the sizes above, what the arrays of any one kernel take of the
    C stack at most, absent where no kernel has any there.

    ``x86_sets`` are the instruction sets that kernels use besides the basics of x86-64: the program
    does not start on a processor that lacks one.

    ``flush_subnormals`` says that the program takes subnormal numbers for zero unless it is told
    otherwise when it starts.

    ``variant`` is the name of a program that is one of several, which share their weights. Those of
    one network for several machines are called like these; which of them runs is chosen when it
    starts. Those with a ``part`` are for some numbers of the open extents; which of them runs is
    chosen when a run is told its numbers. The range of a number that is a constant of this program
    has no other number.

    ``stored`` has the types of the inputs, then of the outputs, where some have elements that no op
    computes with: their memory holds codes or packed bytes.

    ``shapes_of`` says of as many last outputs, which are not the caller's, that they are the
    extents of another output: which one, then the axes along which its own extents are the largest
    there can be. After a run only the elements within the extents are valid.

    ``keys`` says of arguments whose rows are maps what the key of each column is, ``defaults`` of
    inputs that a run may leave out what they then are.

    ``open_extent`` is a number that each run is given. ``open_arguments`` says of each argument how
    its axes grow with it. The type has the extents for the largest number; the elements of a run
    are the first ones along open axes, and the caller's memory has them without gaps. The strides
    of an argument with an open axis inside of others follow from the number: it is copied, and
    kernels read it where they say that it is packed. A buffer says which of its axes are open, and
    a view has the open axes of its source at the same strides.
    """

    name = "driver.program"

    sym_name = prop_def(SymbolNameConstraint())
    input_names = prop_def(ArrayAttr[StringAttr])
    output_names = prop_def(ArrayAttr[StringAttr])
    arena_bytes = opt_prop_def(IntegerAttr.constr(i64))
    pool_names = opt_prop_def(ArrayAttr[StringAttr])
    pool_starts = opt_prop_def(DenseArrayBase.constr(i64))
    weight_bytes = opt_prop_def(IntegerAttr.constr(i64))
    embedded = opt_prop_def(UnitAttr)
    freestanding = opt_prop_def(UnitAttr)
    threads = opt_prop_def(IntegerAttr.constr(i64))
    state_bytes = opt_prop_def(IntegerAttr.constr(i64))
    device_arena_bytes = opt_prop_def(IntegerAttr.constr(i64))
    worker_scratch_bytes = opt_prop_def(IntegerAttr.constr(i64))
    stack_bytes = opt_prop_def(IntegerAttr.constr(i64))
    flush_subnormals = opt_prop_def(UnitAttr)
    x86_sets = opt_prop_def(ArrayAttr[StringAttr])
    variant = opt_prop_def(StringAttr)
    part = opt_prop_def(PartAttr)
    stored = opt_prop_def(ArrayAttr[TensorType[Attribute]])
    shapes_of = opt_prop_def(ArrayAttr[DenseArrayBase[IntegerType]])
    keys = opt_prop_def(ArrayAttr[ArrayAttr[Attribute]])
    defaults = opt_prop_def(ArrayAttr.constr(BaseAttr(DenseAttr) | BaseAttr(UnitAttr)))
    open_extent = opt_prop_def(OpenExtentAttr)
    open_arguments = opt_prop_def(ArrayAttr.constr(AXES))
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())
    assembly_format = (
        "$sym_name `inputs` $input_names `outputs` $output_names (`arena` $arena_bytes^)? "
        "(`pools` $pool_names^)? (`starts` $pool_starts^)? "
        "(`weights` $weight_bytes^)? (`state` $state_bytes^)? "
        "(`device_arena` $device_arena_bytes^)? (`embedded` $embedded^)? "
        "(`freestanding` $freestanding^)? (`threads` $threads^)? "
        "(`worker_scratch` $worker_scratch_bytes^)? (`stack` $stack_bytes^)? "
        "(`flush_subnormals` $flush_subnormals^)? (`x86_sets` $x86_sets^)? "
        "(`variant` $variant^)? (`part` $part^)? (`stored` $stored^)? "
        "(`shapes_of` $shapes_of^)? (`keys` $keys^)? (`defaults` $defaults^)? "
        "(`open` $open_extent^)? (`in` $open_arguments^)? "
        "attr-dict-with-keyword $body"
    )

    def __init__(
        self,
        name: str,
        input_names: Sequence[str],
        output_names: Sequence[str],
        body: Block | Region,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "input_names": ArrayAttr(StringAttr(n) for n in input_names),
                "output_names": ArrayAttr(StringAttr(n) for n in output_names),
            },
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    @property
    def inputs(self) -> tuple[SSAValue, ...]:
        """Return the block arguments that the caller fills."""
        return tuple(self.body.block.args[: len(self.input_names)])

    @property
    def outputs(self) -> tuple[SSAValue, ...]:
        """Return the block arguments that the program fills."""
        return tuple(self.body.block.args[len(self.input_names) :])

    @property
    def returned(self) -> tuple[SSAValue, ...]:
        """Return the outputs that are the caller's."""
        return self.outputs[: len(self.outputs) - len(self.described)]

    @property
    def described(self) -> tuple[int, ...]:
        """Return which output each of the last ones, which hold extents, is about."""
        return tuple(int(entry.get_values()[0]) for entry in self.shapes_of or ())

    @property
    def states(self) -> tuple[StateOp, ...]:
        """Return what the program keeps from run to run, in order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, StateOp))

    @property
    def pools(self) -> tuple[tuple[str, int], ...]:
        """Return the names of the pools that share the arena, and their first bytes there."""
        starts = () if self.pool_starts is None else self.pool_starts.get_values()
        names = (name.data for name in self.pool_names or ())
        return tuple(zip(names, map(int, starts), strict=False))

    def open_axes(self, output: int) -> tuple[int, ...]:
        """Return the axes of an output along which its extents are the largest there can be."""
        for entry in self.shapes_of or ():
            if entry.get_values()[0] == output:
                return tuple(map(int, entry.get_values()[1:]))
        return ()

    def is_open(self, value: SSAValue) -> bool:
        """Return whether the open extent says how many elements of a value a run has."""
        return bool(self._root_axes(root_of(value)))

    def growths(self, value: SSAValue) -> Mapping[int, Growth]:
        """Return how those axes of a value grow, outermost 0, that are open."""
        return {axis: growth for axis, growth in enumerate(self.axes_of(value) or ()) if growth}

    def told(self, growth: Growth) -> Growth:
        """Return a growth by the place of its number among all that a run is told.

        Derived numbers follow those.
        """
        if self.part is None:
            return growth
        first = len(self.part.ranges)
        return growth.told([*self.part.places, *range(first, first + len(self.derived))])

    @property
    def derived(self) -> tuple[Derived, ...]:
        """Return the numbers that follow from those that a run is told."""
        return () if self.open_extent is None else self.open_extent.grid.derived

    def free_bytes_of(self, output: SSAValue) -> int:
        """Return how many aligned bytes of an output may hold buffers until it is written to.

        None of one that is not the caller's, or whose memory may be smaller in some runs.
        """
        if output not in self.returned or self.is_open(output):
            return 0
        return aligned_within(memref_bytes(output.type))

    def output_allocations(self) -> Iterator[OutputAllocation]:
        """Yield the blocks that are stored in outputs until the outputs are written."""
        return output_allocations(self.body.walk(), self.pipelines())

    def is_inner(self, value: SSAValue) -> bool:
        """Return whether an open axis of a value is inside of others.

        In a buffer the elements of a run are not contiguous then.
        """
        shape = cast(MemRef, value.type).get_shape()
        return any(axis > outermost_axis(shape) for axis in self.growths(value))

    def is_packed(self, value: SSAValue) -> bool:
        """Return whether a value is of an argument whose places in memory depend on the number.

        Or of one that may have no elements, and then no memory.
        """
        root = root_of(value)
        return isinstance(root, BlockArgument) and (self.is_inner(root) or self.may_be_empty(root))

    def packed_among(self, values: Sequence[SSAValue]) -> tuple[int, ...]:
        """Return the numbers of the values that are packed."""
        return tuple(index for index, value in enumerate(values) if self.is_packed(value))

    def strides_of_run(self, value: SSAValue) -> tuple[tuple[int, Growth], ...] | None:
        """Return the strides of a packed value: a constant, times what grows if anything does.

        ``None`` if they have not this form.
        """
        root = root_of(value)
        shape = cast(MemRef, root.type).get_shape()
        return strides_of_run(elements_of(value), shape, self._root_axes(root))

    def may_be_empty(self, value: SSAValue) -> bool:
        """Return whether a run may have no elements of a value."""
        extent = self.open_extent
        growths = self.growths(value).values() if extent is not None else ()
        return extent is not None and any(not extent.least(growth) for growth in growths)

    def axes_of(self, value: SSAValue) -> Axes | None:
        """Return how the axes of a value grow, outermost first.

        ``None`` if an open axis of the source of a view is no axis of the view, which has more than
        the elements for the least number, and if ``open`` of a view states other extents of it.
        """
        opened = value.owner.open_axes if isinstance(value.owner, ViewOp) else ()
        root = root_of(value)
        axes = self._root_axes(root)
        if not any(axes):
            return opened or constant_axes(len(cast(MemRef, value.type).get_shape()))
        assert self.open_extent is not None
        shape = cast(MemRef, root.type).get_shape()
        known = view_axes(elements_of(value), shape, axes, self.open_extent.least)
        if known is None or not opened:
            return known
        # A run has of an open axis of the source as many elements as that one says.
        has_all = all(own in (CONSTANT, new) for own, new in zip(known, opened, strict=True))
        return opened if has_all else None

    def _root_axes(self, root: SSAValue) -> Axes:
        """Return how the axes of an argument or a buffer grow; none without any that does."""
        if self.open_extent is None:
            return ()
        if isinstance(root.owner, BufferOp):
            return root.owner.open_axes
        if not isinstance(root, BlockArgument):
            return ()
        axes = listed_axes(self.open_arguments)[root.index]
        return axes if any(axes) else ()

    def pipelines(self) -> dict[str, PipelineOp]:
        """Return the kernels of the program's module by name."""
        module = self.parent_op()
        if module is None or not module.has_trait(SymbolTable):
            return {}
        ops = module.regions[0].block.ops
        return {op.sym_name.data: op for op in ops if isinstance(op, PipelineOp)}

    def verify(self, verify_nested_ops: bool = True) -> None:
        """Check this op and those inside, then that each call has a callee that fits.

        All callees are looked up here, in one table: a table for each call would take a time that
        grows with the square of their number.
        """
        super().verify(verify_nested_ops)
        pipelines = self.pipelines()
        for op in self.body.walk() if verify_nested_ops else ():
            if isinstance(op, CallOp):
                try:
                    callee = pipelines.get(op.callee.string_value())
                    check_callee(op, callee, [self.axes_of(value) for value in op.operands])
                    packed = self.packed_among(op.operands)
                    empty = [index for index in packed if self.may_be_empty(op.operands[index])]
                    check_packed_call(op, callee, packed, empty)
                except VerifyException as error:
                    op.emit_error(f"Operation does not verify: {error}", error)

    def verify_(self) -> None:
        """Check the constraints.

        - (program_c1) each argument has a name
        - (program_c2) names are ASCII, since others do not read back from the text as they were
        - (program_c3) sizes are not negative
        - (program_c4) threads are at least 1
        - (program_c5) ``stored`` has a type for each argument, of as many bytes
        - (program_c6) ``shapes_of`` names different outputs, which are the caller's
        - (program_c7) the extents of an output are as many 64-bit integers, for axes that it has
        - (program_c8) a freestanding program has one thread, and no file for its weights
        - (program_c9) ``open_arguments`` says of each axis of each argument how it grows, if there
          is an extent
        - (program_c10) the type of an open value has the extents for the largest number; for the
          least one it has elements, unless that is 0
        - (program_c11) a view has each open axis of its source, or of it elements that each run has
        - (program_c12) an argument with an inner open axis, or maybe no elements, is only copied
          from or to a buffer, joined, or read by calls
        - (program_c13) ``keys`` has a list for each argument: an empty one, or strings in ASCII or
          integers, one for each element of the innermost axis
        - (program_c14) a program with a part has a name among several, and the ranges of the part
          that have several numbers are its open extents
        - (program_c15) steps of a loop that follow from the number are those for the largest one
        - (program_c16) a joined value has the outer open axes of the target, no inner ones, and
          ends within it; ``start`` is for the largest number
        - (program_c17) a buffer or the scratch memory of a call in an output fits there
        - (program_c22) ``defaults`` has a value of its type, or ``unit``, for each input
        - (program_c23) pools have a name and a start each: 0, then in order, within the arena"""
        found, named = len(self.body.block.args), len(self.input_names) + len(self.output_names)
        if found != named:
            raise invalid("program_c1", f"{named} names for {found} arguments")
        for name in (*self.input_names, *self.output_names):
            if not name.data.isascii():
                raise invalid("program_c2", f"names are in ASCII, found '{name.data}'")
        for what, size in (
            ("arena", self.arena_bytes),
            ("weights", self.weight_bytes),
            ("state", self.state_bytes),
            ("device_arena", self.device_arena_bytes),
            ("worker_scratch", self.worker_scratch_bytes),
            ("stack", self.stack_bytes),
        ):
            if size is not None and size.value.data < 0:
                raise invalid(
                    "program_c3", f"{what} is not negative, found {size.value.data} bytes"
                )
        self._check_pools()
        if self.threads is not None and self.threads.value.data < 1:
            raise invalid("program_c4", f"threads are at least 1, found {self.threads.value.data}")
        sizes = [memref_bytes(argument.type) for argument in self.body.block.args]
        if self.stored is not None and [interface_bytes(t) for t in self.stored] != sizes:
            types = ", ".join(map(str, self.stored))
            raise invalid(
                "program_c5", f"stored types have the bytes of the arguments, found {types}"
            )
        if any(len(entry) == 0 for entry in self.shapes_of or ()):
            raise invalid("program_c6", "extents of no output")
        results = len(self.output_names) - len(self.described)
        if len(set(self.described)) < len(self.described) or any(
            not 0 <= index < results for index in self.described
        ):
            raise invalid(
                "program_c6", f"no extents of {list(self.described)} for {results} outputs"
            )
        for index, value in zip(self.described, self.outputs[results:], strict=True):
            rank = self._rank(index)
            axes = self.open_axes(index)
            if value.type != memref_of_extents(rank) or not all(0 <= axis < rank for axis in axes):
                raise invalid("program_c7", f"{value.type} and {list(axes)} do not fit {rank} axes")
        if self.freestanding is not None:
            if self.threads is not None:
                raise invalid("program_c8", "a freestanding program has one thread")
            if self.weight_bytes is not None and self.embedded is None:
                raise invalid("program_c8", "a freestanding program has embedded weights")
        self._check_arguments()
        self._check_part()
        check_open(self)
        check_joins(self)
        self._check_states()
        for _, output, offset, size in self.output_allocations():
            if offset + size > sum(map(self.free_bytes_of, self.outputs[output : output + 1])):
                raise invalid("program_c17", f"output {output} has no room for {size} bytes")

    def _check_arguments(self) -> None:
        lists, arguments = tuple(self.keys or ()), self.body.block.args
        if self.keys is not None and len(lists) != len(arguments):
            raise invalid(
                "program_c13", f"{len(lists)} lists of keys for {len(arguments)} arguments"
            )
        for given, argument in zip(lists, arguments, strict=False):
            shape = cast(MemRef, argument.type).get_shape()
            if len(given) and (not values_of(given) or shape[-1:] != (len(given),)):
                raise invalid("program_c13", f"{given} are no keys of {argument.type}")
        defaults, inputs = tuple(self.defaults or ()), self.inputs
        if self.defaults is not None and len(defaults) != len(inputs):
            raise invalid("program_c22", f"{len(defaults)} defaults for {len(inputs)} inputs")
        for value, argument in zip(defaults, inputs, strict=False):
            if not isinstance(value, UnitAttr) and memref_of(value.type) != argument.type:
                raise invalid("program_c22", f"{value} is no default of {argument.type}")

    def _check_pools(self) -> None:
        names, starts = self.pool_names or (), self.pool_starts
        end = 0 if self.arena_bytes is None else self.arena_bytes.value.data
        first = [] if starts is None else list(map(int, starts.get_values()))
        ordered = first == sorted(first) and first[:1] == [0] and first[-1] <= end
        if len(names) != len(first) or (first and not ordered):
            raise invalid(
                "program_c23", f"{len(names)} pools at {first} of an arena of {end} bytes"
            )

    def _check_part(self) -> None:
        if self.part is None:
            return
        found = () if self.open_extent is None else self.open_extent.ranges
        if self.variant is None or self.part.open_ranges != found:
            raise invalid(
                "program_c14",
                "a program for a part has a name and the open extents of the part, found "
                f"{self.open_extent or 'none'}",
            )

    def _rank(self, output: int) -> int:
        """Return how many axes the caller knows of an output."""
        if self.stored is not None:
            return self.stored.data[len(self.input_names) + output].get_num_dims()
        return len(cast(MemRef, self.outputs[output].type).get_shape())

    def _check_states(self) -> None:
        """Check the constraints of states.

        - (program_c18) states have different names, and inputs and outputs of the caller others
        - (program_c19) rows are numbers of the run, in steps of 1; there is memory for those left
        - (program_c20) states with one number leave as many rows
        - (program_c21) a state is written in no region, after all ops that read what a run finds,
          and before those that read what it leaves
        """
        check_states(self)


def memref_of_extents(rank: int) -> Attribute:
    """Return the type of memory that holds the extents of an output."""
    return MemRefType(i64, [rank])
