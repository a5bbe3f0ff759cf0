"""``autodeploy-opt``: read a module, run passes over it, write it.

xDSL's opt tool with a flag for each pass, models as input, weight files next to the text,
errors that name their place, and MLIR's ``--verify-diagnostics``.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.universe import Universe
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.diagnostic import Diagnostic
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from autodeploy.diagnostics import UserError, did_you_mean, io_errors, visible
from autodeploy.frontend.stage_text import read_weights
from autodeploy.frontend.text_places import LocatingParser, SourceMap
from autodeploy.tools.model_options import MODEL_OPTIONS, read_model_options
from autodeploy.tools.model_warnings import warnings_in_lines
from autodeploy.tools.opt.arguments import OptArgumentParser, add_arguments
from autodeploy.tools.opt.diagnostics import TOOL, Report, report_of
from autodeploy.tools.opt.flags import split_pass_flags, with_two_dashes
from autodeploy.tools.opt.options import build_passes, check_pass_name, passes_of_level
from autodeploy.tools.opt.pipeline import (
    Dumps,
    PassError,
    Pipeline,
    Timing,
    pipeline_text,
    reproducer_text,
    requests_of,
)
from autodeploy.tools.opt.weights import WeightsOutput
from autodeploy.tools.whole_files import write_whole

if TYPE_CHECKING:
    from autodeploy.tools.opt.expected import Expectation

_SEPARATOR = re.compile(rb"^// -----[ \t]*\r?\n", re.MULTILINE)


@dataclass(frozen=True)
class Chunk:
    """A part of the input; the text starts with as many empty lines as the file has before it."""

    data: bytes
    first_line: int = 1

    def stream(self) -> IO[bytes]:
        """Return the text for a parser, each line at its number in the file."""
        return BytesIO(b"\n" * (self.first_line - 1) + self.data)


class AutodeployOptMain(xDSLOptMain):
    """The tool as an object: make it with the arguments, then call ``execute``.

    Making it raises ``UserError`` for arguments that are wrong.
    """

    def __init__(self, args: Sequence[str]):
        self.universe = Universe.get_multiverse()
        self.available_frontends = {}
        self.available_passes = dict(self.universe.all_passes)
        self.available_targets = dict(self.universe.all_targets)
        self.ctx = Context()
        for name, dialect in self.universe.all_dialects.items():
            self.ctx.register_dialect(name, dialect)
        self.register_all_frontends()
        self.source = SourceMap()
        self.timing = Timing()

        arg_parser = OptArgumentParser(self._pass_help)
        self.register_all_arguments(arg_parser)
        flags = {f"--{name}" for name in self.available_passes}
        args = with_two_dashes(args, flags | arg_parser.long_options())
        requests, rest = split_pass_flags(args, self.available_passes)
        self.args = arg_parser.read(rest, self.available_passes)
        self.ctx.allow_unregistered = self.args.allow_unregistered_dialect
        Diagnostic.colored = self.args.syntax_highlight
        self._check_target()
        self.given = read_model_options({name: getattr(self.args, name) for name in MODEL_OPTIONS})
        if self.given["operators"] is not None:  # MLIR text may have them, too
            from autodeploy.frontend.onnx.foreign_operators import give_operators

            give_operators(self.ctx, Path(self.given["operators"]))
        for name in (*self.args.print_ir_before, *self.args.print_ir_after):
            check_pass_name(name, self.available_passes)
        dumps = Dumps(
            before_all=self.args.print_ir_before_all,
            after_all=self.args.print_ir_after_all,
            before=self.args.print_ir_before,
            after=self.args.print_ir_after,
            generic=self.args.print_op_generic,
            debuginfo=self.args.print_debuginfo,
        )
        chosen = self.args.level, self.args.machine, self.args.begin, self.args.end
        if self.args.run_reproducer:
            requests = [*requests_of(self._input_path), *requests]
        passes = passes_of_level(*chosen) + build_passes(requests, self.available_passes)
        reproduce = None if self.args.reproducer is None else self._reproduce
        self.runner = Pipeline(passes, dumps, self.timing, not self.args.disable_verify, reproduce)

    def output_resulting_program(self, prog: ModuleOp) -> str:
        """Return the text of a module, without the empty line that xDSL adds to MLIR."""
        text = super().output_resulting_program(prog)
        return text.rstrip("\n") + "\n" if self.args.target.startswith("mlir") else text

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        """Register the options other than passes."""
        add_arguments(arg_parser, self.available_frontends, self.available_targets)

    def register_all_frontends(self) -> None:
        """Register what reads a module, by file extension."""
        self.available_frontends["mlir"] = self._parse_mlir
        self.available_frontends["onnx"] = self._import_model
        self.available_frontends["pdll"] = self._expand_pdll
        self.available_frontends["tmfile"] = self._import_model

    def run(self) -> NoReturn:
        """Do what the arguments say and exit the process."""
        sys.exit(self.execute())

    def execute(self) -> int:
        """Do what the arguments say; return the exit code.

        Errors in the input are reported to stderr; errors about files raise ``UserError``.
        """
        args = self.args
        if args.list_passes:
            from autodeploy.tools.opt.help import pass_list

            print(pass_list(self.available_passes), end="")
        elif args.show_dialects:
            print("Available Dialects:", ",".join(sorted(self.ctx.registered_dialect_names)))
        elif args.print_pass_order:
            from autodeploy.passes.fusion.order import explain_order

            print("\n".join(explain_order(self.ctx)))
        else:
            if args.dump_pass_pipeline:
                print(pipeline_text(self.runner.passes), file=sys.stderr)
            failed = self._process_input()
            if args.time_passes:
                print(self.timing.table(), file=sys.stderr, end="")
            return int(failed)
        return 0

    def _process_input(self) -> bool:
        """Process every chunk; return whether something went wrong."""
        kind, chunks = self._read_chunks()
        expected = self._expectations(kind, chunks)
        weights = self._weights_output()
        texts: list[str] = []
        failed = False
        for index, chunk in enumerate(chunks):
            if index > 0:
                self._emit("// -----\n", texts)
            self.source = SourceMap()
            try:
                self._emit(self._process(kind, chunk, weights), texts)
                found = []
            except (ParseError, DiagnosticException, PassError) as error:
                report = report_of(error, self.source, self.ctx)
                found = [report]
                if expected is None:
                    failed |= not self._tolerate(error, report)
            if expected is not None:
                failed |= _compare(expected[index], found)
        if failed:
            return True
        save = weights.save if weights else lambda: None
        if self._output_path is None:
            save()
        else:
            write_whole(self._output_path, "".join(texts), save)
        return False

    def _process(self, kind: str, chunk: Chunk, weights: WeightsOutput | None) -> str:
        with self.timing.measure("Parser" if kind == "mlir" else "Importer"):
            module = self.available_frontends[kind](chunk.stream())
            if kind == "mlir":
                path = self._input_path
                folder = None if path is None else path.parent
                read_weights(self.ctx, module, folder, self._weights_path)
        self.runner.run(self.ctx, module)
        with self.timing.measure("Output"):
            if weights is not None:
                weights.add(module)
            return self.output_resulting_program(module)

    def _emit(self, text: str, texts: list[str]) -> None:
        if self._output_path is None:
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            texts.append(text)

    def _reproduce(self, step: ModulePass, module: ModuleOp) -> None:
        path = Path(self.args.reproducer)
        weights = WeightsOutput(self.ctx, path, None)
        weights.add(module)
        write_whole(path, reproducer_text(step, str(module)), weights.save)

    def _tolerate(self, error: Exception, report: Report) -> bool:
        """Print an error where no comments say what to expect; return whether it may be."""
        syntax = isinstance(error, ParseError)
        if not (self.args.parsing_diagnostics if syntax else self.args.verify_diagnostics):
            print(report, file=sys.stderr)
            return False
        cause = error.cause if isinstance(error, PassError) else error
        notes: Sequence[str] = getattr(cause, "__notes__", ())
        print(report, *(visible(note, "\n\t") for note in notes), sep="\n")
        return True

    def _read_chunks(self) -> tuple[str, list[Chunk]]:
        path, name = self._input_path, self.get_input_name()
        kind = self.args.frontend or ("mlir" if path is None else path.suffix.removeprefix("."))
        if kind not in self.available_frontends and path is not None:
            kind = self._kind_by_content(path) or kind
        if kind not in self.available_frontends:
            *others, last = [f"'.{extension}'" for extension in self.available_frontends]
            known = f"{', '.join(others)} or {last}"
            raise UserError(
                f"the name of input '{name}' does not end in {known}; give its kind with -f"
            )
        is_model = kind in ("onnx", "tmfile")
        for option in MODEL_OPTIONS:
            if getattr(self.args, option) and not is_model and option != "operators":
                raise UserError(f"option '--{option}' is for models, and the input is MLIR text")
        if is_model and path is not None:
            return kind, [Chunk(b"")]  # the importer maps the file itself
        with io_errors(f"cannot read '{name}'"):
            data = sys.stdin.buffer.read() if path is None else path.read_bytes()
        if is_model:
            return kind, [Chunk(data)]
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            raise UserError(f"input '{name}' is not UTF-8 text") from None
        return kind, list(_split(data)) if self.args.split_input_file else [Chunk(data)]

    def _expectations(self, kind: str, chunks: list[Chunk]) -> list[list[Expectation]] | None:
        """Return what each chunk's comments expect; ``None`` if there is nothing to compare."""
        if not self.args.verify_diagnostics or kind != "mlir":
            return None
        from autodeploy.tools.opt.expected import expectations

        name = self.get_input_name()
        expected = [expectations(c.data.decode(), name, c.first_line) for c in chunks]
        return expected if any(expected) else None

    def _weights_output(self) -> WeightsOutput | None:
        given, output = self._weights_path, self._output_path
        if self.args.target.partition("{")[0] != "mlir" or (given is None and output is None):
            return None
        return WeightsOutput(self.ctx, output, given)

    def _parse_mlir(self, stream: IO[bytes]) -> ModuleOp:
        text, name = stream.read(), self.get_input_name()
        parser = LocatingParser(self.ctx, text, name, self.source, self.args.print_debuginfo)
        try:
            module = parser.parse_module(not self.args.no_implicit_module)
        except (ValueError, NotImplementedError, RecursionError) as error:
            # xDSL's answer to some malformed texts
            raise UserError(str(error)) from error
        self.source.parsing = None
        return module

    def _kind_by_content(self, path: Path) -> str | None:
        from autodeploy.frontend.tmfile.file import starts_like_tmfile

        return "tmfile" if starts_like_tmfile(path) else None

    def _import_model(self, stream: IO[bytes]) -> ModuleOp:
        from autodeploy.frontend.models import import_any_model

        source = self._input_path or stream.read()
        return import_any_model(self.ctx, source, **self.given)

    def _expand_pdll(self, stream: IO[bytes]) -> ModuleOp:
        from autodeploy.passes.fusion.pdll.expand import expand_pdll

        path = self._input_path
        folder = None if path is None else path.parent
        sources = expand_pdll(self.ctx, stream.read().decode(), self.get_input_name(), folder)
        return ModuleOp([source.op for source in sources])

    def _check_target(self) -> None:
        try:
            spec = parse_spec(self.args.target)
        except ArgSpecParseError:
            raise UserError(
                f"malformed target '{self.args.target}', expected a name, then options in braces"
            ) from None
        if spec.name not in self.available_targets:
            known = ", ".join(sorted(self.available_targets))
            hint = did_you_mean(spec.name, self.available_targets)
            raise UserError(f"unknown target '{spec.name}'{hint}; known are {known}")
        if spec.parameters or spec.name != "mlir":
            try:
                self.universe.all_targets[spec.name]().from_spec(spec)
            except ValueError as error:
                raise UserError(f"target '{spec.name}': {error}") from None

    def get_input_name(self) -> str:
        """Return the input's name for messages."""
        return self.args.input_file if self._input_path is not None else "<stdin>"

    @property
    def _input_path(self) -> Path | None:
        return Path(self.args.input_file) if self.args.input_file not in (None, "-") else None

    @property
    def _output_path(self) -> Path | None:
        return Path(self.args.output_file) if self.args.output_file not in (None, "-") else None

    @property
    def _weights_path(self) -> Path | None:
        return None if self.args.weights is None else Path(self.args.weights)

    def _pass_help(self) -> str:
        from autodeploy.tools.opt.help import pass_help

        return pass_help(self.available_passes)


def _split(data: bytes) -> Iterator[Chunk]:
    line = 1
    for part in _SEPARATOR.split(data):
        yield Chunk(part, line)
        line += part.count(b"\n") + 1


def _compare(expected: list[Expectation], found: list[Report]) -> bool:
    from autodeploy.tools.opt.expected import mismatches

    wrong = mismatches(expected, found)
    for report in wrong:
        print(report, file=sys.stderr)
    return bool(wrong)


def run(args: Sequence[str]) -> int:
    """Run the tool; return the exit code, having printed what the user did wrong."""
    try:
        with warnings_in_lines(TOOL):
            return AutodeployOptMain(args).execute()
    except UserError as error:
        print(Report(str(error)), file=sys.stderr)
    except BrokenPipeError:  # the reader of stdout has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
