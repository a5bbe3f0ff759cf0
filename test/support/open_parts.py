"""Programs for parts of open extents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import onnx

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.frontend.open_sizes import NamedRange, OpenSpec
from autodeploy.toolchain.session import Session, load_bundle
from autodeploy.tools.named_options import parse_dynamic

PERCEPTRON = "batch=1,2..5,7"


def specs_of(text: str) -> tuple[OpenSpec, ...]:
    return parse_dynamic(text.split())


def compiled(model: onnx.ModelProto, text: str, folder: Path, **options: object) -> None:
    chosen = CompileOptions(dynamic=specs_of(text), **options)
    compile_model(model.SerializeToString(), folder, chosen)


def alone(
    model: onnx.ModelProto, ranges: Sequence[NamedRange], folder: Path, **options: object
) -> Session:
    """Return a program for one part."""
    compile_model(
        model.SerializeToString(),
        folder,
        CompileOptions(
            dims={name: r.most for r in ranges if not r.is_open for name in r.names},
            dynamic=[OpenSpec(r.names, r.least, r.most, r.step) for r in ranges if r.is_open],
            **options,
        ),
    )
    return load_bundle(folder)
