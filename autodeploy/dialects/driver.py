"""The driver dialect: the shape of the C program that runs a network.

One ``driver.program`` holds what the generated ``run`` function does, in call order: name the
weights and the blocks of the arena, then call kernels on them. Values are memrefs, outermost extent
first. Weights, buffers, inputs and outputs are dense and row-major; views of them may be strided,
and then are parts of them, or have their axes in another order. Passes give every weight its offset
in the weight file and every buffer its offset in the arena; the emitter only prints what stands
here.

Constraints of all memrefs and offsets:

- (memref_c1) weights, buffers, inputs and outputs of the program are dense
- (memref_c2) extents are known, and elements have a type of nn
- (memref_c3) a view has a stride for each axis, and no offset in its type
- (memref_c4) a dense memref has no layout in its type
- (memref_c5) no call and no copy writes a weight
- (memref_c6) no call and no copy writes an input of the program
- (offset_c1) an offset is a multiple of 64 bytes, and not negative
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    IntegerAttr,
    NoneAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Dialect, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParamAttrConstraint,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    NoTerminator,
    SymbolOpInterface,
    SymbolTable,
)
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.constraints import broken
from autodeploy.dialects.halide.in_place import may_fill_in_place
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.types import BufferType
from autodeploy.dialects.memref import (
    ALIGNMENT,
    MEMREF,
    MemRef,
    is_dense,
    memref_bytes,
    memref_of,
    memref_strides,
)
from autodeploy.dialects.nn.constant import ConstantValue, DenseAttr, WeightAttr
from autodeploy.dialects.strides import Region as Elements


def _check_offset(offset: IntegerAttr | None) -> None:
    if offset is not None and (offset.value.data < 0 or offset.value.data % ALIGNMENT):
        raise broken(
            "offset_c1",
            f"an offset is a multiple of {ALIGNMENT} and not negative, found {offset.value.data}",
        )


@irdl_op_definition
class ProgramOp(IRDLOperation):
    """The whole program: block arguments are the model's inputs, then its outputs.

    ``input_names`` and ``output_names`` are the model's own names. The sizes stand there once
    memory is planned: ``arena_bytes`` holds every buffer and what the calls work in,
    ``weight_bytes`` every weight.

    ``embedded`` says that the weights are linked into the program instead of read from a
    file.

    ``threads`` is how many threads may compute at most, 1 where it is absent;
    ``worker_scratch_bytes``, planned like the sizes above, is what each of them but the calling
    one works in, absent where no kernel has a parallel loop.

    ``flush_subnormals`` says that the program takes subnormal numbers for zero unless it is told
    otherwise when it starts.
    """

    name = "driver.program"

    sym_name = prop_def(SymbolNameConstraint())
    input_names = prop_def(ArrayAttr[StringAttr])
    output_names = prop_def(ArrayAttr[StringAttr])
    arena_bytes = opt_prop_def(IntegerAttr.constr(i64))
    weight_bytes = opt_prop_def(IntegerAttr.constr(i64))
    embedded = opt_prop_def(UnitAttr)
    threads = opt_prop_def(IntegerAttr.constr(i64))
    worker_scratch_bytes = opt_prop_def(IntegerAttr.constr(i64))
    flush_subnormals = opt_prop_def(UnitAttr)
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())
    assembly_format = (
        "$sym_name `inputs` $input_names `outputs` $output_names (`arena` $arena_bytes^)? "
        "(`weights` $weight_bytes^)? (`embedded` $embedded^)? (`threads` $threads^)? "
        "(`worker_scratch` $worker_scratch_bytes^)? (`flush_subnormals` $flush_subnormals^)? "
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
        for op in self.body.block.ops if verify_nested_ops else ():
            if isinstance(op, CallOp):
                try:
                    _check_callee(op, pipelines.get(op.callee.string_value()))
                except VerifyException as error:
                    op.emit_error(f"Operation does not verify: {error}", error)

    def verify_(self) -> None:
        """Check the constraints.

        - (program_c1) each argument has a name
        - (program_c2) names are ASCII, since others do not read back from the text as they were
        - (program_c3) sizes are not negative
        - (program_c4) threads are at least 1
        """
        found, named = len(self.body.block.args), len(self.input_names) + len(self.output_names)
        if found != named:
            raise broken("program_c1", f"{named} names for {found} arguments")
        for name in (*self.input_names, *self.output_names):
            if not name.data.isascii():
                raise broken("program_c2", f"names are in ASCII, found '{name.data}'")
        for what, size in (
            ("arena", self.arena_bytes),
            ("weights", self.weight_bytes),
            ("worker_scratch", self.worker_scratch_bytes),
        ):
            if size is not None and size.value.data < 0:
                raise broken("program_c3", f"{what} is not negative, found {size.value.data} bytes")
        if self.threads is not None and self.threads.value.data < 1:
            raise broken("program_c4", f"threads are at least 1, found {self.threads.value.data}")
        for argument in self.body.block.args:
            memref_bytes(argument.type)


@irdl_op_definition
class WeightOp(IRDLOperation):
    """Constant data in the weight file, ``offset`` bytes after the start of its data."""

    name = "driver.weight"

    value = prop_def(
        ParamAttrConstraint(DenseAttr, (AnyAttr(), AnyAttr()))
        | ParamAttrConstraint(WeightAttr, (AnyAttr(), AnyAttr()))
    )
    offset = opt_prop_def(IntegerAttr.constr(i64))
    result = result_def(MEMREF)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(HasParent(ProgramOp))
    assembly_format = "$value attr-dict `:` type($result)"

    def __init__(self, value: ConstantValue, offset: int | None = None):
        super().__init__(
            properties={"value": value, **_offset_property(offset)},
            result_types=[memref_of(value.type)],
        )

    def verify_(self) -> None:
        """Check (weight_c1) that the result is the dense memref of the value's type."""
        _check_offset(self.offset)
        if self.result.type != memref_of(self.value.type):
            raise broken("weight_c1", f"{self.value.type} does not lie in a {self.result.type}")


