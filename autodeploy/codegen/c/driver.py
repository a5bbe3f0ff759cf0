"""The driver ``<model>.c`` of the generated C program: buffers in place, kernels in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import indent

from xdsl.dialects.builtin import ModuleOp

from autodeploy.codegen.c.callers import callers_text, defaults_lines
from autodeploy.codegen.c.device import device_sections, label_section
from autodeploy.codegen.c.flags import program_flags
from autodeploy.codegen.c.header import (
    STRING,
    call_text,
    parameter_names,
    predict_parameters,
    title,
    wrap,
)
from autodeploy.codegen.c.memory_pools import pool_sections
from autodeploy.codegen.c.names import c_comment, c_string
from autodeploy.codegen.c.open_shapes import (
    OpenShapes,
    max_rank,
    range_sections,
    shape_name,
    shape_tables_prefix,
)
from autodeploy.codegen.c.program import Buffer, Program, Tensor
from autodeploy.codegen.c.read_program import read_program
from autodeploy.codegen.c.statements import statements
from autodeploy.codegen.c.states import state_sections
from autodeploy.codegen.c.template import fill
from autodeploy.frontend.names import original_text

_REGIONS = {
    "caller": "IN_CALLER",
    "weights": "IN_WEIGHTS",
    "state": "IN_STATE",
    "arena": "IN_ARENA",
}


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
        "on_processor": ", ".join("0" if only else "1" for only in program.only_transferred),
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
        **label_section(program.device),
        **(device_sections(program.device) if program.variant is None else {}),
        **range_sections(program),
        "steps": statements(program),
    }
    if program.variant is None:
        return sections
    return sections | {
        "variant": c_comment(program.variant),
        "own_shapes": "\n".join(
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
    device = device_sections(program.device, merged=True)
    if program.for_parts:
        return {"programs": "\n".join(names), **device, **range_sections(program)}
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
        **device,
        **range_sections(program),
        "machines": c_string(machines),
        "weight_parts": "\n\n".join(tables),
        "expected_weights": "\n".join(expected),
    }


def _flags(program: Program) -> set[str]:
    steps = not program.variants and bool(statements(program))
    return program_flags(program) | ({"steps"} if steps else set[str]())


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
