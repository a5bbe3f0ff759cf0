"""Programs with an open extent beside onnxruntime, for numbers of its range."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnxruntime
from closeness import assert_close
from open_inner import drawn, poison

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import Session, load_bundle


def compiled(make, spec: OpenSpec | Sequence[OpenSpec], folder, **options):
    model = make()
    compile_model(model.SerializeToString(), folder, CompileOptions(dynamic=spec, **options))
    return model


def expected(model, values: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Return what onnxruntime computes."""
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(None, values)


def check(model, session: Session, spec: OpenSpec, number: int) -> None:
    """What the arena holds beyond a run, and from runs before, is nan."""
    session.run(poison(model, spec.most))
    values = drawn(model, number, seed=number)
    for found, right in zip(session.run(values).values(), expected(model, values), strict=True):
        assert found.shape == right.shape
        assert_close(found, right)


def check_range(make, spec: OpenSpec, folder, numbers: Sequence[int], **options) -> None:
    """Compile a network for a range, and run it for some numbers."""
    model = compiled(make, spec, folder, **options)
    with load_bundle(folder, threads=options.get("threads", 1)) as session:
        for number in numbers:
            check(model, session, spec, number)
