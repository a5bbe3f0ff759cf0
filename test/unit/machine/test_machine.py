"""Machines: presets, the text form, the host, and errors that say what is possible."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from autodeploy.diagnostics import UserError
from autodeploy.machine import Machine, host
from autodeploy.machine.presets import PRESETS
from autodeploy.machine.targets import ISAS, KERNEL_FEATURES, parse_halide_target


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name: str) -> None:
    import halide

    machine = Machine.named(name)
    assert (machine.name, str(machine)) == (name, name)
    assert Machine.parse(name) == machine
    isa, registers = ISAS[machine.isa], PRESETS[name].registers
    assert machine.vector_bytes == isa.vector_bytes
    assert machine.vector_registers == (registers or isa.vector_registers)
    target = halide.Target(machine.kernel_target())
    assert all(target.has_feature(getattr(halide.TargetFeature, f)) for f in _names(machine))


def _names(machine: Machine) -> list[str]:
    import halide

    members = {n.lower(): n for n in halide.TargetFeature.__members__}
    plain = {n.replace("_", ""): m for n, m in members.items()}
    wanted = [f for f in (*machine.features, *KERNEL_FEATURES) if not f.startswith("vector_bits")]
    return [plain[f.replace("_", "")] for f in wanted]


def test_vectors_of_the_common_machines() -> None:
    assert Machine.named("x86-64-avx512").lanes(4) == 16
    assert Machine.named("x86-64-avx2").lanes(4) == 8
    assert Machine.named("aarch64-neon").lanes(2) == 8
    assert Machine.named("aarch64-neon").lanes(64) == 1
    assert Machine.named("x86-64-avx512").vector_registers == 32


def test_registers_for_integers_are_those_of_vectors_or_of_the_core() -> None:
    for name in PRESETS:
        machine = Machine.named(name)
        wanted = machine.vector_registers if machine.has_vectors else 12
        assert machine.for_integers().vector_registers == wanted


def test_machines_that_multiply_and_add_in_one_instruction() -> None:
    fusing = {name for name in PRESETS if Machine.named(name).fuses}
    assert fusing == {
        *(
            "x86-64-avx2",
            "x86-64-avx512",
            "x86-64-zen4",
            "x86-64-sapphirerapids",
            "aarch64-neon",
            "aarch64-neon-dotprod",
        ),
        "riscv64-rvv128",
    }


def test_halide_target() -> None:
    machine = Machine.named("x86-64-avx2")
    assert machine.halide_target() == "x86-64-linux-avx-avx2-f16c-fma-sse41"
    assert machine.halide_target("profile").endswith("-sse41-profile")
    assert machine.kernel_target().endswith("-no_asserts-no_bounds_query-no_runtime-user_context")


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("x86-64", ""),
        ("x86-64-sse41", "-msse4.1"),
        ("x86-64-avx2", "-msse4.1 -mavx -mf16c -mfma -mavx2"),
        (
            "x86-64-avx512",
            "-msse4.1 -mavx -mf16c -mfma -mavx2 "
            "-mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl",
        ),
        ("aarch64-neon", ""),
        ("arm-neon", "-mfpu=neon"),
        ("riscv64-rvv128", ""),
        ("wasm32-simd128", "-msimd128"),
        ("cortex-m7", ""),
    ],
)
def test_compilers_of_source_get_the_vector_options(name: str, flags: str) -> None:
    assert " ".join(Machine.named(name).vector_flags) == flags


def test_sets_that_source_does_not_use_are_left_out() -> None:
    target = "x86-64-linux-avx-avx2-avx512-avx512_skylake-avx512_zen4-f16c-fma-sse41"
    machine = Machine.of_target("mine", target)
    assert "avx512vnni" in machine.x86_sets
    assert "-mavx512vnni" not in machine.vector_flags


def test_compilers_get_the_microcontroller() -> None:
    flags = Machine.named("cortex-m4").compiler_flags
    assert flags == ("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16")
    assert Machine.named("arm-neon").compiler_flags == ()
    machine = Machine.parse("cortex-m4:l2=0")
    assert str(machine) == "cortex-m4:l2=0" and machine.cpu == "cortex-m4"


@pytest.mark.parametrize(
    ("name", "objects", "system", "vectors"),
    [
        ("cortex-m7", False, False, False),
        ("scalar", False, True, False),
        ("scalar:os=noos", False, False, False),
        ("arm-neon:os=noos", True, False, True),
        ("x86-64", True, True, True),
    ],
)
def test_properties_of_machines(name: str, objects: bool, system: bool, vectors: bool) -> None:
    machine = Machine.parse(name)
    assert (machine.has_objects, machine.has_system) == (objects, system)
    assert machine.has_vectors == vectors
    assert machine.has_threads == (system and vectors)


def test_settings_replace_single_values() -> None:
    machine = Machine.parse("aarch64-neon:cores=4:l2=1M:l3=0:os=osx:l1=49152")
    assert (machine.cores, machine.l2_bytes, machine.l3_bytes) == (4, 1 << 20, 0)
    assert (machine.os, machine.l1_bytes) == ("osx", 48 << 10)
    assert str(machine) == "aarch64-neon:os=osx:cores=4:l1=48K:l2=1M:l3=0"
    assert Machine.parse(str(machine)) == machine


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x86-64-avx3", "unknown machine 'x86-64-avx3'; did you mean 'x86-64-avx2'?; known are ho"),
        ("", "unknown machine ''; known are host, x86-64, "),
        ("x86-64:core=2", "unknown machine setting 'core=2'; did you mean 'cores'?; a setting is"),
        ("x86-64:cores", "machine setting 'cores' has no value"),
        ("x86-64:cores=0", "cores is a number from 1 on, found '0'"),
        ("x86-64:cores=two", "cores is a number from 1 on, found 'two'"),
        ("x86-64:l2=1G", "l2 is a number of bytes, or has the suffix K or M, found '1G'"),
        ("x86-64:os=linus", "os is one of linux, osx, windows, android, ios, noos, wasmrt, found"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(UserError) as error:
        Machine.parse(text)
    assert str(error.value).startswith(message)


def test_foreign_halide_target() -> None:
    assert parse_halide_target("arm-64-osx") == ("aarch64", "osx", ())
    for text in ("mips-32-linux", "x86-64-plan9", "x86"):
        with pytest.raises(UserError, match=f"no machine for Halide target '{text}'"):
            parse_halide_target(text)


def test_host_agrees_with_halide_and_the_system() -> None:
    import halide

    machine = Machine.host()
    assert (machine.name, str(machine)) == ("host", "host")
    assert set(machine.features) <= set(parse_halide_target(str(halide.get_host_target()))[2])
    assert machine.cores >= 1
    assert machine.l1_bytes >= 4 << 10
    assert Machine.parse("host:cores=3").cores == 3


@pytest.mark.parametrize(
    ("code", "here", "obstacle"),
    [
        ("x86-64-avx2", "x86-64-avx512", None),
        ("x86-64-avx2", "x86-64-avx2:l2=4M:cores=8", None),
        ("x86-64-avx2:os=noos", "x86-64-avx2", None),
        ("aarch64-neon-dotprod", "aarch64-neon", None),
        ("x86-64-avx512", "x86-64-zen4", None),
        (
            "x86-64-zen4",
            "x86-64-sapphirerapids",
            "its kernels take avx512_zen4, which this machine",
        ),
        ("x86-64-avx512", "x86-64-avx2", "its kernels take avx512, avx512_skylake, which this mac"),
        (
            "aarch64-neon",
            "x86-64",
            "its kernels are for arm-64-linux, this machine is x86-64-linux",
        ),
        ("x86-64:os=osx", "x86-64", "its kernels are for x86-64-osx, this machine is x86-64-linux"),
        (
            "x86-64",
            "x86-64:os=windows",
            "its kernels are for x86-64-linux, this machine is x86-64-",
        ),
    ],
)
def test_obstacles(code: str, here: str, obstacle: str | None) -> None:
    found = Machine.parse(here).obstacle(Machine.parse(code))
    assert found is None if obstacle is None else found is not None and found.startswith(obstacle)


def test_tuning_is_no_obstacle() -> None:
    code = Machine.named("x86-64-avx2")
    tuned = replace(code, features=(*code.features, "tune_znver4"))
    assert code.obstacle(tuned) is None


def test_caches_as_linux_describes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = (("Instruction", 1, "64K"), ("Data", 1, "48K"), ("Unified", 2, "2048K"))
    for index, (kind, level, size) in enumerate(entries):
        folder = tmp_path / "cache" / f"index{index}"
        folder.mkdir(parents=True)
        (folder / "type").write_text(f"{kind}\n")
        (folder / "level").write_text(f"{level}\n")
        (folder / "size").write_text(f"{size}\n")
    original = Path
    monkeypatch.setattr(host, "Path", lambda _: original(tmp_path / "cache"))
    machine = Machine.host()
    assert (machine.l1_bytes, machine.l2_bytes, machine.l3_bytes) == (48 << 10, 2 << 20, 0)


def test_host_without_a_description_of_its_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "index0"
    folder.mkdir()
    (folder / "type").write_text("Data")
    (folder / "level").write_text("first")
    original = Path
    monkeypatch.setattr(host, "Path", lambda _: original(tmp_path))
    machine = Machine.host()
    assert (machine.l1_bytes, machine.l2_bytes, machine.l3_bytes) == (32 << 10, 512 << 10, 0)
