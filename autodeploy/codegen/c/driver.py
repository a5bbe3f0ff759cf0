"""The driver ``<model>.c`` of the generated C program: buffers in place, kernels in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import indent

from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from autodeploy.codegen.c.callers import callers_text, defaults_lines
from autodeploy.codegen.c.device import device_sections
from autodeploy.codegen.c.flags import program_flags
from autodeploy.codegen.c.header import (
    LINE,
    STRING,
    call_text,
    parameter_names,
    predict_parameters,
    title,
    wrap,
)
from autodeploy.codegen.c.memory_pools import pool_sections
from autodeploy.codegen.c.names import c_comment, c_string
from autodeploy.codegen.c.open_copies import open_copy_lines
from autodeploy.codegen.c.open_shapes import (
    OpenShapes,
    bytes_text,
    max_rank,
    number_text,
    range_sections,
    shape_name,
    shape_tables_prefix,
)
from autodeploy.codegen.c.program import Buffer, Program, Tensor, function_symbol
from autodeploy.codegen.c.read_program import read_program
from autodeploy.codegen.c.states import state_sections
from autodeploy.codegen.c.template import fill
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
from autodeploy.frontend.names import original_text

_REGIONS = {
    "caller": "IN_CALLER",
    "weights": "IN_WEIGHTS",
    "state": "IN_STATE",
    "arena": "IN_ARENA",
}

_NUMBER_TYPES = {
    "truth": "unsigned char",
    "int32": "int32_t",
    "int64": "int64_t",
    "float32": "float",
}
"""The types of ``autodeploy_device_number``'s members."""


def emit_driver(module: ModuleOp) -> str:
    """Return the driver of the module's program; raises ``UserError`` if it is not planned."""
    return driver_text(read_program(module))


def driver_text(program: Program, sums: Sequence[int] = ()) -> str:
    """Return the driver of a program.

    If the program stands for several, that is their common part; for one of several it is its own
    tensors and calls. ``sums`` are the checksums of the parts of a weight file that each
    of several reads (``part_sums``).
    """
    alone = not program.variants
    sections = {
        **_common_sections(program),
        **(_call_sections(program) if alone else _several_sections(program, sums)),
    }
    if alone and program.variant is not None:
        return fill("template_program.c", program.prefix, sections, _flags(program))
    return fill("template_model.c", program.prefix, sections, _flags(program))


def programs_header_text(program: Program) -> str:
    """Return the header that the sources of several programs share."""
    names = (program_name(variant) for variant in program.variants)
    sections = {
        **_common_sections(program),
        "programs": "\n".join(f"extern const {program.prefix}_program {name};" for name in names),
        "buffer_count": str(max(len(variant.buffers) for variant in program.variants)),
        **range_sections(program),
    }
    return fill("template_programs.h", program.prefix, sections, _flags(program))


def program_name(variant: Program) -> str:
    """Return the C name of a program that is one of several."""
    return f"{variant.prefix}_program_{variant.variant_name}"


def _common_sections(program: Program) -> dict[str, str]:
    return {
        "title": title(program),
        "infos": "\n".join(
            [
                *_infos("input", program.prefix, program.inputs),
                *_infos("output", program.prefix, program.outputs),
                *defaults_lines(program),
            ]
        ),
        "fingerprint": _fingerprint(program),
        "thread_scratch": str(program.threads.scratch_bytes or 0),
        "callers": callers_text(program),
        "predict": predict_parameters(program),
        "predict_body": _predict_body(program),
        "x86_sets": ", ".join(map(c_string, program.x86_sets)),
        "max_rank": str(max_rank(program)),
        **pool_sections(program),
        **state_sections(program),
    }


def _call_sections(program: Program) -> dict[str, str]:
    """Return what describes the tensors and the calls of one program."""
    buffers, open_ = list(program.buffers.values()), OpenShapes(program)
    sections = {
        "kernels": "\n".join(_declaration(*item) for item in program.arities.items()),
        "buffers": "".join(f"    {buffer.label},\n" for buffer in buffers) + "    BUFFER_COUNT",
        "buffer_count": "BUFFER_COUNT",
        "shapes": "\n".join(_shapes(buffers)),
        "places": "\n".join(_place(buffer, open_.index(buffer)) for buffer in buffers),
        **open_.sections(),
        **device_sections(program.device),
        **range_sections(program),
        "steps": _steps(program),
    }
    if program.variant is None:
        return sections
    return sections | {
        "variant": c_comment(program.variant),
        "part_shapes": "\n".join(
            [
                *_shape_tables(f"{shape_tables_prefix(program)}input", program.inputs),
                *_shape_tables(f"{shape_tables_prefix(program)}output", program.outputs),
            ]
        ),
        "machine_name": c_string(program.variant),
        "program": program_name(program),
        "x86_sets": ", ".join([*map(c_string, program.x86_sets), "NULL"]),
        "set_count": str(len(program.x86_sets)),
    }


