"""The public header ``<model>.h`` of the generated C program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill as fill_text

from xdsl.dialects.builtin import ModuleOp

from autodeploy.analysis.memory_sizes import MemorySizes
from autodeploy.codegen.bundle.weight_file import HEADER_BYTES
from autodeploy.codegen.c.flags import program_flags
from autodeploy.codegen.c.memory_pools import pool_constants
from autodeploy.codegen.c.names import c_comment, unique_names
from autodeploy.codegen.c.open_shapes import (
    extent_constants,
    extent_macros,
    extent_text,
    max_rank,
    open_bytes,
)
from autodeploy.codegen.c.program import Program, Tensor
from autodeploy.codegen.c.read_program import read_program
from autodeploy.codegen.c.states import counted_numbers, state_lines, state_start
from autodeploy.codegen.c.template import fill
from autodeploy.dialects.memref import ALIGNMENT, aligned
from autodeploy.dialects.nn.stored import STORED_NAMES, element_bits
from autodeploy.frontend.names import original_text
from autodeploy.machine import Machine

C_TYPES = {
    "float64": "double", "float32": "float", "float16": "uint16_t", "bfloat16": "uint16_t",
    "int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t",
    "uint8": "uint8_t", "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t",
    "bool": "uint8_t",
    **dict.fromkeys(STORED_NAMES.values(), "uint8_t"),
}  # fmt: skip
"""The C type of one element, or of a byte of elements, as the caller passes it."""

STRING = "string"
"""The name of the types of strings, for all sizes of cells."""

SHOWN_KEYS = 32
"""The keys of columns that the header lists."""

LINE = 100
"""Columns that a generated line of code keeps to where names allow."""


def emit_header(module: ModuleOp) -> str:
    """Return the header of the module's program; raises ``UserError`` if it is not planned."""
    return header_text(read_program(module))


def header_text(program: Program, texts: Mapping[str, str] | None = None) -> str:
    """Return the header of a program; ``texts`` are those of the model about itself, by name."""
    sections = {
        "title": title(program),
        "interface": "\n".join(
            [
                *_listed("Inputs", program, program.inputs),
                *_listed("Outputs", program, program.outputs),
            ]
        ),
        "constants": _constants(program),
        "predict": predict_parameters(program),
        "texts": "\n".join(
            fill_text(
                c_comment(f"{name}: {' '.join(text.split())}"),
                LINE,
                initial_indent=" *     ",
                subsequent_indent=" *         ",
            )
            for name, text in (texts or {}).items()
        ),
        "nothing_left": "" if program.is_freestanding else " and nothing is left allocated",
    }
    counted = counted_numbers(program)
    if program.numbers:
        sections["extent_list"] = "\n".join(
            f" *     {macro}, the extent '{c_comment(original_text(number.label))}' of the network"
            + (", which follows from the state" if place in counted else "")
            + (f":\n *     {number.text}" if program.for_parts else "")
            for place, (number, macro) in enumerate(
                zip(program.numbers, extent_macros(program), strict=True)
            )
        )
    if program.states:
        sections["state_list"] = "\n".join(state_lines(program))
    flags = program_flags(program) | ({"texts"} if texts else set[str]())
    return fill("template_model.h", program.prefix, sections, flags)


def title(program: Program) -> str:
    """Return the sentence that says what the files of a program are about."""
    return f'The network "{c_comment(program.name)}".'


def arena_size(program: Program) -> int:
    """Return the bytes of the arena: whole steps of the alignment, never zero."""
    return state_start(program) + aligned(program.state_bytes)


def parameter_names(program: Program) -> tuple[list[str], list[str]]:
    """Return the names by which ``<model>_predict`` takes the inputs and the outputs."""
    names = unique_names(
        [*(f"in_{t.name}" for t in program.inputs), *(f"out_{t.name}" for t in program.outputs)]
    )
    return names[: len(program.inputs)], names[len(program.inputs) :]


def c_type(tensor: Tensor) -> str:
    """Return the C type of one element, of a byte of elements, or of a byte of a string."""
    return "char" if tensor.cell else C_TYPES[tensor.dtype]


def predict_parameters(program: Program) -> str:
    """Return the parameters of ``<model>_predict``."""
    inputs, outputs = parameter_names(program)
    parameters = [
        f"{program.prefix}_context *context",
        *(f"const {c_type(t)} *{name}" for t, name in zip(program.inputs, inputs, strict=True)),
        *(f"{c_type(t)} *{name}" for t, name in zip(program.outputs, outputs, strict=True)),
    ]
    return wrap(parameters)


def wrap(items: Sequence[str], indent: str = "    ", tail: int = 2) -> str:
    """Join ``items`` by commas, in lines that start with ``indent`` (the first one without).

    ``tail`` is the number of characters that follow the last one.
    """
    lines = [indent]
    for index, item in enumerate(items):
        text = item if index == len(items) - 1 else f"{item},"
        space = "" if lines[-1] == indent else " "
        room = LINE - (tail if index == len(items) - 1 else 0)
        if space and len(lines[-1]) + len(text) + 1 > room:
            lines.append(indent + text)
        else:
            lines[-1] += space + text
    return "\n".join(lines).removeprefix(indent)


