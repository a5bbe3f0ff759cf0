"""The ops of a program as statements of C: kernels in order, copies, loops and branches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from autodeploy.codegen.c.header import LINE, call_text
from autodeploy.codegen.c.names import c_comment, c_string
from autodeploy.codegen.c.open_copies import open_copy_lines
from autodeploy.codegen.c.open_shapes import bytes_text, number_text
from autodeploy.codegen.c.program import Program, function_symbol
from autodeploy.dialects.driver import (
    CALLS,
    BufferOp,
    CallOp,
    CopyOp,
    ForOp,
    IfOp,
    JoinOp,
    LibraryCallOp,
    RowOp,
    TransferOp,
    ViewOp,
)
from autodeploy.dialects.locations import nodes_of
from autodeploy.dialects.memref import memref_bytes
from autodeploy.dialects.nn.types import ELEMENT_BYTES

_NUMBER_TYPES = {
    "truth": "unsigned char",
    "int32": "int32_t",
    "int64": "int64_t",
    "float32": "float",
}
"""The types of ``autodeploy_device_number``'s members."""


def statements(program: Program) -> str:
    """Return the statements of a run of a program; empty if there is nothing to do."""
    device = program.device
    numbers = () if device is None else enumerate(device.run_numbers, device.first_number)
    set_ = [
        f"    numbers[{place}].{kind} = ({_NUMBER_TYPES[kind]}){text};"
        for place, (text, kind) in numbers
    ]
    if set_:
        start = "    autodeploy_device_number *const numbers = autodeploy_device_numbers(device);"
        set_.insert(0, start)
    return _lines([*set_, _Statements(program).block(program.op.body.block)])