@irdl_op_definition
class BufferOp(IRDLOperation):
    """A block of the arena, ``offset`` bytes after its start; its content is not defined yet."""

    name = "driver.buffer"

    offset = opt_prop_def(IntegerAttr.constr(i64))
    result = result_def(MEMREF)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(HasParent(ProgramOp))
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, type_: Attribute, offset: int | None = None):
        super().__init__(properties=_offset_property(offset), result_types=[type_])

    def verify_(self) -> None:
        """Check the offset and the type."""
        _check_offset(self.offset)
        memref_bytes(self.result.type)


@irdl_op_definition
class ViewOp(IRDLOperation):
    """Elements of ``source`` under another shape: nothing moves.

    The result's strides count elements of the memory of ``source``, and so does ``offset``, where
    its first element lies. Without either it is a reshape of all elements.
    """

    name = "driver.view"

    source = operand_def(MEMREF)
    offset = opt_prop_def(IntegerAttr.constr(i64))
    result = result_def(MEMREF)

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(HasParent(ProgramOp))
    assembly_format = "$source attr-dict `:` type($source) `to` type($result)"

    def __init__(self, source: SSAValue, type_: Attribute, offset: int = 0):
        super().__init__(
            operands=[source],
            properties=_offset_property(offset or None),
            result_types=[type_],
        )

    @property
    def elements_before(self) -> int:
        """Return how many elements after that of the source the first element lies."""
        return 0 if self.offset is None else self.offset.value.data

    def verify_(self) -> None:
        """Check the constraints.

        - (view_c1) the result has the element type of the source
        - (view_c2) the result lies inside of the source
        """
        source, result = elements_of(self.source), elements_of(self.result)
        found, expected = self.result.type, cast(MemRef, self.source.type)
        if found.element_type != expected.element_type:
            raise broken("view_c1", f"{self.source.type} holds no {found.element_type}")
        if self.elements_before < 0 or result.end > source.end:
            raise broken("view_c2", f"{self.result.type} is not inside of {self.source.type}")


def storage_of(value: SSAValue) -> SSAValue:
    """Return the value that owns the bytes: what a chain of views starts from."""
    while isinstance(value.owner, ViewOp):
        value = value.owner.source
    return value


def elements_of(value: SSAValue) -> Elements:
    """Return where the elements of a value lie in its storage."""
    strides = memref_strides(value.type)
    offset, view = 0, value.owner
    while isinstance(view, ViewOp):
        offset += view.elements_before
        view = view.source.owner
    return Elements(tuple(cast(MemRef, value.type).get_shape()), strides, offset)


def may_overlap(one: SSAValue, other: SSAValue) -> bool:
    """Tell whether two values may have a byte in common; True where in doubt."""
    if storage_of(one) is not storage_of(other):
        return False
    return elements_of(one).meets(elements_of(other))