def _listed(kind: str, program: Program, tensors: Sequence[Tensor]) -> list[str]:
    lines = [f" * {kind}:"]
    for index, tensor in enumerate(tensors):
        extents = list(map(str, tensor.shape))
        axes = {axis: own for axis, own in tensor.grown.items() if program.is_told(own)}
        most = ", at most" if len(tensor.open) > len(axes) else ""
        for axis, growth in axes.items():
            extents[axis] = extent_text(program, growth)
        shape = "x".join(extents) or "scalar"
        name, cells = tensor.dtype, ""
        if tensor.cell:
            name, cells = STRING, f", in cells of {tensor.cell} bytes"
        lines.append(f" *     {index}: {c_comment(tensor.name)}: {name} {shape}{most}{cells}")
        lines += _keys(tensor)
        if tensor.default is not None:
            lines.append(" *        NULL: the default of the model")
    return lines if tensors else []


def _keys(tensor: Tensor) -> list[str]:
    """Return lines that say what the keys of the columns are, where there are any."""
    if not tensor.keys:
        return []
    shown = [c_comment(original_text(str(key))) for key in tensor.keys[:SHOWN_KEYS]]
    rest = len(tensor.keys) - len(shown)
    text = ", ".join([*shown, f"and {rest} more, in manifest.json"] if rest else shown)
    given = f"each row is a map, the keys of its columns are {text}"
    indent = " *        "
    return fill_text(given, LINE, initial_indent=indent, subsequent_indent=indent).split("\n")


def memory_sizes(program: Program, machine: Machine | None, code: int | None) -> MemorySizes:
    """Return the memory of a program, whose kernels have ``code`` bytes of code."""
    weights = program.data_bytes if program.embeds_weights else HEADER_BYTES + program.data_bytes
    states = aligned(program.state_bytes)
    context = None
    if program.is_freestanding and machine is not None and "32" in machine.platform.split("-"):
        buffers, rest = _parts_of_context(program)
        context = buffers * (24 + 4 * 4) + 16 * 4 + rest
    arena = arena_size(program) - states
    pools = dict(program.pools)
    if pools:
        pools[list(pools)[-1]] -= states
    return MemorySizes(weights, arena, code, states, context, program.stack_bytes, pools)


def _context_bytes(program: Program) -> str:
    """Return C of a number of bytes that a context fits into; ``<model>.c`` checks it."""
    buffers, rest = _parts_of_context(program)
    return f"({buffers} * (24 + 4 * sizeof(void *)) + 16 * sizeof(void *) + {rest})"


def _parts_of_context(program: Program) -> tuple[int, int]:
    """Return the buffers of a context, and the bytes of its parts that are not pointers.

    A buffer has four pointers and 24 bytes; the rest are two messages, 16 pointers and small parts,
    and the extents of inputs and outputs whose size a run tells.
    """
    rest = 448 + (8 * len(program.outputs) * max_rank(program) if program.has_shapes else 0)
    rest += open_bytes(program) + 8 * (len(counted_numbers(program)) + len(program.pools))
    buffers = max(len(one.buffers) for one in program.variants or (program,))
    return buffers, rest


def _arena_comment(program: Program) -> str:
    if not program.states:
        return "memory for intermediate tensors"
    return f"memory for intermediate tensors, then {program.state_bytes} for the state"


def _constants(program: Program) -> str:
    upper = program.prefix.upper()
    tensors = (*program.inputs, *program.outputs)
    elements = [1 if t.cell else (element_bits(t.element) + 7) // 8 for t in tensors]
    weights = (
        (program.data_bytes, "linked in")
        if program.embeds_weights
        else (HEADER_BYTES + program.data_bytes, "the weight file, with its header")
    )
    described = [
        ("INPUT_COUNT", len(program.inputs), "tensors"),
        ("OUTPUT_COUNT", len(program.outputs), "tensors"),
        ("ARENA_BYTES", arena_size(program), _arena_comment(program)),
        ("ARENA_ALIGNMENT", ALIGNMENT, ""),
        ("WEIGHTS_BYTES", *weights),
        ("WEIGHTS_ALIGNMENT", ALIGNMENT, ""),
        ("TENSOR_ALIGNMENT", max(elements), "of every input and output"),
        ("MAX_THREADS", program.threads.count, "threads, not bytes"),
        ("OUTPUT_SHAPES", int(program.has_shapes), f"1: there is {program.prefix}_output_shape"),
        (
            "FLUSH_SUBNORMALS",
            int(program.flushes_subnormals),
            "1: flushed unless the options say otherwise",
        ),
        *extent_constants(program),
        *pool_constants(program),
    ]
    if program.for_machines:
        described.append(("MACHINE_COUNT", len(program.variants), "programs to choose from"))
    if program.is_freestanding:
        described.insert(4, ("CONTEXT_BYTES", _context_bytes(program), "for a static context"))
        described.insert(
            5,
            (
                "STACK_BYTES",
                program.stack_bytes,
                "of the stack for a run, by compilers that optimise",
            ),
        )
    return "\n".join(
        f"#define {upper}_{name} {value}" + (f" /* {comment} */" if comment else "")
        for name, value, comment in described
    )


def call_text(head: str, arguments: Sequence[str], indent: str) -> str:
    """Return ``head(arguments);`` on one line where it fits."""
    line = f"{indent}{head}({', '.join(arguments)});"
    if len(line) <= 100:
        return line
    inner = f"{indent}    "
    return f"{indent}{head}(\n{inner}{wrap(arguments, inner)});"
