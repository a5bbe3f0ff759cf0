"""The dialects of autodeploy by name, unloaded, and contexts that know them."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.ir import Dialect


def _get_onnx() -> Dialect:
    from autodeploy.dialects.onnx import get_onnx

    return get_onnx()


def _get_nn() -> Dialect:
    from autodeploy.dialects.nn import NN

    return NN


def _get_halide() -> Dialect:
    from autodeploy.dialects.halide import HALIDE

    return HALIDE


def _get_driver() -> Dialect:
    from autodeploy.dialects.driver import DRIVER

    return DRIVER


def _get_machine() -> Dialect:
    from autodeploy.dialects.machine import MACHINE

    return MACHINE


DIALECTS: dict[str, Callable[[], Dialect]] = {
    "onnx": _get_onnx,
    "nn": _get_nn,
    "halide": _get_halide,
    "driver": _get_driver,
    "machine": _get_machine,
}
"""Factories; a dialect's module is imported when an op or attribute of it is first met."""


def new_context() -> Context:
    """Return a context that knows xDSL's dialects and these."""
    context = Context()
    for name, factory in (get_all_dialects() | DIALECTS).items():
        context.register_dialect(name, factory)
    return context
