"""The preset that is most like a machine: instruction set first, then caches."""

from __future__ import annotations

import pytest

from autodeploy.machine import Machine
from autodeploy.machine.nearest import nearest_preset
from autodeploy.machine.presets import PRESETS

ZEN4 = Machine.named("x86-64-zen4").halide_target()


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_nearest_to_itself(name: str) -> None:
    assert nearest_preset(Machine.named(name), PRESETS) == name


@pytest.mark.parametrize(
    ("machine", "among", "nearest"),
    [
        (Machine.of_target("host", ZEN4), PRESETS, "x86-64-zen4"),
        (Machine.of_target("host", f"{ZEN4}-tune_znver4"), PRESETS, "x86-64-zen4"),
        # Instructions count before caches, which are those of a Sapphire Rapids here.
        (Machine.of_target("host", ZEN4, 48 << 10, 2 << 20), PRESETS, "x86-64-zen4"),
        (Machine.named("x86-64-avx512"), ["x86-64-avx2", "x86-64-zen4"], "x86-64-zen4"),
        (
            Machine.named("x86-64-avx512"),
            ["x86-64-sapphirerapids", "x86-64-zen4"],
            "x86-64-zen4",
        ),
        (Machine.parse("cortex-m4:l1=16K"), ["cortex-m7", "cortex-m4"], "cortex-m4"),
        # Other vector registers, or another architecture.
        (Machine.named("x86-64-avx2"), ["x86-64-zen4", "x86-64"], None),
        (Machine.named("aarch64-neon"), ["x86-64-sse41", "arm-neon"], None),
        (Machine.named("x86-64"), [], None),
    ],
)
def test_the_nearest(machine: Machine, among: list[str], nearest: str | None) -> None:
    assert nearest_preset(machine, among) == nearest


def test_caches_decide_between_presets_with_as_many_other_instructions() -> None:
    among = ["aarch64-neon", "aarch64-neon-dotprod"]
    target = f"{Machine.named('aarch64-neon').halide_target()}-arm_dot_prod"
    for preset, caches in zip(among, ((32, 512, 2048), (64, 512, 4096)), strict=True):
        machine = Machine.of_target("board", target, *(size << 10 for size in caches))
        assert nearest_preset(machine, among) == preset
