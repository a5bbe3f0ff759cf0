"""Kernels compiled by other processes: the same bytes, errors, an early end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from small_kernels import scaled

from autodeploy.codegen.halide import compile_kernel as compiling
from autodeploy.codegen.halide import kernel_jobs
from autodeploy.codegen.halide.compile_kernel import compile_kernel
from autodeploy.codegen.halide.kernel_code import KernelRequest
from autodeploy.codegen.halide.kernel_jobs import (
    can_fork,
    compile_in_processes,
    end_servers,
)
from autodeploy.codegen.halide.kernels import CompiledKernel, compile_pipelines
from autodeploy.diagnostics import ToolchainError
from autodeploy.machine import Machine

MACHINE = Machine.named("x86-64")
COUNT = 9
PIPELINES = [scaled(f"k{i}", i + 1) for i in range(COUNT)]
REQUESTS = [
    KernelRequest(str(p), p.sym_name.data, MACHINE.kernel_target(), "object") for p in PIPELINES
]

pytestmark = pytest.mark.skipif(not can_fork(), reason="needs fork")


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """Return the list of the processes that are started from now on; none waits for work."""
    end_servers()
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def recorded(*arguments, **options):
        started.append(start(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(kernel_jobs.subprocess, "Popen", recorded)
    return started


def exists(group: int) -> bool:
    """Tell whether a process of a group is there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def running(server: subprocess.Popen[bytes]) -> bool:
    """Tell whether a process or a child of it is there."""
    return exists(server.pid)


def until(holds: Callable[[], bool]) -> bool:
    """Tell whether something holds soon; the system may take its time."""
    return any(holds() or time.sleep(0.05) for _ in range(600))


def gone(server: subprocess.Popen[bytes]) -> bool:
    """Tell whether a process and its children end."""
    return until(lambda: not running(server)) and server.returncode is not None


def contents(kernels: list[CompiledKernel]) -> list[bytes]:
    return [path.read_bytes() for kernel in kernels for path in kernel.files]


