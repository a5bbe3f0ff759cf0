"""Targets of the opt tool: what ``-t name`` prints instead of the module.

The modules of an emitter are imported when it runs, so that listing targets stays quick.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target


@dataclass(frozen=True)
class CDriverTarget(Target):
    """The C driver of the module's ``driver.program``."""

    name = "c-driver"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Print the driver; raises ``UserError`` if the program's memory is not planned."""
        from autodeploy.codegen.c.driver import emit_driver

        output.write(emit_driver(module))


@dataclass(frozen=True)
class CHeaderTarget(Target):
    """The public C header of the module's ``driver.program``."""

    name = "c-header"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Print the header; raises ``UserError`` if the program's memory is not planned."""
        from autodeploy.codegen.c.header import emit_header

        output.write(emit_header(module))


@dataclass(frozen=True)
class HalideCppTarget(Target):
    """The C++ Halide generators of the module's ``halide.pipeline``s."""

    name = "halide-cpp"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Print the generators; raises ``UserError`` for an op that Halide has no spelling for."""
        from autodeploy.codegen.halide.source import emit_source

        output.write(emit_source(module))


@dataclass(frozen=True)
class PdlTarget(Target):
    """The ``pdl.pattern``s that a file of patterns expands to."""

    name = "pdl"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Print the patterns; raises ``UserError`` if the module holds anything else."""
        from xdsl.dialects.pdl import PatternOp
        from xdsl.printer import Printer

        from autodeploy.diagnostics import UserError

        for place, op in enumerate(module.body.block.ops):
            if not isinstance(op, PatternOp):
                raise UserError(f"target 'pdl' prints patterns, found '{op.name}'")
            if place > 0:
                output.write("\n")
            Printer(output).print_op(op)
            output.write("\n")
