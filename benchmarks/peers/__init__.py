"""The engines that are compared, one module each.

The module of an engine has a class ``Engine`` that follows ``benchmarks.engine.Engine``. It is only
loaded in the process that runs the engine.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from benchmarks.engine import Engine

PACKAGES: dict[str, tuple[str, ...]] = {
    "autodeploy": ("autodeploy",),
    "onnxruntime": ("onnxruntime",),
    "openvino": ("openvino",),
    "ncnn": ("ncnn", "pnnx"),
}
"""The packages that each engine needs; the engines in the order in which a round runs them."""


def missing_packages(name: str) -> list[str]:
    """Return those packages that an engine needs and that are not installed."""
    return [package for package in PACKAGES[name] if find_spec(package) is None]


def load_engine(name: str) -> type[Engine]:
    """Return the class of an engine; its packages must be installed."""
    engine: type[Engine] = import_module(f"benchmarks.peers.{name}").Engine
    return engine
