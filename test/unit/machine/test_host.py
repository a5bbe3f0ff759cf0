"""What the system says of the machine that this runs on."""

from __future__ import annotations

from pathlib import Path

import pytest

from autodeploy.machine.host import (
    _x86_sets,  # pyright: ignore[reportPrivateUsage]
    host_target,
    offered_target,
)

ZEN4 = (
    "x86-64-linux-tune_znver4-avx-avx2-avx512-avx512_cannonlake-avx512_skylake-avx512_zen4"
    "-f16c-fma-sse41"
)
AVX2_FLAGS = "fpu sse4_1 avx f16c fma avx2"
AVX512_FLAGS = (
    "avx512f avx512cd avx512dq avx512bw avx512vl avx512ifma avx512vbmi avx512_vbmi2 avx512_vnni "
    "avx512_bitalg avx512_vpopcntdq avx512_bf16 sse4a"
)


def sets_of(flags: str, folder: Path) -> frozenset[str]:
    file = folder / "cpuinfo"
    file.write_text(f"processor\t: 0\nflags\t\t: {flags}\nbugs\t\t: none\n\nflags\t\t: fpu\n")
    return _x86_sets(file)


def test_sets_that_the_system_lacks_are_left_out(tmp_path: Path) -> None:
    target = offered_target(ZEN4, sets_of(AVX2_FLAGS, tmp_path))
    assert target == "x86-64-linux-tune_znver4-avx-avx2-f16c-fma-sse41"


def test_a_feature_needs_all_of_its_sets(tmp_path: Path) -> None:
    target = offered_target(ZEN4, sets_of(f"{AVX2_FLAGS} avx512f avx512cd avx512dq", tmp_path))
    assert target == "x86-64-linux-tune_znver4-avx-avx2-avx512-f16c-fma-sse41"


def test_a_target_stays_where_all_are_there(tmp_path: Path) -> None:
    (tmp_path / "512").mkdir()
    assert offered_target(ZEN4, sets_of(f"{AVX2_FLAGS} {AVX512_FLAGS}", tmp_path / "512")) == ZEN4


def test_a_target_stays_where_nothing_is_known(tmp_path: Path) -> None:
    assert offered_target(ZEN4, _x86_sets(tmp_path / "missing")) == ZEN4
    (tmp_path / "arm").write_text("processor\t: 0\nFeatures\t: fp asimd\n")
    assert offered_target("arm-64-linux", _x86_sets(tmp_path / "arm")) == "arm-64-linux"


def test_the_host_is_its_processor_without_masked_features(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def masked(path: Path) -> frozenset[str]:
        assert path == Path("/proc/cpuinfo")
        return frozenset(AVX2_FLAGS.replace("_", "").split())

    monkeypatch.setattr("halide.get_host_target", lambda: ZEN4)
    monkeypatch.setattr("autodeploy.machine.host._x86_sets", masked)
    assert host_target() == "x86-64-linux-tune_znver4-avx-avx2-f16c-fma-sse41"
