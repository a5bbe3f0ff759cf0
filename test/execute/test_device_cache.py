"""The file that keeps the compiled kernels of a device by OpenCL."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from device_programs import build_bundle, build_with_cache, network, shared, start
from opencl import needs_opencl, opencl_library

from autodeploy import CompileOptions, compile_model
from autodeploy.codegen.c.template import runtime_file
from autodeploy.diagnostics import UserError
from autodeploy.toolchain.compiler import find_c_compiler, run
from autodeploy.toolchain.session import load_bundle

pytestmark = [
    needs_opencl,
    pytest.mark.skipif(sys.platform != "linux", reason="libraries are exchanged by LD_PRELOAD"),
    pytest.mark.xdist_group("device-cache"),
]

HEADER_BYTES = 32


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a program whose argument is the file."""
    options = CompileOptions(machine="host:device=opencl", jobs=1)
    return build_with_cache(build_bundle(tmp_path_factory.mktemp("cache") / "b", options))


@pytest.fixture(scope="module")
def binaries_only(program: Path) -> dict[str, Path]:
    """Return the variables of a program whose OpenCL compiles no text."""
    linked = ("-Wl,--no-as-needed", str(opencl_library()))
    return {
        "LD_PRELOAD": shared(program.parent, "dlopen_of_opencl.c", "-ldl"),
        "OPENCL_IS": shared(program.parent, "no_source_opencl.c", *linked),
    }


@pytest.fixture(scope="module")
def kept(program: Path) -> bytes:
    """Return the content of the file after a start."""
    file = program.parent / "kept"
    assert start(program, file)[0] == 0
    return file.read_bytes()


def test_nothing_is_written_unless_it_is_asked_for(program: Path):
    before = sorted(program.parent.iterdir())
    assert start(program)[0] == 0
    assert sorted(program.parent.iterdir()) == before


def test_the_second_start_compiles_no_text(program: Path, binaries_only, kept, tmp_path: Path):
    file = tmp_path / "kernels"
    status, said, _ = start(program, file, **binaries_only)
    assert (status, "the device does not take the kernels" in said) == (1, True)
    assert not file.exists()
    file.write_bytes(kept)
    status, said, _ = start(program, file, **binaries_only)
    assert (status, said.startswith("device ")) == (0, True)
    assert [path.name for path in tmp_path.iterdir()] == ["kernels"]


@pytest.mark.parametrize(
    "damage",
    ["missing", "empty", "header", "short", "long", "content", "magic", "key", "count", "nothing"],
)
def test_another_file_is_replaced(program: Path, binaries_only, kept, tmp_path: Path, damage: str):
    file, changed = tmp_path / "kernels", bytearray(kept)
    places = {"magic": 0, "key": 8, "count": 16, "content": len(kept) - 9}
    if damage in places:
        changed[places[damage]] ^= 1
    ends = {"empty": 0, "header": HEADER_BYTES, "short": len(kept) - 1}
    if damage != "missing":
        file.write_bytes(bytes(changed[: ends.get(damage, len(kept))]) + b"x" * (damage == "long"))
    is_right = damage == "nothing"
    assert (start(program, file, **binaries_only)[0] == 0) == is_right
    assert start(program, file)[0] == 0
    assert start(program, file, **binaries_only)[0] == 0


def test_kernels_that_the_device_refuses_are_compiled_again(
    program: Path, binaries_only, kept, tmp_path: Path
):
    source = tmp_path / "write.c"
    source.write_text(
        '#include "autodeploy_cache.c"\n#include "autodeploy_cache.h"\n'
        "int main(int argc, char **argv)\n{\n    uint64_t key;\n"
        '    FILE *file = fopen(argv[argc - 1], "rb");\n'
        "    if (file == NULL || fseek(file, 8, SEEK_SET) || fread(&key, 8, 1, file) != 1)\n"
        "        return 1;\n    fclose(file);\n"
        '    autodeploy_cache_write(argv[1], key, "no kernels", 10);\n    return 0;\n}\n'
    )
    for name in ("autodeploy_cache.c", "autodeploy_cache.h"):
        (tmp_path / name).write_text(runtime_file(name))
    run([*find_c_compiler(), "-std=c99", "write.c", "-o", "write"], tmp_path)
    file = tmp_path / "kernels"
    file.write_bytes(kept)
    run([str(tmp_path / "write"), str(file)], tmp_path)
    assert file.stat().st_size == HEADER_BYTES + 10
    assert start(program, file)[0] == 0
    assert start(program, file, **binaries_only)[0] == 0


def test_a_session_has_a_cache(program: Path, binaries_only, tmp_path: Path):
    with load_bundle(program.parent, cache=tmp_path / "kernels"):
        assert start(program, tmp_path / "kernels", **binaries_only)[0] == 0


def test_only_opencl_has_a_cache(tmp_path: Path):
    compile_model(network(), tmp_path / "b", CompileOptions(jobs=1))
    with pytest.raises(UserError, match="has no device by OpenCL, found cache 'x'"):
        load_bundle(tmp_path / "b", cache="x")


def test_a_file_that_cannot_be_written_is_no_error(program: Path, tmp_path: Path):
    assert start(program, tmp_path / "no folder" / "kernels")[0] == 0
    (tmp_path / "folder").mkdir()
    assert start(program, tmp_path / "folder")[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
