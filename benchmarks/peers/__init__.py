"""The engines that are compared, one module each.

The module of an engine has a class ``Engine`` that follows ``benchmarks.engine.Engine``. It is only
loaded in the process that runs the engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import distributions
from importlib.util import find_spec

from benchmarks.engine import Engine

PACKAGES: dict[str, tuple[str, ...]] = {
    "autodeploy": ("autodeploy",),
    "onnxruntime": ("onnxruntime",),
    "openvino": ("openvino",),
    "ncnn": ("ncnn", "pnnx"),
    "tinygrad": ("tinygrad",),
}
"""The packages that each engine needs; the engines in the order in which a round runs them."""

DEVICE_PEERS = ("autodeploy", "tinygrad")
"""The engines that are compared on the device of a machine."""

PROCESSOR_PEERS = tuple(name for name in PACKAGES if name != "tinygrad")
"""The engines that are compared on its processor."""

PRODUCT_PACKAGES: dict[str, tuple[str, ...]] = {
    **{name: PACKAGES[name] for name in ("autodeploy", "onnxruntime", "openvino")},
    "mkl": ("mkl",),
}
"""The same of the engines that compute single products."""


def missing_packages(name: str) -> list[str]:
    """Return those packages that an engine needs and that are not installed."""
    packages = {**PRODUCT_PACKAGES, **PACKAGES}[name]
    return [package for package in packages if not _is_installed(package)]


def _is_installed(package: str) -> bool:
    """Tell whether a package is there, as a module or, where it has none, as a distribution."""
    return find_spec(package) is not None or any(distributions(name=package))


def choose_peers(names: Sequence[str], packages: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the engines of ``packages`` to run, those named or all; says which are not installed.

    Raises ``ValueError`` for an unknown name and where no engine is left.
    """
    unknown = [name for name in names if name not in packages]
    if unknown:
        raise ValueError(f"no engine {', '.join(unknown)}; there are {', '.join(packages)}")
    chosen: list[str] = []
    for name in packages:
        if names and name not in names:
            continue
        missing = missing_packages(name)
        if missing:
            print(f"{name} is skipped: not installed: {', '.join(missing)}")
        else:
            chosen.append(name)
    if not chosen:
        raise ValueError("no engine is left")
    return chosen


def load_engine(name: str) -> type[Engine]:
    """Return the class of an engine; its packages must be installed."""
    engine: type[Engine] = import_module(f"benchmarks.peers.{name}").Engine
    return engine
