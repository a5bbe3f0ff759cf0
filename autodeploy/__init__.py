"""autodeploy: a compiler from trained networks (ONNX) to small, fast, self-contained C programs.

``autodeploy.compile("model.onnx").run({"x": array})`` compiles and runs a model; with one input,
``run(array)`` is enough. ``autodeploy.load("out/")`` loads a bundle. ``inspect``, ``verify``,
``bench``, ``report`` and ``tune`` are the commands of these names. All are imported on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False  # that of typing, whose import Ctrl-C could interrupt before the tools run

if TYPE_CHECKING:
    from autodeploy.compiler import CompileOptions, Report, compile_model
    from autodeploy.diagnostics import UserError
    from autodeploy.interface import compile
    from autodeploy.toolchain.profile import profile_bundle as bench
    from autodeploy.toolchain.session import Session
    from autodeploy.toolchain.session import load_bundle as load
    from autodeploy.tools.comparison import verify
    from autodeploy.tools.inspect_model import inspect
    from autodeploy.tools.report.write import write_report as report
    from autodeploy.tuning.tune import tune

    __version__: str

__all__ = [
    "CompileOptions", "Report", "Session", "UserError", "bench", "compile", "compile_model",
    "inspect", "load", "report", "tune", "verify",
]  # fmt: skip

_PLACES = {
    "CompileOptions": ("compiler", "CompileOptions"),
    "Report": ("compiler", "Report"),
    "Session": ("toolchain.session", "Session"),
    "UserError": ("diagnostics", "UserError"),
    "bench": ("toolchain.profile", "profile_bundle"),
    "compile": ("interface", "compile"),
    "compile_model": ("compiler", "compile_model"),
    "inspect": ("tools.inspect_model", "inspect"),
    "load": ("toolchain.session", "load_bundle"),
    "report": ("tools.report.write", "write_report"),
    "tune": ("tuning.tune", "tune"),
    "verify": ("tools.comparison", "verify"),
}
"""The module of each name, and its name there."""


def __dir__() -> list[str]:
    """Return also the names that are not imported yet, for ``help`` and for completion."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    if name in _PLACES:
        from importlib import import_module

        module, member = _PLACES[name]
        return getattr(import_module(f"autodeploy.{module}"), member)
    if name == "__version__":
        from importlib.metadata import version

        return version("autodeploy")
    raise AttributeError(f"module 'autodeploy' has no attribute '{name}'")
