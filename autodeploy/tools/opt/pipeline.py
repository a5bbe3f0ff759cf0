"""Running passes one after the other, with the dumps and the timing that were asked for."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer
from xdsl.utils.exceptions import DiagnosticException

from autodeploy.diagnostics import UserError
from autodeploy.tools.opt.flags import PassRequest, parse_anchored

_RULE = "===" + "-" * 73 + "==="


@dataclass
class Timing:
    """Wall time by task, in seconds, in the order of the first time."""

    spans: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    started: float = field(default_factory=time.perf_counter)

    @contextmanager
    def measure(self, name: str) -> Generator[None]:
        """Add the time that the block takes, also where it raises."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.spans.append((name, time.perf_counter() - start))

    def table(self) -> str:
        """Return the report: a line a pass in the order of running, the verifier's runs as one."""
        total = max(time.perf_counter() - self.started, 1e-9)
        rows = [(name, span) for name, span in self.spans if name != VERIFIER]
        rows.append((VERIFIER, sum(span for name, span in self.spans if name == VERIFIER)))
        rows.append(("Rest", max(total - sum(span for _, span in rows), 0.0)))
        rows.append(("Total", total))
        lines = [
            _RULE,
            "... Execution time report ...".center(len(_RULE)).rstrip(),
            _RULE,
            f"  Total Execution Time: {total:.4f} seconds",
            "",
            "  ----Wall Time----  ----Name----",
            *(f"  {span:9.4f} ({100 * span / total:5.1f}%)  {name}" for name, span in rows),
        ]
        return "\n".join(lines) + "\n"


VERIFIER = "Verifier"

_START = "// configuration: --pass-pipeline="
"""The beginning of a text that repeats the failure of a pass."""


@dataclass(frozen=True)
class Dumps:
    """Which states of the IR are written to stderr, and how."""

    before_all: bool = False
    after_all: bool = False
    before: Collection[str] = ()
    after: Collection[str] = ()
    generic: bool = False
    debuginfo: bool = False

    def print(self, when: str, pass_: ModulePass, module: ModuleOp) -> None:
        """Write the module to stderr under MLIR's banner."""
        banner = f"// -----// IR Dump {when} ({pass_.name}) //----- //"
        print(banner, file=sys.stderr)
        printer = Printer(
            stream=sys.stderr, print_generic_format=self.generic, print_debuginfo=self.debuginfo
        )
        printer.print_op(module)
        print("\n", file=sys.stderr, flush=True)


class PassError(Exception):
    """A pass failed, or left IR that does not verify; ``cause`` says why."""

    def __init__(self, cause: DiagnosticException | NotImplementedError, when: str):
        super().__init__(str(cause))
        self.cause = cause
        self.when = when


def pipeline_text(passes: Sequence[ModulePass]) -> str:
    """Return the passes as ``--pass-pipeline`` takes them: ``builtin.module(a,b{x=1})``."""
    return f"builtin.module({','.join(str(step.spec()) for step in passes)})"


@dataclass(frozen=True)
class Pipeline:
    """Passes to run in order, verifying before the first and after each."""

    passes: Sequence[ModulePass]
    dumps: Dumps
    timing: Timing
    verify: bool = True
    reproduce: Callable[[ModulePass, ModuleOp], None] | None = None
    """Called with a pass that failed and the module before it."""

    def run(self, ctx: Context, module: ModuleOp) -> None:
        """Change the module in place.

        Raises ``DiagnosticException`` if the module did not verify at the start, ``PassError``
        if a pass failed or left invalid IR.
        """
        self._verify(module)
        for pass_ in self.passes:
            before = None if self.reproduce is None else module.clone()
            try:
                self._run_pass(ctx, pass_, module)
            except PassError:
                if self.reproduce is not None and before is not None:
                    self.reproduce(pass_, before)
                raise

    def _run_pass(self, ctx: Context, pass_: ModulePass, module: ModuleOp) -> None:
        kind = type(pass_).__name__
        if self.dumps.before_all or pass_.name in self.dumps.before:
            self.dumps.print(f"Before {kind}", pass_, module)
        dump_after = self.dumps.after_all or pass_.name in self.dumps.after
        try:
            with self.timing.measure(pass_.name):
                pass_.apply(ctx, module)
        except (DiagnosticException, NotImplementedError) as error:
            if dump_after:
                self.dumps.print(f"After {kind} Failed", pass_, module)
            raise PassError(error, f"in pass '{pass_.name}'") from error
        if dump_after:
            self.dumps.print(f"After {kind}", pass_, module)
        try:
            self._verify(module)
        except DiagnosticException as error:
            raise PassError(error, f"after pass '{pass_.name}'") from error

    def _verify(self, module: ModuleOp) -> None:
        if self.verify:
            with self.timing.measure(VERIFIER):
                module.verify()


def reproducer_text(step: ModulePass, text: str) -> str:
    """Return the text of a module with the pass that fails on it."""
    return f"{_START}'{pipeline_text([step])}'\n{text.rstrip()}\n"


def requests_of(path: Path | None) -> list[PassRequest]:
    """Return the passes in the first line of a file; raises ``UserError`` if it names none."""
    if path is None:
        raise UserError("a reproducer is a file, found standard input")
    try:
        with path.open(encoding="utf-8") as file:
            line = file.readline().strip()
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UserError(f"input '{path}' is not UTF-8 text") from None
    if not line.startswith(_START):
        raise UserError(f"'{path}' is no reproducer: its first line does not begin with '{_START}'")
    return parse_anchored(line.removeprefix(_START).strip("'"))
