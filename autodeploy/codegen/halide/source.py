"""Pipelines of the halide dialect as C++ text: one Halide generator each, in one file.

The file is what a person would write: algorithm, then schedule. Built with Halide's generator
program it makes the same kernels as ``halide_kernels`` makes in process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from autodeploy.codegen.c.names import c_comment, c_identifier, unique_name, unique_names
from autodeploy.codegen.halide.expressions import ExpressionWriter
from autodeploy.codegen.halide.tables import (
    ELEMENTS,
    STRICT_FLOAT,
    Argument,
    ConsumerLoop,
    Directive,
    Enumerator,
    Loop,
    Source,
    argument_hints,
    output_names,
    pipelines_of,
    schedule_of,
    unbounded_buffers,
    unknown_fields,
)
from autodeploy.dialects.halide.algorithm import FuncOp, UpdateOp
from autodeploy.dialects.halide.call_values import ExtentOp, StrideOp
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.tensor_cores import TensorCoresOp
from autodeploy.dialects.halide.types import buffer_type, steps_before
from autodeploy.machine.targets import KERNEL_FEATURES

_WIDTH = 100

HALIDE_NAMES = (
    "Argument", "BFloat", "Bool", "Buffer", "Expr", "Float", "Func", "FuncRef", "Generator",
    "GeneratorContext", "GeneratorParam", "HALIDE_REGISTER_GENERATOR", "Halide", "INFINITY",
    "INT32_MIN", "INT64_C", "INT64_MIN", "ImageParam", "Input", "Int", "Internal", "LoopLevel",
    "MemoryType", "NAN", "Output", "Param", "Partition", "Pipeline", "PrefetchBoundStrategy",
    "RDom", "RVar", "Stage", "TailStrategy", "Target", "Tuple", "Type", "UINT64_C", "UInt", "Var",
    "VarOrRVar", "abs", "acos", "add_input", "add_output", "add_requirement", "apply", "asin",
    "atan", "atomic", "bfloat16_t", "bound", "build_module", "build_pipeline", "call", "cast",
    "ceil", "clamp", "configure", "context", "cos", "count_leading_zeros", "create", "det", "erf",
    "exp", "f32", "f64", "fast_exp", "fast_log", "fast_pow", "float16_t", "floor", "fract",
    "generate", "get_input", "get_target", "halide", "i16", "i32", "i64", "i8", "is_finite",
    "is_inf", "is_nan", "j0", "j1", "jn", "kind", "lerp", "likely", "log", "max", "memoize_tag",
    "min", "mux", "name", "natural_vector_size", "pow", "print", "product", "reinterpret", "round",
    "schedule", "select", "set_inputs", "sin", "sqrt", "std", "strict_float", "sum", "tan", "tanh",
    "target", "trunc", "u16", "u32", "u64", "u8", "undef", "using_autoscheduler", "y0", "y1", "yn",
)  # fmt: skip
"""Names that mean something inside a generator, so that nothing else is called so."""

_PREAMBLE = """\
/* Halide generators: one for each kernel, first what it computes, then how.
 *
 * With Halide in $HALIDE (its include and lib64 folders), build and run this by
 *
 *     g++ -std=c++17 -I $HALIDE/include op_gen.cpp \\
 *         -L $HALIDE/lib64 -Wl,-rpath,$HALIDE/lib64 -lHalide_GenGen -lHalide -o op_gen
 *     ./op_gen -g {name} -f {name} -e object,c_header -o . \\
 *         target=host-{features}
 *
 * -g names the generator, -f the C function that is made. Where the comment of a generator says
 * "fast math", its target has no {strict}.
 */

#include "Halide.h"

using namespace Halide;

namespace {{
"""


def emit_source(source: ModuleOp | Iterable[PipelineOp]) -> str:
    """Return the C++ file of all pipelines of a module, or of those given, in order.

    Raises ``UnsupportedError`` for an op in a region that Halide has no spelling for.
    """
    pipelines = list(pipelines_of(source) if isinstance(source, ModuleOp) else source)
    registered = unique_names(p.sym_name.data for p in pipelines)
    classes = unique_names(map(_class_name, registered), HALIDE_NAMES)
    example = registered[0] if registered else "kernel"
    reserved = frozenset((*HALIDE_NAMES, *classes))
    parts = [
        _PREAMBLE.format(
            name=example, features="-".join((*KERNEL_FEATURES, STRICT_FLOAT)), strict=STRICT_FLOAT
        )
    ]
    for pipeline, name in zip(pipelines, classes, strict=True):
        parts.append("\n".join(_GeneratorWriter(pipeline, name, reserved).lines()))
    parts.append("}  // namespace\n")
    pairs = zip(classes, registered, strict=True)
    parts.append("\n".join(f"HALIDE_REGISTER_GENERATOR({c}, {name})" for c, name in pairs))
    return "\n".join(parts).rstrip("\n") + "\n"


def _class_name(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


class _GeneratorWriter:
    """Writes the generator of one pipeline; every C++ name in it is made here.

