"""Running Halide on one pipeline of the halide dialect, in this process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autodeploy.codegen.halide.objects import PipelineObjects, halide
from autodeploy.codegen.halide.tables import STRICT_FLOAT
from autodeploy.diagnostics import ToolchainError
from autodeploy.dialects.halide.pipeline import PipelineOp


def run_halide(
    pipeline: PipelineOp, symbol: str, target: str, files: Mapping[str, Path], suffix: str = ""
) -> PipelineObjects:
    """Make what is asked for of a pipeline, and return its objects.

    ``symbol`` is the C function to make, ``target`` Halide's target string. ``files`` says which
    files to write, by Halide's names of their kinds (``object``, ``c_source``, ``stmt``). Halide
    numbers names that it meets twice in a process, and those would be in the code: of a pipeline
    that is also compiled, ``suffix`` makes others. Raises ``ToolchainError`` naming the kernel
    where Halide refuses it.
    """
    hl: Any = halide()
    try:
        objects = PipelineObjects(pipeline, suffix)
        full = hl.Target(target if pipeline.fast_math else f"{target}-{STRICT_FLOAT}")
        module = hl.Pipeline(objects.outputs).compile_to_module(
            objects.inputs, symbol, full, hl.LinkageType.External
        )
        module.compile(
            {getattr(hl.OutputFileType, kind): str(path) for kind, path in files.items()}
        )
    except (hl.HalideError, RuntimeError) as error:
        reason = " ".join(str(error).removeprefix("Error:").split())
        raise ToolchainError(
            f"Halide cannot compile kernel '{pipeline.sym_name.data}': {reason}"
        ) from error
    return objects