def _several_sections(program: Program, sums: Sequence[int]) -> dict[str, str]:
    """Return what describes the programs among which the driver chooses."""
    names = [f"    &{program_name(variant)}," for variant in program.variants]
    if program.for_parts:
        return {"programs": "\n".join(names), **range_sections(program)}
    tables: list[str] = []
    expected: list[str] = []
    for variant, sum_ in zip(program.variants, sums, strict=not program.embeds_weights):
        # C has no empty tables; what is named and not counted is not read.
        parts = variant.weight_parts or ((0, 0),)
        name = f"parts_{variant.variant_name}"
        lines = (f"    {{{offset}, {size}}}," for offset, size in parts)
        opened = f"static const autodeploy_weights_part {name}[] = {{"
        tables.append("\n".join([opened, *lines, "};"]))
        count = len(variant.weight_parts)
        end = f"{name}, {count}, UINT64_C(0x{sum_:016x})"
        inner = indent(f"{_fingerprint(program)},\n    {end}", "    ")
        expected.append(f"    {{\n{inner}\n    }},")
    machines = ", ".join(variant.variant or "" for variant in program.variants)
    return {
        "programs": "\n".join(names),
        "machines": c_string(machines),
        "weight_parts": "\n\n".join(tables),
        "expected_weights": "\n".join(expected),
    }


def _steps(program: Program) -> str:
    numbers = () if program.device is None else program.device.run_numbers
    set_ = [
        f"    numbers[{place}].{kind} = ({_NUMBER_TYPES[kind]}){text};"
        for place, (text, kind) in enumerate(numbers)
    ]
    if set_:
        start = "    autodeploy_device_number *const numbers = autodeploy_device_numbers(device);"
        set_.insert(0, start)
    return _lines([*set_, _Statements(program).block(program.op.body.block)])


def _flags(program: Program) -> set[str]:
    steps = not program.variants and bool(_steps(program))
    return program_flags(program) | {"steps" if steps else "nothing_to_do"}


def _declaration(symbol: str, arity: int) -> str:
    parameters = ["const void *user_context", *["halide_buffer_t *"] * arity]
    return call_text(f"int {symbol}", parameters, "")


def _shapes(buffers: Sequence[Buffer]) -> Iterator[str]:
    tables: dict[str, Buffer] = {}
    for buffer in buffers:
        tables.setdefault(shape_name(*buffer.layout), buffer)
    for name, buffer in tables.items():
        shape, strides = buffer.layout
        dimensions = [
            f"{{0, {extent}, {stride}, 0}}"
            for extent, stride in zip(shape[::-1], strides[::-1], strict=True)
        ]
        if shape:
            line = f"static const halide_dimension_t {name}[] = {{"
            joined = f"{line}{', '.join(dimensions)}}};"
            yield (joined if len(joined) <= 100 else f"{line}\n    {wrap(dimensions, '    ')}}};")


def _halide_type(tensor: Tensor) -> str:
    """Return the initializer of the element type; a boolean is an unsigned integer of one bit."""
    name = "uint1" if tensor.dtype == "bool" else tensor.dtype
    kind = name.rstrip("0123456789")
    return f"{{halide_type_{kind}, {name.removeprefix(kind)}, 1}}"


def _place(buffer: Buffer, open_shape: int | None) -> str:
    """Return the entry of a buffer, with the number of its open shape where there are any."""
    tensor = buffer.tensor
    last = "" if open_shape is None else f", {open_shape}"
    return (
        f"    {{{_REGIONS[buffer.region]}, {buffer.offset}, {_halide_type(tensor)}, "
        f"{len(tensor.shape)}, {shape_name(*buffer.layout)}{last}}}, /* {buffer.label} */"
    )


def _shape_tables(kind: str, tensors: Sequence[Tensor]) -> Iterator[str]:
    for index, tensor in enumerate(tensors):
        if tensor.shape:
            extents = ", ".join(map(str, tensor.shape))
            yield f"static const int64_t {kind}_shape_{index}[] = {{{extents}}};"


def _infos(kind: str, prefix: str, tensors: Sequence[Tensor]) -> Iterator[str]:
    yield from _shape_tables(kind, tensors)
    if tensors:
        count = f"{prefix.upper()}_{kind.upper()}_COUNT"
        yield f"static const {prefix}_tensor_info {kind}_infos[{count}] = {{"
    for index, tensor in enumerate(tensors):
        shape = f"{kind}_shape_{index}" if tensor.shape else "NULL"
        dtype = f"{prefix.upper()}_{(STRING if tensor.cell else tensor.dtype).upper()}"
        yield (
            f"    {{{c_string(original_text(tensor.name))}, {dtype}, {len(tensor.shape)}, {shape}, "
            f"{tensor.bytes}}},"
        )
    if tensors:
        yield "};"


def _fingerprint(program: Program) -> str:
    numbers = [f"0x{byte:02x}" for byte in program.fingerprint()]
    rows = [", ".join(numbers[start : start + 8]) for start in (0, 8)]
    return f"    {{{rows[0]},\n     {rows[1]}}},\n    {program.data_bytes}"


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
                behind = f" + {bytes_}" if bytes_ else ""
                return (
                    f"{indent}/* another shape of the same bytes */\n"
                    f"{indent}{self._host(op.result)} = {self._host(op.source)}{behind};"
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


def _predict_body(program: Program) -> str:
    inputs, outputs = parameter_names(program)
    lines: list[str] = []
    for kind, qualifier, names in (
        ("inputs", "const void *const", inputs),
        ("outputs", "void *const", outputs),
    ):
        if names:
            lines.append(f"    {qualifier} {kind}[] = {{{wrap(names, '        ')}}};")
    given = "inputs" if inputs else "NULL"
    return "\n".join([*lines, f"    return {program.prefix}_run(context, {given}, outputs);"])