    None of them is one of ``reserved``, the names of the file.
    """

    def __init__(self, pipeline: PipelineOp, class_name: str, reserved: Set[str]):
        self._pipeline = pipeline
        self._class = class_name
        self._reserved = reserved
        self._taken: set[str] = set()
        self._directives, self._loops = schedule_of(pipeline)
        self._vars: dict[str, str] = {}
        self._rvars: dict[tuple[SSAValue, int, str], str] = {}
        self._new_rvars: list[str] = []
        self._names: dict[SSAValue, str] = {}
        # Variables keep their names before buffers and funcs do: one reads them most often.
        for op in pipeline.body.block.ops:
            for name in op.var_names if isinstance(op, FuncOp) else ():
                self._var(name)
        outputs = output_names(pipeline)
        arguments = (*pipeline.inputs, *pipeline.outputs)
        for value, hint in zip(arguments, argument_hints(pipeline), strict=True):
            self._names[value] = self._fresh(hint, "_buffer")
        for op in pipeline.body.block.ops:
            if isinstance(op, FuncOp):
                buffer = outputs.get(op.result)
                name = self._names[buffer] if buffer else self._fresh(op.func_name.data, "_func")
                self._names[op.result] = name

    def _fresh(self, hint: str, suffix: str = "") -> str:
        plain = c_identifier(hint)
        if suffix and (plain in self._reserved or plain in self._taken):
            hint = f"{plain}{suffix}"
        name = unique_name(hint, self._reserved, self._taken)
        self._taken.add(name)
        return name

    def _fresh_value(self, hint: str) -> str:
        return self._fresh(f"{hint}_value" if c_identifier(hint) in HALIDE_NAMES else hint)

    def _var(self, name: str) -> str:
        if name not in self._vars:
            self._vars[name] = self._fresh(name)
        return self._vars[name]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the class."""
        config = self._pipeline.config
        words = [] if config is None else [c_comment(config.template_name)]
        words += ["fast math"] if self._pipeline.fast_math else []
        if words:
            # A backslash at its end would make the next line a comment, too.
            yield f"// {', '.join(words)}".rstrip("\\")
        yield f"class {self._class} : public Generator<{self._class}> {{"
        yield "public:"
        for kind, values in (("Input", self._pipeline.inputs), ("Output", self._pipeline.outputs)):
            for value in values:
                name, type_ = self._names[value], buffer_type(value)
                element = ELEMENTS[type_.element].cpp
                yield f'    {kind}<Buffer<{element}, {len(type_.extents)}>> {name}{{"{name}"}};'
        yield ""
        yield "    void generate() {"
        sections = (self._algorithm(), self._bounds(), self._schedule())
        for index, section in enumerate(section for section in sections if section):
            yield from [""] * bool(index)
            yield from (f"        {line}" for line in section)
        yield "    }"
        yield "};"
        yield ""

    def _algorithm(self) -> list[str]:
        """Return the definitions of the funcs."""
        outputs = output_names(self._pipeline)
        lines = ["// Algorithm.", *_declarations("Var", self._vars)]
        inner: dict[str, str] = {}
        for op in self._pipeline.body.block.ops:
            if isinstance(op, FuncOp) and op.result not in outputs:
                inner[op.func_name.data] = self._names[op.result]
        lines += _declarations("Func", inner)
        writer = ExpressionWriter(self._names, self._fresh_value)
        stages: dict[SSAValue, int] = {}
        for op in self._pipeline.body.block.ops:
            if isinstance(op, FuncOp):
                point = [self._var(name) for name in op.var_names]
                lines += writer.statements(op.result, len(point), point, op.body.block)
            elif isinstance(op, UpdateOp):
                stages[op.func] = stages.get(op.func, 0) + 1
                point = [self._var(name) for name in op.var_names]
                declared, reductions = self._domain(op, stages[op.func], writer)
                lines += declared
                block = op.body.block
                lines += writer.statements(op.func, len(point), [*point, *reductions], block)
        return [part for line in lines for part in _wrapped(line)]

    def _domain(
        self, op: UpdateOp, stage: int, writer: ExpressionWriter
    ) -> tuple[list[str], list[str]]:
        """Return the declaration of a reduction domain, and the C++ names of its variables."""
        domain = self._fresh("domain")
        ends = {name: writer.text(end) for name, end in op.ends_by_name.items()}
        ranges = ", ".join(f"{low}, {ends.get(name, extent)}" for name, low, extent in op.rdom)
        names: list[str] = []
        for name, _, _ in op.rdom:
            names.append(self._fresh(name))
            self._rvars[op.func, stage, name] = names[-1]
        variables = ", ".join(f"{name} = {domain}[{i}]" for i, name in enumerate(names))
        return [f"RDom {domain}({ranges});", f"RVar {variables};"], names