class _Statements:
    """Writes what the ops of a program do as statements of C."""

    def __init__(self, program: Program):
        self.program = program

    def block(self, block: Block, indent: str = "    ", depth: int = 0) -> str:
        """Return the statements of a block within ``depth`` loops."""
        return _lines(
            part
            for op in block.ops
            for part in (
                _nodes(op, indent) if isinstance(op, CALLS) else "",
                self._op(op, indent, depth),
            )
        )

    def _op(self, op: Operation, indent: str, depth: int) -> str:
        """Return the statements of an op, none for an op that only names a place of data."""
        program_device = self.program.device
        match op:
            case BufferOp() if op.output is not None:
                place = self._place(op.offset, op.output)
                return f"{indent}{self._host(op.result)} = {place};"
            case ViewOp() if op.source in self.program.moving:
                source = self.program.buffers[op.source]
                bytes_ = self.program.buffers[op.result].offset - source.offset
                offset = f" + {bytes_}" if bytes_ else ""
                return (
                    f"{indent}/* another shape of the same bytes */\n"
                    f"{indent}{self._host(op.result)} = {self._host(op.source)}{offset};"
                )
            case RowOp():
                source = self.program.buffers[op.source]
                row = f"step_{depth - 1}"
                if op.backwards:
                    loop = op.parent_op()
                    assert isinstance(loop, ForOp) and loop.steps is not None
                    growth = self._open_steps(loop)
                    last = f"{growth} - 1" if growth else str(loop.steps.value.data - 1)
                    row = f"({last} - {row})"
                bytes_ = source.strides[0] * ELEMENT_BYTES[source.tensor.element]
                return (
                    f"{indent}{self._host(op.result)} = {self._host(op.source)} + {row} * {bytes_};"
                )
            case CopyOp():
                if any(map(self.program.op.is_packed, op.operands)):
                    return self._open_copy(op, indent)
                size = str(memref_bytes(op.source.type))
                axes = self.program.growths(op.target)
                if axes and not self.program.op.is_inner(op.target):
                    ((axis, growth),) = axes.items()
                    extent = self.program.buffers[op.target].tensor.shape[axis]
                    size = bytes_text(growth, memref_bytes(op.source.type) // extent)
                arguments = [self._host(op.target), self._host(op.source), size]
                return call_text("memcpy", arguments, indent)
            case JoinOp():
                return self._open_copy(op, indent)
            case TransferOp():
                return self._transfer(op, indent)
            case CallOp() if program_device is not None and op in program_device.calls:
                if op not in program_device.runs:
                    return ""
                first, count = program_device.runs[op]
                return self._on_device(f"autodeploy_device_run(device, {first}, {count})", indent)
            case CallOp():
                symbol = self.program.symbols[op.callee.string_value()]
                return self._scratch(op, indent) + self._run(symbol, op, indent)
            case LibraryCallOp():
                symbol, numbers = function_symbol(op.callee.data), op.parameters.get_values()
                return self._run(symbol, op, indent, numbers)
            case ForOp():
                return self._loop(op, indent, depth)
            case IfOp():
                inner = f"{indent}    "
                otherwise = self.block(op.otherwise.block, inner, depth)
                return _lines(
                    [
                        f"{indent}if ({self._holds(op.condition)}) {{",
                        self.block(op.then.block, inner, depth),
                        *([f"{indent}}} else {{", otherwise] if otherwise else ()),
                        f"{indent}}}",
                    ]
                )
            case _:
                return ""

    def _transfer(self, op: TransferOp, indent: str) -> str:
        """Return the copy of a block to the device, or from it."""
        device = self.program.device
        assert device is not None
        way, there, here = "read", op.source, op.target
        if op.target in device.numbers:
            way, there, here = "write", op.target, op.source
        label = device.blocks[device.numbers[there]].label
        arguments = f"{label}, {self._host(here)}, {self._transferred(here)}"
        return self._on_device(f"autodeploy_device_{way}(device, {arguments})", indent)

    def _transferred(self, value: SSAValue) -> str:
        """Return the bytes of a block in a run: those of its first elements, or of all."""
        op, size = self.program.op, memref_bytes(value.type)
        grown = op.growths(value)
        if not grown or op.is_inner(value):
            return str(size)
        ((axis, growth),) = grown.items()
        return bytes_text(op.told(growth), size // self.program.buffers[value].tensor.shape[axis])

    def _on_device(self, call: str, indent: str) -> str:
        return (
            f"{indent}if ({call} != 0) {{\n{indent}    return device_failed(context);\n{indent}}}"
        )

    def _open_copy(self, op: CopyOp | JoinOp, indent: str) -> str:
        """Return the copy of a value whose places follow from the numbers of a run."""
        return _lines(open_copy_lines(self.program, op, self._host, indent))

    def _open_steps(self, op: ForOp) -> str:
        """Return the expression of the steps of a loop in a run; empty where they are constant."""
        return number_text(self.program.op.told(op.open_steps)) if op.open_steps else ""

    def _loop(self, op: ForOp, indent: str, depth: int) -> str:
        step, inner = f"step_{depth}", f"{indent}    "
        tests = [] if op.steps is None else [f"{step} < {op.steps.value.data}"]
        if growth := self._open_steps(op):
            tests = [f"{step} < {growth}"]
        if op.trips is not None:
            tests.append(f"{step} < *(const int64_t *)(const void *){self._host(op.trips)}")
        if op.condition is not None:
            tests.append(self._holds(op.condition))
        first = f"{indent}for (int64_t {step} = 0; {' && '.join(tests)}; ++{step}) {{"
        if len(first) > LINE:
            joined = f"\n{indent}         && ".join(tests)
            first = (
                f"{indent}for (int64_t {step} = 0;\n"
                f"{indent}     {joined};\n{indent}     ++{step}) {{"
            )
        counter = op.counter and f"*(int64_t *)(void *){self._host(op.counter)} = {step};"
        return _lines(
            [
                first,
                f"{inner}{counter}" if counter else "",
                self.block(op.body.block, inner, depth + 1),
                *(
                    f"{inner}exchange({self._address(a)}, {self._address(b)});"
                    for a, b in op.exchanged
                ),
                f"{indent}}}",
            ]
        )

    def _run(
        self, symbol: str, op: CallOp | LibraryCallOp, indent: str, numbers: Sequence[int] = ()
    ) -> str:
        arguments = ["runtime", *map(self._address, op.operands), *map(str, numbers)]
        return (
            call_text(f"code = {symbol}", arguments, indent)
            + f"\n{indent}if (code != 0) {{\n"
            + f"{indent}    return kernel_failed(context, {c_string(symbol)}, code);\n"
            + f"{indent}}}"
        )

    def _scratch(self, op: CallOp, indent: str) -> str:
        """Return the statement that tells the runtime what a kernel works in."""
        if op not in self.program.scratch:
            return ""
        place = self._place(op.scratch, op.scratch_output)
        arguments = ["runtime", place, str(self.program.scratch[op])]
        return call_text("autodeploy_runtime_work_in", arguments, indent) + "\n"

    def _place(self, offset: IntegerAttr | None, output: IntegerAttr | None) -> str:
        """Return the expression of a place in the arena, or in an output."""
        assert offset is not None
        start = "context->arena"
        if output is not None:
            start = f"aligned({self._host(self.program.op.outputs[output.value.data])})"
        elif self.program.pools:
            return f"place_in_pool(context, {offset.value.data})"
        return f"{start} + {offset.value.data}" if offset.value.data else start

    def _address(self, value: SSAValue) -> str:
        return f"&buffers[{self.program.buffers[value].label}]"

    def _host(self, value: SSAValue) -> str:
        return f"buffers[{self.program.buffers[value].label}].host"

    def _holds(self, value: SSAValue) -> str:
        return f"*{self._host(value)} != 0"


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part)


def _nodes(op: Operation, indent: str) -> str:
    return f"{indent}/* {c_comment(', '.join(nodes))} */" if (nodes := nodes_of(op)) else ""
