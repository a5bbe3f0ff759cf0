"""``convert-nn-to-driver``: the graph of calls becomes the program that the C driver runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, count
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DictionaryAttr,
    ModuleOp,
    NameLoc,
    StringAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import SymbolOpInterface
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.hints import isa

from autodeploy.dialects.driver import (
    BufferOp,
    CallOp,
    CopyOp,
    MemRef,
    ProgramOp,
    ViewOp,
    WeightOp,
    memref_of,
    storage_of,
)
from autodeploy.dialects.nn import kernel as nn
from autodeploy.dialects.nn.base import Tensor
from autodeploy.dialects.nn.constant import ConstantOp, ConstantValue
from autodeploy.dialects.nn.movement import ReshapeOp
from autodeploy.frontend.onnx_names import ascii_text

MODEL_ATTRIBUTE = "nn.model"
NAME_ATTRIBUTE = "nn.name"
DEFAULT_MODEL = "model"


@dataclass(frozen=True)
class ConvertNnToDriverPass(ModulePass):
    """Turn the function of nn.call ops into a driver.program on buffers.

    The result of a call is written straight into the program's output where it is one (through a
    view where reshapes stand between); it may be read back from there. An output that is an input,
    a constant or the same bytes as an earlier output is a copy.
    """

    name = "convert-nn-to-driver"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the module in place.

        Raises ``PassFailedException`` where the module has several functions, or the function is
        not one block of calls, reshapes and constants on tensors that ends in ``func.return``.
        """
        functions = [f for f in op.body.block.ops if isinstance(f, FuncOp)]
        if len(functions) > 1:
            names = ", ".join(f"'{f.sym_name.data}'" for f in functions)
            _fail(functions[1], f"is one function too many: expected one network, found {names}")
        for func in functions:
            Rewriter.replace_op(func, _convert(op, func), [])


@dataclass
class _Conversion:
    """What is known while one function is converted."""

    block: Block
    memory: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Where each tensor lies."""
    weights: dict[ConstantValue, SSAValue] = field(default_factory=dict[ConstantValue, SSAValue])
    targets: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """Where results of calls have to lie, because they are outputs of the program."""

    def add(self, op: Operation, origin: Operation) -> None:
        op.location = origin.location
        self.block.add_op(op)

    def place(self, value: SSAValue, memory: SSAValue) -> None:
        memory.name_hint = memory.name_hint or value.name_hint
        self.memory[value] = memory

    def reshaped(self, memory: SSAValue, type_: MemRef, origin: Operation) -> SSAValue:
        """Return the same bytes under another shape."""
        storage = storage_of(memory)
        if storage.type == type_:
            return storage
        view = ViewOp(storage, type_)
        self.add(view, origin)
        return view.result


def _convert(module: ModuleOp, func: FuncOp) -> ProgramOp:
    blocks = func.body.blocks
    if len(blocks) != 1:
        _fail(func, f"expected a body of one block, found {len(blocks)} blocks")
    body = blocks[0]
    returned = body.last_op
    if not isinstance(returned, ReturnOp):
        _fail(func, "does not end in func.return")
    results: list[SSAValue] = list(returned.operands)
    types = [memref_of(_tensor(v, func)) for v in (*body.args, *results)]
    state = _Conversion(Block(arg_types=types))
    outputs = state.block.args[len(body.args) :]
    for argument, memory in zip(body.args, state.block.args, strict=False):
        state.place(argument, memory)
    _choose_targets(results, outputs, state)
    for op in body.ops:
        _convert_op(op, state)
    for value, output in zip(results, outputs, strict=True):
        source = storage_of(state.memory[value])
        if source is not output:
            state.add(CopyOp(source, output), returned)
    for op in [op for op in state.block.ops if isinstance(op, ViewOp | WeightOp)][::-1]:
        if not op.result.uses:
            state.block.erase_op(op)
    return ProgramOp(
        _program_name(module, func),
        _names(func.arg_attrs, len(body.args), "input"),
        _names(func.res_attrs, len(results), "output"),
        state.block,
    )


def _convert_op(op: Operation, state: _Conversion) -> None:
    match op:
        case ConstantOp():
            memory = state.weights.get(op.value)
            if memory is None:
                weight = WeightOp(op.value)
                state.add(weight, op)
                memory = state.weights[op.value] = weight.result
            state.place(op.result, memory)
        case ReshapeOp():
            type_ = memref_of(_tensor(op.result, op))
            state.place(op.result, state.reshaped(state.memory[op.x], type_, op))
        case nn.CallOp():
            for result in op.outputs:
                type_ = memref_of(_tensor(result, op))
                target = state.targets.get(result)
                if target is None:
                    buffer = BufferOp(type_)
                    state.add(buffer, op)
                    state.place(result, buffer.result)
                else:
                    state.place(result, state.reshaped(target, type_, op))
            call = CallOp(
                op.callee.string_value(),
                [state.memory[value] for value in op.inputs],
                [state.memory[value] for value in op.outputs],
            )
            state.add(call, op)
        case ReturnOp():
            pass
        case _:
            _fail(
                op,
                "has no form in the driver: expected nn.call, nn.reshape or nn.constant, which "
                "form-kernels and convert-nn-to-halide leave",
            )


def _choose_targets(
    results: list[SSAValue], outputs: tuple[SSAValue, ...], state: _Conversion
) -> None:
    """Let each call write straight into the first output that its result is, reshaped or not."""
    for value, output in zip(results, outputs, strict=True):
        while isinstance(value.owner, ReshapeOp):
            value = value.owner.x
        if isinstance(value.owner, nn.CallOp):
            state.targets.setdefault(value, output)


def _program_name(module: ModuleOp, func: FuncOp) -> str:
    """Return the model's name, with a number behind it where a kernel has that name."""
    name = _text(module.attributes.get(MODEL_ATTRIBUTE)) or DEFAULT_MODEL
    taken: set[StringAttr | None] = set()
    for op in module.body.block.ops:
        symbol = op.get_trait(SymbolOpInterface)
        if op is not func and symbol is not None:
            taken.add(symbol.get_sym_attr_name(op))
    candidates = chain([name], (f"{name}_{number}" for number in count(1)))
    return next(candidate for candidate in candidates if StringAttr(candidate) not in taken)


def _names(attributes: ArrayAttr[DictionaryAttr] | None, size: int, kind: str) -> list[str]:
    """Return the model's names of the arguments or results, or made-up ones that are free."""
    given = [""] * size
    for i, entry in enumerate(attributes or ()):
        given[i] = _text(entry.data.get(NAME_ATTRIBUTE))
    free = (name for name in (f"{kind}{number}" for number in count()) if name not in given)
    return [name or next(free) for name in given]


def _text(attribute: Attribute | None) -> str:
    """Return a name in ASCII (the parser reads others as bytes), or an empty string for none."""
    match attribute:
        case StringAttr():
            return ascii_text(attribute.data)
        case BytesAttr():
            return ascii_text(bytes(attribute.data).decode(errors="replace"))
        case _:
            return ""


def _tensor(value: SSAValue, where: Operation) -> Tensor:
    type_ = value.type
    if not isa(type_, Tensor):
        _fail(where, f"expected tensors, found a value of type {type_}")
    return type_


def _fail(op: Operation, problem: str) -> NoReturn:
    """Raise ``PassFailedException`` that names the operation and the ONNX node it came from."""
    node = f" (node '{op.location.desc.data}')" if isinstance(op.location, NameLoc) else ""
    message = f"'{op.name}' op{node} {problem}"
    op.emit_error(message, PassFailedException(message))