def _check_writable(value: SSAValue) -> None:
    """Raise ``VerifyException`` for the bytes of a weight or of an input: both are only read."""
    storage = storage_of(value)
    if isinstance(storage.owner, WeightOp):
        raise broken("memref_c5", "a driver.weight is only read")
    if isinstance(storage, BlockArgument):
        program = storage.owner.parent_op()
        if isinstance(program, ProgramOp) and storage.index < len(program.input_names):
            name = program.input_names.data[storage.index].data
            raise broken("memref_c6", f"input '{name}' of the program is only read")


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copy all elements of ``source`` to ``target``; they do not overlap.

    Dense ones have as many bytes; where one is strided, both have the same shape.
    """

    name = "driver.copy"

    source = operand_def(MEMREF)
    target = operand_def(MEMREF)

    traits = traits_def(HasParent(ProgramOp))
    assembly_format = "$source `to` $target attr-dict `:` type($source) `to` type($target)"

    def __init__(self, source: SSAValue, target: SSAValue):
        super().__init__(operands=[source, target])

    def verify_(self) -> None:
        """Check the constraints.

        - (copy_c1) two dense memrefs have the same number of bytes
        - (copy_c2) where one is strided, both have the same shape and element type
        - (copy_c3) source and target have no byte in common
        """
        if is_dense(self.source) and is_dense(self.target):
            if memref_bytes(self.source.type) != memref_bytes(self.target.type):
                raise broken(
                    "copy_c1", f"{self.source.type} has other bytes than {self.target.type}"
                )
        else:
            source, target = cast(MemRef, self.source.type), cast(MemRef, self.target.type)
            if (source.element_type, source.shape) != (target.element_type, target.shape):
                raise broken("copy_c2", f"{source} has another shape than {target}")
        if may_overlap(self.source, self.target):
            raise broken("copy_c3", "source and target are the same bytes")
        _check_writable(self.target)


def _check_callee(op: CallOp, callee: PipelineOp | None) -> None:
    """Check that the callee is a ``halide.pipeline`` whose buffers fit the operands."""
    name = op.callee.string_value()
    if callee is None:
        raise broken("call_c1", f"'{name}' is no halide.pipeline in scope")
    expected = _signature(
        [argument.type for argument in callee.inputs],
        [argument.type for argument in callee.outputs],
    )
    found = _signature(
        [buffer_of(operand.type) for operand in op.inputs],
        [buffer_of(operand.type) for operand in op.outputs],
    )
    if expected != found:
        raise broken("call_c2", f"'{name}' takes {expected}, found {found}")
    for output, target in zip(op.outputs, callee.outputs, strict=True):
        for value, source in zip(op.inputs, callee.inputs, strict=True):
            if output is value and not may_fill_in_place(callee, source, target):
                raise broken("call_c3", f"'{name}' cannot fill an input in place")


def _signature(inputs: Sequence[Attribute], outputs: Sequence[Attribute]) -> str:
    return f"({', '.join(map(str, inputs))}) to ({', '.join(map(str, outputs))})"


def buffer_of(type_: Attribute) -> BufferType:
    """Return the Halide buffer type of a memref: the same extents and strides, innermost first."""
    strides = memref_strides(type_)
    memref = cast(MemRef, type_)
    extents = tuple(reversed(memref.get_shape()))
    if isinstance(memref.layout, NoneAttr):
        return BufferType(memref.element_type, extents)
    return BufferType(memref.element_type, extents, tuple(reversed(strides)))


@irdl_op_definition
class CallOp(IRDLOperation):
    """Run a kernel: it reads ``inputs`` and fills ``outputs``.

    An output may be one of the inputs where the kernel computes each element from that at the same
    place; else it lies apart from all other operands. ``scratch`` is the offset in the arena of
    what the kernel works in, once memory is planned; the ``halide.pipeline`` says its size.
    """

    name = "driver.call"

    callee = prop_def(base(SymbolRefAttr))
    scratch = opt_prop_def(IntegerAttr.constr(i64))
    inputs = var_operand_def(MEMREF)
    outputs = var_operand_def(MEMREF)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    traits = traits_def(HasParent(ProgramOp))
    assembly_format = (
        "$callee `(` $inputs `)` `to` ` ` `(` $outputs `)` attr-dict "
        "`:` `(` type($inputs) `)` `to` ` ` `(` type($outputs) `)`"
    )

    def __init__(self, callee: str, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]):
        super().__init__(operands=[inputs, outputs], properties={"callee": SymbolRefAttr(callee)})

    def verify_(self) -> None:
        """Check the constraints.

        - (call_c1) the callee is a halide.pipeline of the module
        - (call_c2) the operands have the types of the callee's buffers
        - (call_c3) an output that is an input is one that the callee may fill in place
        - (call_c4) an output overlaps no other output, and no input that it is not

        ``ProgramOp`` looks up the callees.
        """
        _check_offset(self.scratch)
        for operand in self.operands:
            memref_strides(operand.type)
        for i, output in enumerate(self.outputs):
            _check_writable(output)
            met = {value for value in self.inputs if may_overlap(output, value)}
            if not met <= {output} or any(may_overlap(output, other) for other in self.outputs[:i]):
                raise broken("call_c4", "an output is neither part of an input nor another output")


def _offset_property(offset: int | None) -> dict[str, Attribute]:
    return {} if offset is None else {"offset": IntegerAttr(offset, i64)}


DRIVER = Dialect("driver", [ProgramOp, WeightOp, BufferOp, ViewOp, CopyOp, CallOp], [])