def test_the_same_bytes_whatever_was_compiled_before(
    servers: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    said: list[tuple[int, int, str]] = []
    one = compile_pipelines(PIPELINES, MACHINE, directory=tmp_path / "1")
    assert len(servers) == 1 and running(servers[0])
    two = compile_pipelines(
        PIPELINES[::-1],
        MACHINE,
        directory=tmp_path / "2",
        jobs=2,
        progress=lambda *s: said.append(s),
    )[::-1]
    assert len(servers) == 1  # it has waited
    assert [k.name for k in two] == [k.name for k in one] and contents(two) == contents(one)
    assert said[0] == (0, COUNT, f"k{COUNT - 1}")
    assert [done for done, _, _ in said] == list(range(COUNT + 1))
    assert {name for _, _, name in said} == {k.name for k in one}


def test_a_process_that_waits_is_ended(
    servers: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    compile_pipelines(PIPELINES[:1], MACHINE, directory=tmp_path)
    assert len(servers) == 1 and running(servers[0])
    end_servers()
    assert gone(servers[0])


def test_two_at_once_have_a_process_each(servers: list[subprocess.Popen[bytes]]) -> None:
    names = [p.sym_name.data for p in PIPELINES]
    first, second = (compile_in_processes(names, REQUESTS, 1) for _ in range(2))
    for (index, code), other in zip(first, second, strict=True):
        assert other == (index, code)
    assert len(servers) == 2
    assert sum(map(running, servers)) == 1  # one waits for work


def test_a_process_that_has_ended_is_replaced(servers: list[subprocess.Popen[bytes]]) -> None:
    assert len(list(compile_in_processes(["k0"], REQUESTS[:1], 1))) == 1
    servers[0].kill()
    servers[0].wait()
    assert len(list(compile_in_processes(["k0"], REQUESTS[:1], 1))) == 1
    assert len(servers) == 2


def test_an_error_names_the_kernel(servers: list[subprocess.Popen[bytes]], tmp_path: Path) -> None:
    pipelines = [*PIPELINES, scaled("bad", 2, "erf", "f64")]
    with pytest.raises(ToolchainError, match=r"cannot compile kernel 'bad': .*erf only takes"):
        compile_pipelines(pipelines, MACHINE, directory=tmp_path, jobs=2)
    assert gone(servers[0])


def test_a_crash_names_the_kernel(
    servers: list[subprocess.Popen[bytes]], capfd: pytest.CaptureFixture[str]
) -> None:
    """What the crashed process has printed is a part of the error."""
    broken = KernelRequest("no IR", "k", MACHINE.kernel_target(), "object")
    with pytest.raises(ToolchainError) as error:
        list(compile_in_processes(["first", "last"], [REQUESTS[0], broken], 1))
    assert gone(servers[0])
    first, *said = str(error.value).split("\n")
    assert first == "the compiler of kernel 'last' crashed: exit status 1"
    assert 5 < len(said) <= 20 and any("parse_pipeline" in line for line in said)
    assert capfd.readouterr().err == ""


FULL = r"kernels cannot be compiled in '.*': .*; let \$TMPDIR be a folder with room for"


def test_a_full_disk_is_found_before_llvm_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_ROOM", 1 << 62)
    with pytest.raises(ToolchainError, match=FULL):
        compile_kernel(REQUESTS[0])


@pytest.mark.parametrize("bytes_", [1000, 0])
def test_a_full_disk_in_a_process(
    servers: list[subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    bytes_: int,
) -> None:
    """A child may have no room for its error, either."""
    limit = f"import resource as r; r.setrlimit(r.RLIMIT_FSIZE, ({bytes_}, {bytes_})); "
    monkeypatch.setattr(kernel_jobs, "_START", limit + kernel_jobs._START)
    monkeypatch.setattr(compiling, "_ROOM", 1 << 62)
    with pytest.raises(ToolchainError, match=FULL):
        list(compile_in_processes(["k0"], REQUESTS[:1], 1))
    assert capfd.readouterr().err == ""


def test_a_compiler_that_does_not_start(
    servers: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_jobs, "_START", "raise SystemExit")
    with pytest.raises(ToolchainError, match="ended while kernel 'k0' was waiting"):
        list(compile_in_processes(["k0"], REQUESTS[:1], 1))


def test_nothing_stays_after_an_early_end(servers: list[subprocess.Popen[bytes]]) -> None:
    names = [p.sym_name.data for p in PIPELINES]
    results = compile_in_processes(names, REQUESTS, 2)
    next(results)
    assert running(servers[0])
    results.close()
    assert gone(servers[0])


def test_nothing_stays_after_a_kill(tmp_path: Path) -> None:
    """A process that is killed over a kernel cannot end those that it has started."""
    script = tmp_path / "script.py"
    script.write_text(f"""
import sys
sys.path[:0] = {[str(folder) for folder in Path(__file__).parents[:2]]!r}
from autodeploy.codegen.halide import kernel_jobs
from test_kernel_jobs import REQUESTS
forever = '''
import os, time
from autodeploy.codegen.halide import kernel_jobs
def compile_kernel(request):
    open("group", "w").write(str(os.getpgrp()) + chr(10))
    time.sleep(600)
kernel_jobs.compile_kernel = compile_kernel
'''
kernel_jobs._START = forever + kernel_jobs._START
list(kernel_jobs.compile_in_processes(["k0"], REQUESTS[:1], 1))
""")
    compiling = subprocess.Popen([sys.executable, script], cwd=tmp_path)
    group = tmp_path / "group"
    try:
        assert until(lambda: group.exists() and group.read_text().endswith("\n"))
    finally:
        compiling.kill()
        compiling.wait()
    assert until(lambda: not exists(int(group.read_text())))


@pytest.mark.exhaustive
def test_a_script_that_compiles_at_its_top_level(tmp_path: Path) -> None:
    """Of Python's own process pools, each process would run such a script again."""
    script = tmp_path / "script.py"
    script.write_text(f"""
import sys
sys.path[:0] = {[str(folder) for folder in Path(__file__).parents[:2]]!r}
from test_kernel_jobs import REQUESTS, compile_in_processes
names = [request.symbol for request in REQUESTS]
print(sorted(index for index, _ in compile_in_processes(names, REQUESTS, 2)))
""")
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert result.stdout == f"{list(range(COUNT))}\n"
