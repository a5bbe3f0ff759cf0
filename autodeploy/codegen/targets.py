"""Targets of the opt tool: what ``-t name`` prints instead of the module.

What an emitter needs is imported when it runs, so that listing targets stays quick.
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
        """Print the driver; raises ``UserError`` where the program's memory is not planned."""
        from autodeploy.codegen.c_driver import emit_driver

        output.write(emit_driver(module))


@dataclass(frozen=True)
class CHeaderTarget(Target):
    """The public C header of the module's ``driver.program``."""

    name = "c-header"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Print the header; raises ``UserError`` where the program's memory is not planned."""
        from autodeploy.codegen.c_header import emit_header

        output.write(emit_header(module))


@dataclass(frozen=True)
class HalideCppTarget(Target):
    """The C++ Halide generators of the module's ``halide.pipeline``s."""

    name = "halide-cpp"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Print the generators; raises ``UserError`` for an op that Halide has no spelling for."""
        from autodeploy.codegen.halide_source import emit_source

        output.write(emit_source(module))
