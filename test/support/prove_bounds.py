"""Whether a scheduled kernel stays within its buffers, by Halide's own bounds.

A schedule asks for whole tiles: one of 16 channels writes before the first element of an output
that has 8. Halide knows which elements a kernel accesses and how much memory it keeps, and would
check both in each run. Kernels leave that out, so tests check it here, once, for all runs.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path

import numpy as np
from lowered_conditions import Condition, Number, UndecidedError, conditions_of
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from autodeploy.codegen.halide.run_halide import run_halide
from autodeploy.diagnostics import UserError
from autodeploy.dialects.growth import Growth
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.halide.prefetch import stop_fetching
from autodeploy.dialects.halide.schedule import SplitOp, UnrollOp, VectorizeOp
from autodeploy.dialects.halide.types import buffer_type

Ranges = tuple[tuple[int, int], ...]
"""The least and the largest of each number by which open extents grow."""

MOST_RUNS = 1 << 16
"""Combinations of numbers that are looked at. Of more, each number has its ends, and others that
are as far apart as each other."""

MOST_ITERATIONS = 1 << 22
"""Iterations of the loops around a condition, for all runs, of which each is looked at."""

_UNCHECKED = "no_asserts"


def prove_bounds(pipeline: PipelineOp, target: str, ranges: Ranges = ()) -> None:
    """Raise ``UserError`` unless all that a kernel accesses is within its buffers.

    Where extents are open, a condition that cannot be decided is no error, and reads along an open
    axis are within the room for its largest extent.

    ``target`` is Halide's target string; ``ranges`` are of the numbers of a run, where extents are
    open. A kernel is not called for extents of 0. Raises as ``run_halide`` does, too.
    """
    name = pipeline.sym_name.data
    checked = pipeline.clone()
    # A load that fetches ahead is beyond its buffer, and never runs.
    stop_fetching(checked)
    _roll_loops(checked)
    features = [part for part in target.split("-") if part != _UNCHECKED]
    with tempfile.TemporaryDirectory() as folder:
        lowered = Path(folder) / "kernel.stmt"
        objects = run_halide(checked, "checked", "-".join(features), {"stmt": lowered}, "_checked")
        conditions = conditions_of(lowered.read_text(errors="replace"))
    names = [source.name() for source in (*objects.inputs, *objects.outputs)]
    bounds = _Bounds(checked, names, ranges)
    for condition in conditions:
        if (reason := bounds.constraint_error(condition)) is not None:
            raise UserError(f"kernel '{name}' with its schedule {reason}")


def _roll_loops(pipeline: PipelineOp) -> None:
    """Make loops of vectors and of what is unrolled, which has the same bounds and is far less."""
    for op in [op for op in pipeline.walk() if isinstance(op, VectorizeOp | UnrollOp)]:
        split: list[Operation] = []
        if op.factor is not None:
            name, factor = op.var.data, op.factor.value.data
            split.append(SplitOp(op.func, name, name, f"{name}_in", factor, stage=op.stage_index))
        Rewriter.replace_op(op, split, [])


class _Bounds:
    """The fields of a pipeline's buffers, which have ``names`` in Halide's text, in all runs."""

    def __init__(self, pipeline: PipelineOp, names: list[str], ranges: Ranges):
        self._ranges = ranges
        self._known: dict[str, int] = {}
        self._growths: dict[str, tuple[Growth, int]] = {}
        self._hints: dict[str, str] = {}
        arguments = pipeline.body.block.args
        for name, buffer, axes in zip(names, arguments, pipeline.open_axes, strict=True):
            self._hints[name] = buffer.name_hint or name
            type_ = buffer_type(buffer)
            for index, (extent, stride) in enumerate(
                zip(type_.extents, type_.strides, strict=True)
            ):
                self._known |= {f"{name}.min.{index}": 0, f"{name}.stride.{index}": stride}
                if axes[index]:
                    self._growths[f"{name}.extent.{index}"] = axes[index], extent
                else:
                    self._known[f"{name}.extent.{index}"] = extent

    def constraint_error(self, condition: Condition) -> str | None:
        """Return how a kernel breaks a condition; ``None`` where it does not in any run."""
        accesses = condition.kind == "access_out_of_bounds"
        _, dimension, low, high, *_ = condition.told if accesses else ("", "", "", "")
        buffer = condition.told[0].split(" ")[-1] if condition.told else ""
        extent = f"{buffer}.extent.{dimension}"
        writes = accesses and condition.told[0].startswith("Output")
        if accesses and not writes and extent in self._growths:
            # Tiles are whole, and memory has room for the largest number: what is read of the rest
            # reaches no result.
            extent = str(self._growths[extent][1])
        texts = [low, high, extent] if accesses else [condition.text]
        try:
            known = self._in_runs(condition, texts)
            values = [condition.value(text, known) for text in texts]
        except UndecidedError:
            if self._growths:
                # What guards the end of a run is not always in Halide's bounds.
                return None
            return f"may access or keep more than there is: nothing shows that {condition.text}"
        if not accesses:
            holds = bool(np.all(values[0]))
            told = ", ".join(condition.told)
            return None if holds else f"breaks a check of Halide's: {condition.kind} of {told}"
        least, most, extents = np.broadcast_arrays(*values)
        wrong = np.flatnonzero((least < 0) | (most >= extents))
        if not wrong.size:
            return None
        first, last, count = (array.flat[wrong[0]] for array in (least, most, extents))
        does = "writes" if writes else "reads"
        return (
            f"{does} '{self._hints.get(buffer, buffer)}' from {first} to {last} along dimension "
            f"{dimension}, which has 0 to {count - 1}"
        )

    def _in_runs(self, condition: Condition, texts: Sequence[str]) -> Mapping[str, Number]:
        """Return the values that names in texts of a condition have, in all runs and iterations."""
        names = {name for text in texts for name in condition.names(text)}
        known = {n: np.asarray(self._known[n], np.int64) for n in names if n in self._known}
        known |= self._open_extents({n: self._growths[n] for n in names if n in self._growths})
        for name, (least, count) in condition.loops.items():  # outer ones come first
            if name in names:
                known = _in_iterations(known, condition, name, least, count)
        return known

    def _open_extents(self, growths: Mapping[str, tuple[Growth, int]]) -> Mapping[str, Number]:
        """Return open extents, which grow so up to a largest one, in all runs."""
        places = sorted({place for growth, _ in growths.values() for place in growth.places})
        if not places:
            return {}
        ranges = [self._range(place) for place in places]
        counts = [last - first + 1 for first, last in ranges]
        if prod(counts) > MOST_RUNS:
            each = int(MOST_RUNS ** (1 / len(places)))
            counts = [min(count, each) for count in counts]
        axes = [
            np.linspace(first, last, count).astype(np.int64)
            for (first, last), count in zip(ranges, counts, strict=True)
        ]
        numbers = dict(zip(places, map(np.ravel, np.meshgrid(*axes)), strict=True))
        listed = [numbers.get(place, numbers[places[0]]) for place in range(max(places) + 1)]
        extents = {name: _extents(growth, listed) for name, (growth, _) in growths.items()}
        there = np.ones(listed[0].shape, bool)
        for name, (_, most) in growths.items():
            there &= (extents[name] > 0) & (extents[name] <= most)
        return {name: values[there] for name, values in extents.items()}

    def _range(self, place: int) -> tuple[int, int]:
        """Return the range of a number; that which the types leave where none is known."""
        if place < len(self._ranges):
            return self._ranges[place]
        return 1, max(most for growth, most in self._growths.values() if place in growth.places)


def _in_iterations(
    known: dict[str, Number], condition: Condition, name: str, least: str, count: str
) -> dict[str, Number]:
    """Return what is known, once for each value that the variable of a loop has."""
    first, number, *values = np.broadcast_arrays(
        condition.value(least, known), condition.value(count, known), *known.values()
    )
    most = int(number.max(initial=0))
    if first.size * most > MOST_ITERATIONS:
        raise UndecidedError
    steps = np.arange(most)
    there = (steps < number[..., None]).ravel()

    def each(array: Number) -> Number:
        return np.broadcast_to(array[..., None], (*array.shape, most)).ravel()[there]

    found = {key: each(value) for key, value in zip(known, values, strict=True)}
    return found | {
        name: (each(first) + np.broadcast_to(steps, (*first.shape, most)).ravel()[there])
    }


def _extents(growth: Growth, numbers: list[Number]) -> Number:
    return np.asarray(growth.at(numbers), np.int64)  # pyright: ignore[reportArgumentType]