    @property
    def _parts(self) -> dict[SSAValue, list[str]]:
        """Return, by output, the calls that let its func compute no elements before the first."""
        return {
            buffer: [
                f"{self._names[buffer]}.bound({self._var(name)}, 0, {extent});"
                for name, extent in zip(
                    func.owner.var_names, buffer_type(buffer).extents, strict=True
                )
            ]
            for func, buffer in output_names(self._pipeline).items()
            if isinstance(func.owner, FuncOp)
        }

    def _bounds(self) -> list[str]:
        """Return the statements that tell Halide the extents and strides it may know."""
        lines: list[str] = []
        unbounded = unbounded_buffers(self._pipeline)
        strides = unknown_fields(self._pipeline, StrideOp)
        extents = unknown_fields(self._pipeline, ExtentOp)
        values = (*self._pipeline.inputs, *self._pipeline.outputs)
        for value, first in zip(values, self._pipeline.first_elements, strict=True):
            type_ = buffer_type(value)
            before = steps_before(type_, first)
            for index, (extent, stride) in enumerate(
                zip(type_.extents, type_.strides, strict=True)
            ):
                known = f".set_bounds({-before[index]}, {extent + before[index]})"
                if value in unbounded:
                    known = ""
                elif (value, index) in extents or self._pipeline.is_open(value, index):
                    known = ".set_min(0)"
                brought = self._pipeline.is_strided_by_call(value, index)
                if not brought and (value, index) not in strides:
                    known += f".set_stride({stride})"
                if known:
                    lines.append(f"{self._names[value]}.dim({index}){known};")
            lines += self._parts.get(value, ()) if first else ()
        return ["// Extents and strides that are constants.", *lines] if lines else []

    def _schedule(self) -> list[str]:
        """Return the scheduling calls, those for one stage in a row as one statement."""
        known = set(self._vars)
        groups: list[tuple[str, list[str]]] = []
        for directive in self._directives:
            call = self._call(directive)
            target = self._names[directive.func]
            if directive.stage:
                number = "" if directive.stage == 1 else directive.stage - 1
                target += f".update({number})"
            if not groups or groups[-1][0] != target:
                groups.append((target, []))
            groups[-1][1].append(call)
        notes = [
            f"// Tensor cores compute {self._names[op.func]}, from factors of {op.element.data}."
            for op in self._pipeline.walk()
            if isinstance(op, TensorCoresOp)
        ]
        if not groups:
            return notes
        new = {name: var for name, var in self._vars.items() if name not in known}
        lines = ["// Schedule.", *notes, *_declarations("Var", new)]
        lines += _declarations("RVar", {v: v for v in self._new_rvars})
        for target, calls in groups:
            head = f"{target}.{calls[0]}"
            rest = [f"    .{call}" for call in calls[1:]]
            lines += [head, *rest]
            lines[-1] += ";"
        return lines

    def _call(self, directive: Directive) -> str:
        texts = [self._argument(directive, argument) for argument in directive.arguments]
        return f"{directive.method}({', '.join(texts)})"

    def _argument(self, directive: Directive, argument: Argument) -> str:
        match argument:
            case Loop(name=name):
                return self._loop(directive.func, directive.stage or 0, name)
            case ConsumerLoop(func=func, name=name):
                loop = self._loop(func, self._loops.stage_of(func, name), name)
                return f"{self._names[func]}, {loop}"
            case Enumerator(enumeration=enumeration, name=name):
                return f"{enumeration}::{name}"
            case Source(value=value):
                return self._names[value]
            case int():
                return str(argument)

    def _loop(self, func: SSAValue, stage: int, name: str) -> str:
        key = (func, stage, name)
        if key not in self._rvars:
            if not self._loops.is_reduction(*key):
                return self._var(name)
            self._rvars[key] = self._fresh(name)
            self._new_rvars.append(self._rvars[key])
        return self._rvars[key]


def _declarations(kind: str, names: Mapping[str, str]) -> list[str]:
    """Return one declaration of Halide objects: their names in Halide, and in C++."""
    if not names:
        return []
    parts = [f'{cpp}("{c_identifier(name)}")' for name, cpp in names.items()]
    return _filled(f"{kind} ", parts)


def _filled(start: str, parts: list[str]) -> list[str]:
    """Return ``start part, part, …;`` over as many lines as it takes."""
    lines = [start + parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 12 > _WIDTH:
            lines[-1] += ","
            lines.append(" " * len(start) + part)
        else:
            lines[-1] += f", {part}"
    lines[-1] += ";"
    return lines


def _wrapped(line: str) -> list[str]:
    """Return a definition as one line, or as two where one would be too long."""
    if len(line) + 8 <= _WIDTH:
        return [line]
    left, sign, right = re.split(r"( \+?= )", line, maxsplit=1)
    return [left + sign.rstrip(), f"    {right}"]
