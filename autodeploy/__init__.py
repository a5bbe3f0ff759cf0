"""autodeploy: a compiler from trained networks (ONNX) to small, fast, self-contained C programs.

``autodeploy.compile("model.onnx").run({"x": array})`` compiles and runs a model; with one input,
``run(array)`` is enough. ``autodeploy.load("out/")`` loads a bundle, and ``autodeploy.tune``
searches for the fastest kernel configs. All are imported on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False  # that of typing, whose import Ctrl-C could interrupt before the tools run

if TYPE_CHECKING:
    from autodeploy.compiler import CompileOptions, Report, compile_model
    from autodeploy.diagnostics import UserError
    from autodeploy.interface import compile
    from autodeploy.toolchain.session import Session
    from autodeploy.toolchain.session import load_bundle as load
    from autodeploy.tuning.tune import tune

    __version__: str

__all__ = [
    "CompileOptions", "Report", "Session", "UserError", "compile", "compile_model", "load", "tune",
]  # fmt: skip


def __dir__() -> list[str]:
    """Return also the names that are not imported yet, for ``help`` and for completion."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    if name == "compile":
        from autodeploy.interface import compile

        return compile
    if name in ("CompileOptions", "Report", "compile_model"):
        import autodeploy.compiler as module

        return getattr(module, name)
    if name in ("Session", "load"):
        import autodeploy.toolchain.session as module

        return module.load_bundle if name == "load" else module.Session
    if name == "UserError":
        from autodeploy.diagnostics import UserError

        return UserError
    if name == "tune":
        from autodeploy.tuning.tune import tune

        return tune
    if name == "__version__":
        from importlib.metadata import version

        return version("autodeploy")
    raise AttributeError(f"module 'autodeploy' has no attribute '{name}'")
