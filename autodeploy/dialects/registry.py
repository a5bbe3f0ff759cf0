"""The dialects of autodeploy by name, unloaded, and contexts that know them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.ir import Dialect


def _factory(name: str) -> Callable[[], Dialect]:
    def load() -> Dialect:
        module = import_module(f"autodeploy.dialects.{name}")
        return module.get_onnx() if name == "onnx" else getattr(module, name.upper())

    return load


DIALECTS = {name: _factory(name) for name in ("onnx", "nn", "halide", "driver", "machine")}
"""Factories; a dialect's module is imported when an op or attribute of it is first met."""


def new_context() -> Context:
    """Return a context that knows xDSL's dialects and these."""
    context = Context()
    for name, factory in (get_all_dialects() | DIALECTS).items():
        context.register_dialect(name, factory)
    return context
