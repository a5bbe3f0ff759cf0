"""The driver ``<model>.c`` of the generated C program: buffers in place, kernels in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp

from autodeploy.codegen.c.header import (
    parameter_names,
    predict_parameters,
    title,
    wrap,
)
from autodeploy.codegen.c.names import c_comment, c_string
from autodeploy.codegen.c.program import (
    Alias,
    Buffer,
    Call,
    Choice,
    Copy,
    Loop,
    Program,
    Row,
    Scratch,
    Step,
    Tensor,
)
from autodeploy.codegen.c.read_program import read_program
from autodeploy.codegen.c.template import fill
from autodeploy.dialects.strides import is_row_major
from autodeploy.frontend.names import original_text

_REGIONS = {"caller": "IN_CALLER", "weights": "IN_WEIGHTS", "arena": "IN_ARENA"}


def emit_driver(module: ModuleOp) -> str:
    """Return the driver of the module's program; raises ``UserError`` where it is not planned."""
    return driver_text(read_program(module))


def driver_text(program: Program) -> str:
    """Return the driver of a program."""
    sections = {
        "title": title(program),
        "kernels": "\n".join(_declaration(*item) for item in program.arities.items()),
        "buffers": "".join(f"    {buffer.label},\n" for buffer in program.buffers)
        + "    BUFFER_COUNT",
        "shapes": "\n".join(_shapes(program.buffers)),
        "places": "\n".join(map(_place, program.buffers)),
        "infos": "\n".join(
            [
                *_infos("input", program.prefix, program.inputs),
                *_infos("output", program.prefix, program.outputs),
            ]
        ),
        "fingerprint": _fingerprint(program),
        "x86_sets": ", ".join(map(c_string, program.x86_sets)),
        "thread_scratch": str(program.threads.scratch_bytes or 0),
        "steps": _steps(program.steps, "    "),
        "callers": "\n".join(_callers(program)),
        "predict": predict_parameters(program),
        "predict_body": _predict_body(program),
    }
    conditions = {
        "steps": bool(program.steps),
        "nothing_to_do": not program.steps,
        "calls": bool(program.arities or program.functions),
        "library": bool(program.functions),
        "inputs": bool(program.inputs),
        "pool": program.threads.has_pool,
        "scratch": program.has_scratch,
        "x86": bool(program.x86_sets),
        "exchange": program.has_exchange,
        "embedded": program.embeds_weights,
        "weight_file": not program.embeds_weights,
    }
    flags = {name for name, holds in conditions.items() if holds}
    return fill("template_model.c", program.prefix, sections, flags)


def _declaration(symbol: str, arity: int) -> str:
    parameters = ["const void *user_context", *["halide_buffer_t *"] * arity]
    return _call(f"int {symbol}", parameters, "")


def _call(head: str, arguments: Sequence[str], indent: str) -> str:
    """Return ``head(arguments);`` on one line where it fits."""
    line = f"{indent}{head}({', '.join(arguments)});"
    if len(line) <= 100:
        return line
    inner = f"{indent}    "
    return f"{indent}{head}(\n{inner}{wrap(arguments, inner)});"


def shape_name(shape: Sequence[int], strides: Sequence[int]) -> str:
    """Return the name of the table that describes a layout, given outermost extent first."""
    name = f"shape_{'x'.join(map(str, shape))}" if shape else "NULL"
    if is_row_major(shape, strides):
        return name
    return f"{name}_by_{'x'.join(map(str, strides))}"


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


def _place(buffer: Buffer) -> str:
    tensor = buffer.tensor
    return (
        f"    {{{_REGIONS[buffer.region]}, {buffer.offset}, {_halide_type(tensor)}, "
        f"{len(tensor.shape)}, {shape_name(*buffer.layout)}}}, /* {buffer.label} */"
    )


def _infos(kind: str, prefix: str, tensors: Sequence[Tensor]) -> Iterator[str]:
    for index, tensor in enumerate(tensors):
        if tensor.shape:
            extents = ", ".join(map(str, tensor.shape))
            yield f"static const int64_t {kind}_shape_{index}[] = {{{extents}}};"
    if tensors:
        count = f"{prefix.upper()}_{kind.upper()}_COUNT"
        yield f"static const {prefix}_tensor_info {kind}_infos[{count}] = {{"
    for index, tensor in enumerate(tensors):
        shape = f"{kind}_shape_{index}" if tensor.shape else "NULL"
        dtype = f"{prefix.upper()}_{tensor.dtype.upper()}"
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


