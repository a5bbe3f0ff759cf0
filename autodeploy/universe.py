"""Everything that autodeploy adds to xDSL, by name and unloaded.

The entry point of group ``xdsl.universe`` names ``UNIVERSE``: stock ``xdsl-opt`` and
``autodeploy-opt`` both see these dialects, passes and targets. A factory imports its module only
when what it makes is used.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from xdsl.universe import Universe
from xdsl.utils.target import Target

from autodeploy.dialects.registry import DIALECTS
from autodeploy.passes.fusion.registry import pattern_passes
from autodeploy.passes.registry import discover_passes

PASS_PACKAGES = (
    "autodeploy.passes.onnx",
    "autodeploy.lowering.onnx_to_nn",
    "autodeploy.passes.nn",
    "autodeploy.passes.fusion",
    "autodeploy.passes.kernels",
    "autodeploy.lowering.nn_to_halide",
    "autodeploy.passes.halide",
    "autodeploy.lowering.nn_to_driver",
    "autodeploy.passes.driver",
    "autodeploy.codegen.halide",
)
"""The packages whose pass files are listed."""


def _target(class_name: str) -> Callable[[], type[Target]]:
    return lambda: getattr(import_module("autodeploy.codegen.targets"), class_name)


UNIVERSE = Universe(
    all_dialects=dict(DIALECTS),
    all_passes={
        **{
            name: load
            for package in PASS_PACKAGES
            for name, load in discover_passes(package).items()
        },
        **pattern_passes(),
    },
    all_targets={
        "halide-cpp": _target("HalideCppTarget"),
        "c-driver": _target("CDriverTarget"),
        "c-header": _target("CHeaderTarget"),
        "pdl": _target("PdlTarget"),
    },
)
"""The dialects, passes and targets of autodeploy, as lazy factories."""
