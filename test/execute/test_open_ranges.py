"""Networks with open extents, against onnxruntime: one table of networks and ranges.

Runs of larger and smaller numbers follow each other, and memory beyond a run is nan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import open_along
import open_counts
import open_ends
import open_images
import open_joins
import open_recurrent
import open_reshapes
import open_resizes
import open_same
import open_selections
import open_several
import open_windows
import pytest
from fake_cuda import fake_cuda, needs_linux
from onnx import ModelProto
from open_derived import detector
from open_formless import FORMLESS, cut_of_many
from open_lists import LISTS
from open_runs import check_range, check_sanitized_range, compiled
from opencl import needs_opencl
from quick import QUICK, spread

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle

THREADS = {"threads": 2, "machine": "host:parallel_work=1"}


@dataclass(frozen=True)
class Range:
    """A network and the range of its open extents, with levels and sampled numbers."""

    make: Callable[[], ModelProto]
    specs: Sequence[OpenSpec]
    levels: Sequence[int] = (0, 2, 3)
    numbers: Sequence[int] = ()
    in_threads: bool = True
    sanitized: Sequence[int] = ()

    @property
    def name(self) -> str:
        ends = (
            "_".join((*s.names, *map(str, s.parts or (s.least, s.most, s.step))))
            for s in self.specs
        )
        return "-".join((self.make.__name__, *ends))

    def check(self, folder, **options) -> None:
        """Compile the network and run it for numbers of its range."""
        several = len({name for spec in self.specs for name in spec.names}) > 1
        if not several or len(self.specs[0].names) > 1:
            check_range(self.make, self.specs[0], folder, self.numbers, **options)
            return
        model = compiled(self.make, self.specs, folder, **options)
        with load_bundle(folder, threads=options.get("threads", 1)) as session:
            open_several.check(model, session, self.specs)


def n(make, least, most, step=1, *, numbers=None, **given) -> Range:
    """Return a range of one number; by default its ends and some next to each other are run."""
    all_ = range(least, most + 1, step)
    middle = len(all_) // 2
    ends = (all_[-1], *all_[:3], *all_[middle : middle + 4], *all_[-2:-1])
    return Range(make, (OpenSpec(("n",), least, most, step),), numbers=numbers or ends, **given)


def few(make, *specs, **given) -> Range:
    """Return ranges of several extents: a name, the least and the most number, a step."""
    return Range(make, tuple(OpenSpec((name,), *ends) for name, *ends in specs), **given)


def in_parts(make, ranges: Mapping[str, str], **given) -> Range:
    """Return ranges that each have parts, and a program for each combination of these."""
    return Range(make, OpenSpec.of(ranges), **given)


def windows(make, least, most, step=1, **given) -> Range:
    """Return a range whose runs have as many neighbours as windows are rounded to."""
    all_ = range(least, most + 1, step)
    middle = len(all_) // 2
    numbers = (*all_[:2], *all_[middle : middle + 12], *all_[-2:])
    return n(make, least, most, step, numbers=numbers, levels=(0, 1, 2, 3), **given)


def same(make, least, most, **given) -> Range:
    """Return a range of which each number is run."""
    every = range(least, most + 1)
    return n(make, least, most, numbers=every, levels=(0, 1, 2, 3), **given)


def plain(makes, least, most) -> list[Range]:
    """Return the range of networks that are lowered alike at all levels; each number is run."""
    every = (most, *range(least, most))
    return [n(m, least, most, numbers=every, levels=(0,), in_threads=False) for m in makes]


def joined(make, **given) -> Range:
    """Return a range whose pieces are fractions of a tile, and whole ones."""
    return n(make, 1, 21, numbers=(21, 1, 2, 3, 8, 13, 20), levels=(0, 1, 2, 3), **given)


# Tiles have no more pixels than the least number, so ranges begin at one and further on.
RANGES = (
    n(open_along.ordered, 3, 37, in_threads=False, sanitized=(3, 4, 20, 21)),
    n(open_along.looked_up, 3, 21, in_threads=False, sanitized=(3, 4, 12, 13)),
    n(open_along.masked, 1, 20, in_threads=False),
    n(open_along.normalised, 3, 40, in_threads=False),
    n(open_along.normalised, 15, 300, in_threads=False),
    *(
        n(make, 1, 17, numbers=(17, *range(1, 18)), levels=(0, 1, 2, 3), in_threads=False,
          sanitized=(1, 2, 17))
        for make in (open_counts.diagonals, open_counts.trips, open_counts.collected,
                     open_counts.numbered, open_counts.half_numbered)
    ),
    n(open_counts.half_collected, 2, 17, numbers=(17, *range(2, 18)), levels=(0, 3),
      in_threads=False),
    n(open_ends.lasts, 3, 40, levels=(0, 1, 2, 3)),
    n(open_ends.rows, 1, 33, levels=(0, 1, 2, 3)),
    n(open_ends.cached, 1, 31, levels=(0, 1, 2, 3)),
    n(open_ends.joined, 1, 19, levels=(0, 1, 2, 3)),
    n(open_ends.padded, 4, 37, levels=(0, 1, 2, 3)),
    n(open_ends.halves, 8, 48, 2, levels=(0, 1, 2, 3)),
    n(open_images.columns, 1, 37, levels=(0, 2)),
    n(open_images.columns, 17, 37, levels=(0, 1, 2, 3)),
    n(open_images.pyramid, 16, 176, 16, levels=(0, 2), sanitized=(32,)),
    n(open_images.pyramid, 80, 176, 16, levels=(0, 1, 2, 3)),
    n(open_images.sketches, 8, 96, 8, levels=(0, 2)),
    n(open_images.sketches, 40, 96, 8, levels=(0, 1, 2, 3)),
    n(open_images.scores, 1, 19, levels=(0, 2), sanitized=(16,)),
    n(open_images.enlarged, 2, 44, 2, levels=(0, 1, 2), sanitized=(2, 18, 44)),
    n(open_images.enlarged, 16, 64, 16, levels=(0, 1, 2), in_threads=False),
    n(open_images.shrunk, 8, 51, levels=(0, 1, 2), sanitized=(8, 23, 51)),
    n(open_images.shrunk, 16, 64, 8, levels=(0, 1, 2), in_threads=False),
    n(open_images.regions, 4, 19, levels=(0, 2), sanitized=(4, 19), in_threads=False),
    joined(open_joins.kept, sanitized=(1, 2, 7, 21)),
    joined(open_joins.pieces, sanitized=(1, 2, 7, 21)),
    joined(open_joins.grids, sanitized=(1, 2, 7, 21)),
    *(
        joined(make, in_threads=False)
        for make in open_joins.NETWORKS
        if make not in (open_joins.kept, open_joins.pieces, open_joins.grids)
    ),
    n(open_recurrent.reader, 1, 41, sanitized=(1, 7, 41)),
    n(open_recurrent.cells, 1, 17),
    n(open_recurrent.sentences, 2, 20),
    n(open_recurrent.batches, 1, 19, sanitized=(1, 7, 19)),
    n(open_recurrent.scanned, 1, 23, in_threads=False),
    same(open_same.mobile_upper, 1, 40, sanitized=(1, 17, 40)),
    same(open_same.mobile_lower, 9, 41),
    same(open_same.same_kinds, 1, 30, sanitized=(1, 10, 30)),
    same(open_same.same_behind, 16, 64),
    same(open_same.computed_pads, 8, 37),
    same(open_same.wider_pads, 8, 37),
    windows(open_windows.squeezed, 31, 70, sanitized=(31, 44, 70)),
    windows(open_windows.squeezed, 32, 96, 16),
    windows(open_windows.leftovers, 15, 41, sanitized=(15, 30, 41)),
    windows(open_windows.joined, 21, 60, sanitized=(21, 32, 60)),
    windows(open_windows.joined, 21, 60, 3),
    windows(open_windows.lines, 30, 101),
    windows(open_images.pyramid, 17, 60),
    few(open_reshapes.matrices, ("batch", 1, 5), ("length", 1, 13)),
    few(open_reshapes.matrices, ("batch", 2, 8), ("length", 2, 8, 2), in_threads=False),
    Range(open_reshapes.rows, (OpenSpec(("length",), 1, 17),), numbers=(17, *range(1, 17)),
          in_threads=False, sanitized=(1, 9, 17)),
    few(open_reshapes.tokens, ("height", 2, 7), ("width", 3, 12)),
    Range(open_reshapes.tokens, (OpenSpec(("height", "width"), 4, 12, 4),), numbers=(4, 8, 12),
          in_threads=False, sanitized=(4, 8, 12)),
    few(open_resizes.skips, ("h", 9, 40), ("w", 11, 37)),
    few(open_resizes.corners, ("h", 2, 13), ("w", 3, 20), in_threads=False),
    few(open_resizes.corners, ("h", 4, 12, 2), ("w", 6, 18, 3), in_threads=False),
    few(open_several.picture, ("h", 31, 47), ("w", 32, 80, 8), levels=(0, 1, 2, 3)),
    few(open_several.ways, ("h", 21, 40), ("w", 24, 33), levels=(0, 1, 2, 3)),
    few(open_several.photographs, ("batch", 1, 3), ("w", 5, 23), ("length", 2, 9),
        levels=(0, 1, 2, 3)),
    few(open_several.encoder, ("batch", 1, 4), ("length", 1, 19), levels=(0, 1, 2, 3)),
    few(open_several.encoder, ("length", 3, 11), ("batch", 2, 5), levels=(0, 1, 2, 3)),
    *plain(FORMLESS, 2, 13),
    few(detector, ("h", 6, 13), ("w", 6, 15), levels=(0, 1, 2, 3)),
    Range(detector, (OpenSpec(("h", "w"), 6, 15),), numbers=range(6, 16), sanitized=(6, 11, 15)),
    n(cut_of_many, 9, 2000, numbers=(2000, 9, 10, 15, 400, 1999), levels=(0,), in_threads=False),
    *plain(LISTS, 1, 20),
    *plain(open_selections.SELECTIONS, 1, 8),
)  # fmt: skip


def cases(ranges: Sequence[object], most: int = 10) -> Sequence[object]:
    return spread(ranges, most) if QUICK else ranges


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("given", "level"),
    cases([(given, level) for given in RANGES for level in given.levels]),
    ids=lambda value: getattr(value, "name", value),
)
def test_numbers_of_the_range_are_right(given, level, tmp_path):
    given.check(tmp_path / "b", level=level)


@pytest.mark.exhaustive
@pytest.mark.parametrize("given", [r for r in RANGES if r.in_threads], ids=lambda r: r.name)
def test_threads_compute_the_same(given, tmp_path):
    given.check(tmp_path / "b", **THREADS)


@pytest.mark.exhaustive
@pytest.mark.parametrize("given", [r for r in RANGES if r.sanitized], ids=lambda r: r.name)
def test_sanitizers_find_nothing_in_the_c_program(given, tmp_path):
    check_sanitized_range(given.make, given.specs[0], tmp_path, given.sanitized)


DEVICE = [
    n(open_along.normalised, 3, 40, numbers=(40, 3, 4, 7, 16, 31, 39)),
    in_parts(open_along.normalised, {"n": "3,4..16,17..40"}, numbers=(40, 3, 7, 16, 17, 4)),
    n(open_joins.pieces, 1, 21, numbers=(21, 1, 2, 8, 20)),
    n(open_images.scores, 1, 19, numbers=(19, *range(1, 19))),
    n(open_recurrent.batches, 1, 19, numbers=(19, 1, 5, 16)),
    few(open_reshapes.matrices, ("batch", 1, 5), ("length", 1, 13)),
    in_parts(open_reshapes.matrices, {"batch": "1,2..5", "length": "1..4,5..13"}),
    few(open_several.photographs, ("batch", 1, 3), ("w", 5, 23), ("length", 2, 9)),
    few(detector, ("h", 6, 13), ("w", 6, 15)),
    in_parts(detector, {"h": "6..8,9..13", "w": "6..15"}),
]
"""Ranges of one, two and three numbers, and parts: means, windows, joins, loops, reshapes."""


def check_on_device(given: Range, level: int, device: str, folder: Path) -> None:
    """Check numbers of a range, with kernels on a device."""
    given.check(folder, level=level, machine=f"host:device={device}")
    manifest = Manifest.load(folder)
    programs = manifest.variants or (manifest,)
    assert all(any(kernel.on_device for kernel in one.kernels) for one in programs)


@needs_opencl
@pytest.mark.xdist_group("device")
@pytest.mark.parametrize("given", DEVICE, ids=lambda r: r.name)
def test_kernels_on_a_device_are_right(given, tmp_path):
    check_on_device(given, 2, "opencl", tmp_path / "b")


@needs_opencl
@pytest.mark.exhaustive
@pytest.mark.xdist_group("device")
@pytest.mark.parametrize(
    ("given", "level"),
    [(given, given.levels[i % len(given.levels)]) for i, given in enumerate(RANGES)][::4],
    ids=lambda value: getattr(value, "name", value),
)
def test_networks_on_a_device_are_right(given, level, tmp_path):
    # All kernels of some are for the processor.
    given.check(tmp_path / "b", level=level, machine="host:device=opencl")


@needs_linux
@pytest.mark.xdist_group("device-cuda")
@pytest.mark.parametrize(
    "given",
    [replace(given, numbers=given.numbers[:3]) for given in DEVICE[:4]],
    ids=lambda r: r.name,
)
def test_simulated_kernels_are_right(given, tmp_path):
    device = fake_cuda()
    check_on_device(given, 2, "cuda", tmp_path / "b")
    assert (device.left, device.faults) == (0, [])
