# ruff: noqa: F821 - lit gives `config` to the file
"""Configuration of the lit tests: ``lit test/`` runs them all, ``lit test/passes/cse`` a part."""

import importlib
import os
import platform
import shutil
import sys
from pathlib import Path

import lit.formats

root = Path(__file__).resolve().parent

config.name = "autodeploy"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "Inputs"]
config.test_source_root = str(root)
config.test_exec_root = str(root / "build" / "lit")

# The tools of the environment that lit itself runs in come first, activated or not.
tools = Path(sys.executable).parent
config.environment["PATH"] = os.pathsep.join([str(tools), config.environment["PATH"]])

# Compiled kernels, rules and modules stay below build/, and are there for the next test.
for variable, folder in (("AUTODEPLOY_CACHE", "kernels"), ("PYTHONPYCACHEPREFIX", "pycache")):
    config.environment[variable] = str(root / "build" / "cache" / folder)
os.environ["AUTODEPLOY_CACHE"] = config.environment["AUTODEPLOY_CACHE"]

# Programs are built to be run once.
config.environment["CFLAGS"] = os.environ.get("CFLAGS", "-O0")

config.environment["AUTODEPLOY_VERIFY"] = os.environ["AUTODEPLOY_VERIFY"] = "1"

# They are loaded once, and the fusion rules read once. Tests in test/tools/started start them as
# users do.
sys.path.insert(0, str(root / "test" / "support"))
tool_server = importlib.import_module("tool_server")
if tool_server.can_serve():
    served = ("autodeploy", "autodeploy-opt", "filecheck")
    fused = ("autodeploy-opt", str(root / "test" / "passes" / "fuse" / "order.mlir"), "--fuse")
    clients = tool_server.start(served, "autodeploy", fused).folder
    config.environment["PATH"] = os.pathsep.join([str(clients), config.environment["PATH"]])

# Models and images that are too large for the repository lie beside it, where they are.
shared_data = root.parent / "shared" / "data"
if shared_data.is_dir():
    config.available_features.add("shared-data")
config.substitutions.append(("%shared_data", str(shared_data)))

# Machines on which a thread can flush subnormal numbers.
if platform.machine() in ("x86_64", "AMD64", "aarch64", "arm64"):
    config.available_features.add("float-modes")

for feature, variable, names in (
    ("cc", "CC", ("cc", "gcc", "clang")),
    ("cxx", "CXX", ("c++", "g++", "clang++")),
):
    candidates = [os.environ[variable]] if os.environ.get(variable) else names
    compiler = next((found for name in candidates if (found := shutil.which(name))), None)
    if compiler is not None:
        config.available_features.add(feature)
        config.substitutions.append((f"%{feature}", compiler))
