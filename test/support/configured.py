"""Compile a model some of whose kernels have a config that the test writes, as text."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.passes import ModulePass

from autodeploy.compilation import Compilation
from autodeploy.compiler import CompileOptions
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.frontend.open_sizes import combinations
from autodeploy.pipelines import Stage

Rewrite = Callable[[Context, ModuleOp], None]


@dataclass(frozen=True)
class Write(ModulePass):
    """Call ``rewrite`` with the module."""

    name = "write"

    rewrite: Rewrite

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.rewrite(ctx, op)


def compile_rewritten(
    model: bytes,
    folder: Path,
    options: CompileOptions,
    rewrites: Mapping[str, Rewrite],
) -> ModuleOp:
    """Compile a model; ``rewrites`` change the module, each before the first pass of its name."""
    waiting = dict(rewrites)
    with tempfile.TemporaryDirectory() as objects:
        (ranges,) = combinations(options.open_specs)
        work = Compilation(options, lambda what, done, total: None, Path(objects), ranges)
        stages: list[Stage] = []
        for stage in work.stages:
            steps: list[ModulePass] = []
            for step in stage.passes:
                if (rewrite := waiting.pop(step.name, None)) is not None:
                    steps.append(Write(rewrite))
                steps.append(step)
            stages.append(replace(stage, passes=tuple(steps)))
        work.stages = tuple(stages)
        module = work.lower(model)
        work.write(module, folder)
        return module


def compile_configured(
    model: bytes, folder: Path, options: CompileOptions, configs: Mapping[type[Operation], str]
) -> ModuleOp:
    """Compile a model; kernels around an anchor of a class have the config written for it."""

    def write(ctx: Context, module: ModuleOp) -> None:
        ctx.load_registered_dialect("nn")
        for kernel in [op for op in module.walk() if isinstance(op, KernelOp)]:
            text = configs.get(type(kernel.anchor)) if kernel.anchor is not None else None
            if text is not None:
                config = Parser(ctx, text).parse_attribute()
                assert isinstance(config, ConfigAttr)
                kernel.config = config

    return compile_rewritten(model, folder, options, {"configure-kernels": write})