def _nodes(nodes: Sequence[str], indent: str) -> str:
    return f"{indent}/* {c_comment(', '.join(nodes))} */\n" if nodes else ""


def _steps(steps: Sequence[Step], indent: str) -> str:
    return "\n".join(_step(step, indent) for step in steps)


def _step(step: Step, indent: str) -> str:
    match step:
        case Alias():
            behind = f" + {step.offset}" if step.offset else ""
            return (
                f"{indent}/* another shape of the same bytes */\n"
                f"{indent}buffers[{step.view}].host = buffers[{step.source}].host{behind};"
            )
        case Copy():
            arguments = [
                f"buffers[{step.target}].host",
                f"buffers[{step.source}].host",
                str(step.bytes),
            ]
            return _nodes(step.nodes, indent) + _call("memcpy", arguments, indent)
        case Call():
            arguments = [
                "runtime",
                *(f"&buffers[{label}]" for label in step.operands),
                *map(str, step.parameters),
            ]
            return (
                _nodes(step.nodes, indent)
                + _working_memory(step.scratch, indent)
                + _call(f"code = {step.symbol}", arguments, indent)
                + f"\n{indent}if (code != 0) {{\n"
                + f"{indent}    return kernel_failed(context, {c_string(step.symbol)}, code);\n"
                + f"{indent}}}"
            )
        case Row():
            row = _counter(step.depth)
            if step.backwards is not None:
                row = f"({step.backwards} - {row})"
            return (
                f"{indent}buffers[{step.view}].host = "
                f"buffers[{step.source}].host + {row} * {step.bytes};"
            )
        case Loop():
            return _loop(step, indent)
        case Choice():
            inner = f"{indent}    "
            lines = [f"{indent}if ({_holds(step.condition)}) {{", _steps(step.then, inner)]
            if step.otherwise:
                lines += [f"{indent}}} else {{", _steps(step.otherwise, inner)]
            return "\n".join([*(line for line in lines if line), f"{indent}}}"])


def _loop(loop: Loop, indent: str) -> str:
    step, inner = _counter(loop.depth), f"{indent}    "
    tests = [] if loop.limit is None else [f"{step} < {loop.limit}"]
    if loop.trips is not None:
        tests.append(f"{step} < {_number(loop.trips)}")
    if loop.condition is not None:
        tests.append(_holds(loop.condition))
    first = f"{indent}for (int64_t {step} = 0; {' && '.join(tests)}; ++{step}) {{"
    if len(first) > 100:
        joined = f"\n{indent}         && ".join(tests)
        first = (
            f"{indent}for (int64_t {step} = 0;\n{indent}     {joined};\n{indent}     ++{step}) {{"
        )
    lines = [first]
    if loop.counter is not None:
        lines.append(f"{inner}*(int64_t *)(void *)buffers[{loop.counter}].host = {step};")
    lines.append(_steps(loop.steps, inner))
    lines += [f"{inner}exchange(&buffers[{a}], &buffers[{b}]);" for a, b in loop.exchanged]
    return "\n".join([*(line for line in lines if line), f"{indent}}}"])


def _counter(depth: int) -> str:
    return f"step_{depth}"


def _number(label: str) -> str:
    return f"*(const int64_t *)(const void *)buffers[{label}].host"


def _holds(label: str) -> str:
    return f"*buffers[{label}].host != 0"


def _working_memory(scratch: Scratch | None, indent: str) -> str:
    if scratch is None:
        return ""
    place = f"context->arena + {scratch.offset}" if scratch.offset else "context->arena"
    arguments = ["runtime", place, str(scratch.bytes)]
    return _call("autodeploy_runtime_work_in", arguments, indent) + "\n"


def _callers(program: Program) -> Iterator[str]:
    labels = [b.label for b in program.buffers[: len(program.inputs) + len(program.outputs)]]
    for index, label in enumerate(labels):
        array, at = "inputs", index
        if index >= len(program.inputs):
            array, at = "outputs", index - len(program.inputs)
        yield f"    context->buffers[{label}].host = address({array}[{at}]);"


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
