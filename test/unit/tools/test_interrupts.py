"""Ctrl-C ends both tools with status 130 and no traceback, also while they load."""

import subprocess
import sys

import pytest

# Runs a tool by its entry point; what it loads named first is interrupted.
PROGRAM = """
import sys
from importlib.metadata import entry_points

name, interrupted, *arguments = sys.argv[1:]

class Interrupt:
    def find_spec(self, module, path=None, target=None):
        if module == interrupted:
            raise KeyboardInterrupt

(tool,) = entry_points(group="console_scripts", name=name)
assert interrupted not in sys.modules
sys.meta_path.insert(0, Interrupt())
sys.argv[:] = [name, *arguments]
sys.exit(tool.load()())
"""


@pytest.mark.parametrize("tool", ["cli", "opt"])
def test_little_is_loaded_before_the_tool_can_be_interrupted(tool: str) -> None:
    module = f"autodeploy.tools.{tool}"
    program = f"import sys; there = {{*sys.modules}}; import {module}; "
    program += "print(*sorted({*sys.modules} - there - set(sys.builtin_module_names)))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert set(result.stdout.split()) <= {"autodeploy", "autodeploy.tools", module, "__future__"}


@pytest.mark.parametrize(
    ("tool", "module", "arguments"),
    [
        ("autodeploy", "typer", ["version"]),
        ("autodeploy", "xdsl", ["version"]),
        ("autodeploy", "autodeploy.compiler", ["compile", "none.onnx", "-o", "none"]),
        ("autodeploy-opt", "xdsl.universe", ["none.mlir"]),
        ("autodeploy-opt", "autodeploy.universe", ["none.mlir"]),
        ("autodeploy-opt", "xdsl.printer", ["--help"]),
    ],
)
def test_interrupted_while_loading(tool: str, module: str, arguments: list[str]) -> None:
    command = [sys.executable, "-c", PROGRAM, tool, module, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")
