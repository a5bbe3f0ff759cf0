"""Programs with an open extent beside onnxruntime, for numbers of its range."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import onnxruntime
from closeness import assert_close
from open_inner import drawn, poison
from sanitized_program import make_sanitized, run_sanitized

from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import Session, load_bundle


def compiled(make, spec: OpenSpec | Sequence[OpenSpec], folder, **options):
    model = make()
    compile_model(model.SerializeToString(), folder, CompileOptions(dynamic=spec, **options))
    return model


def expected(model, values: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Return what onnxruntime computes."""
    return _reference(model.SerializeToString()).run(None, values)


@lru_cache(maxsize=4)
def _reference(model: bytes) -> onnxruntime.InferenceSession:
    """Return a session, which takes much longer to make than to run."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # others would wait in a loop for work
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def check(model, session: Session, spec: OpenSpec, number: int) -> None:
    """What the arena holds beyond a run, and from runs before, is nan."""
    session.run(poison(model, spec.most))
    values = drawn(model, number, seed=number)
    for found, right in zip(session.run(values).values(), expected(model, values), strict=True):
        assert found.shape == right.shape
        assert_close(found, right)


def assert_all_close(found: Sequence[np.ndarray], right: Sequence[np.ndarray]) -> None:
    for ours, theirs in zip(found, right, strict=True):
        assert_close(ours, np.asarray(theirs))


def check_range(make, spec: OpenSpec, folder, numbers: Sequence[int], **options) -> None:
    """Compile a network for a range, and run it for some numbers."""
    model = compiled(make, spec, folder, **options)
    with load_bundle(folder, threads=options.get("threads", 1)) as session:
        for number in numbers:
            check(model, session, spec, number)


def check_sanitized_range(make, spec: OpenSpec, folder, numbers: Sequence[int], **options) -> None:
    """Run a network's C program with sanitizers, from files; it says nothing of any number."""
    model = compiled(make, spec, folder / "b", emit="c", **options)
    make_sanitized(folder / "b")
    for number in numbers:
        values = drawn(model, number)
        assert_all_close(run_sanitized(folder / "b", values), expected(model, values))
