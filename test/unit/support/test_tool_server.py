"""Tools whose server forks a child for each call do what a process of their own does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import tool_server

TOOLS = ("autodeploy-opt", "filecheck")
REAL = Path(sys.executable).parent

pytestmark = pytest.mark.skipif(not tool_server.can_serve(), reason="needs fork and its sockets")


@pytest.fixture(scope="module")
def clients():
    return tool_server.start(TOOLS, "autodeploy.tools").folder


def ended(tool: Path, *arguments: str, text: str = "", **options) -> tuple[int, str, str]:
    done = subprocess.run(
        [tool, *arguments], input=text, capture_output=True, text=True, check=False, **options
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("tool", "arguments", "text", "status"),
    [
        ("autodeploy-opt", (), "builtin.module {}", 0),
        ("autodeploy-opt", ("--cse", "a file.mlir"), "", 0),
        ("autodeploy-opt", (), "builtin.modul", 1),
        ("autodeploy-opt", ("none.mlir",), "", 1),
        ("autodeploy-opt", ("--no-such-pass",), "builtin.module {}", 1),
        ("autodeploy-opt", (), "builtin.module {} // " + "long " * 100_000, 0),
        ("filecheck", ("a file.mlir",), "module", 0),
        ("filecheck", ("a file.mlir",), "nothing", 1),
    ],
    ids=range(8),
)
def test_a_call_is_that_of_the_tool(clients, tmp_path, tool, arguments, text, status):
    (tmp_path / "a file.mlir").write_text("builtin.module {} // CHECK: module")
    found = ended(clients / tool, *arguments, text=text, cwd=tmp_path)
    assert found == ended(REAL / tool, *arguments, text=text, cwd=tmp_path)
    assert found[0] == status


@pytest.mark.exhaustive
def test_the_environment_is_that_of_the_call(clients, tmp_path):
    text = "builtin.module {}"
    environment = {"TMPDIR": str(tmp_path / "none"), "COLUMNS": "40"}
    found = ended(clients / "autodeploy-opt", "--help", text=text, env=environment)
    assert found == ended(REAL / "autodeploy-opt", "--help", text=text, env=environment)


@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_a_call_that_ends_by_a_signal_is_an_error():
    folder, server = tool_server.start(["autodeploy-opt"], "autodeploy.tools")
    client = subprocess.Popen(
        [folder / "autodeploy-opt"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    children = Path(f"/proc/{server}/task/{server}/children")
    while not (child := children.read_text()):
        time.sleep(0.01)
    os.kill(int(child), signal.SIGKILL)
    assert client.communicate() == (None, "autodeploy-opt ended without a status\n")
    assert client.returncode == 134


@pytest.mark.exhaustive
def test_the_server_ends_with_the_process_that_started_it():
    code = "import tool_server; print(tool_server.start(['filecheck'], 'autodeploy.tools').folder)"
    support = str(Path(tool_server.__file__).parent)
    status, folder, _ = ended(REAL / "python", "-c", code, env={"PYTHONPATH": support})
    assert status == 0 and folder
    end = time.monotonic() + 60
    while Path(folder.strip()).exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert not Path(folder.strip()).exists()
