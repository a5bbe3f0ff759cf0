"""Which axes of a model are open: it is imported for several numbers, and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from autodeploy.analysis.bending_sizes import MOST_NUMBERS
from autodeploy.analysis.compare_empty import check_without_elements
from autodeploy.analysis.compare_sizes import (
    Compared,
    Numbers,
    Sample,
    compare_with,
    open_by_comparison,
)
from autodeploy.analysis.computed_sizes import forget_records
from autodeploy.analysis.growing_axes import OpenAxes
from autodeploy.analysis.open_axes import found_axes, open_axes
from autodeploy.analysis.watched_sizes import watch_sizes
from autodeploy.diagnostics import UnsupportedError, UserError
from autodeploy.dialects.nn.open_extent import OpenExtentAttr
from autodeploy.dialects.nn.padding_by_rest import COMPARED_ATTRIBUTE, SAME_ATTRIBUTE
from autodeploy.frontend.open_sizes import Extents, OpenSizes
from autodeploy.passes.nn.merge_pads import merge_pads
from autodeploy.passes.nn.resolve_extents import end_values, resolve_extents
from autodeploy.passes.onnx.kept_extents import KEEP_ATTRIBUTE

_MOST_ROUNDS = 8
"""How many times further numbers may be asked for."""


def open_extents(
    ctx: Context,
    module: ModuleOp,
    extent: OpenExtentAttr,
    sizes: OpenSizes,
    imported: Callable[[Extents], ModuleOp],
) -> None:
    """Write to a module of the nn dialect which axes are open.

    It is the model for the largest numbers, and ``imported`` gives it for others. Raises
    ``UnsupportedError`` where an extent cannot be open.
    """
    merge_pads(module)
    work = _Opening(ctx, module, extent, sizes, imported)
    work.open()
    forget_records(module)
    module.attributes.pop(COMPARED_ATTRIBUTE, None)
    for op in module.walk():
        op.attributes.pop(SAME_ATTRIBUTE, None)


class _Opening:
    """Compares a module with the model for other numbers, until these tell of all."""

    def __init__(
        self,
        ctx: Context,
        module: ModuleOp,
        extent: OpenExtentAttr,
        sizes: OpenSizes,
        imported: Callable[[Extents], ModuleOp],
    ):
        self._ctx, self._module, self._extent = ctx, module, extent
        self._sizes, self._imported = sizes, imported
        self._models: dict[Numbers, ModuleOp] = {}
        self._zeros = list(sizes.zeros)

    def open(self) -> None:
        """Write to the module which axes are open."""
        module, extent = self._module, self._extent
        original = module.clone()
        further: list[Extents] = []
        for _ in range(_MOST_ROUNDS):
            samples = self._samples(further)
            compared = open_by_comparison(module, extent, samples)
            (func,) = (op for op in module.body.block.ops if isinstance(op, FuncOp))
            told = found_axes(module, extent, func, compared)
            asked = self._asked(compared, told)
            if not asked:
                break
            further += [self._at(numbers) for numbers in asked if 0 not in numbers]
            self._zeros += [self._at(numbers) for numbers in asked if 0 in numbers]
            restored = original.clone()
            region = module.detach_region(module.body)
            module.add_region(restored.detach_region(restored.body))
            region.drop_all_references()
        else:
            raise UnsupportedError(
                f"extent {extent} cannot be open: no few numbers tell how the model follows from it"
            )
        for extents in () if told.problems else self._zeros:
            other = self._model(extents)
            check_without_elements(self._ctx, module, other, told, extent, extents.numbers)
        if KEEP_ATTRIBUTE in module.attributes and not told.problems:
            end_values(func, told, found_axes(module, extent, func))
        axes = open_axes(module, func, compared)
        if axes is not None:
            resolve_extents(self._ctx, func, axes.stated)

    def _at(self, numbers: Numbers) -> Extents:
        return self._sizes.at(numbers)

    def _model(self, extents: Extents) -> ModuleOp:
        """Return the model for other numbers."""
        numbers = extents.numbers
        if numbers not in self._models:
            try:
                found = self._imported(extents)
            except UserError as error:
                # Such as an element that is there for larger numbers only.
                raise UnsupportedError(
                    f"extent {self._extent} cannot be open: for {self._extent.numbers(numbers)} "
                    f"{error}; split the range, such as {self._extent.split(numbers)}"
                ) from None
            merge_pads(found)
            self._models[numbers] = found
        return self._models[numbers]

    def _samples(self, further: Sequence[Extents]) -> dict[Numbers, Sample]:
        """Return what the model is for the first numbers and further ones."""
        sizes = self._sizes
        samples: dict[Numbers, Sample] = {}
        for extents in (*sizes.others, *sizes.between, *sizes.rounded, *further):
            found = samples.values()
            moves = any(sample.has_other_lines() for sample in found)
            is_asked = extents in further
            needs_another = moves or any(sample.needs_another() for sample in found)
            if extents in sizes.between and not (needs_another or is_asked):
                continue
            if extents in sizes.rounded and not (moves or is_asked):
                continue
            other, numbers = self._model(extents), extents.numbers
            samples[numbers] = compare_with(self._ctx, self._module, other, self._extent, numbers)
        return samples

    def _asked(self, compared: Compared, told: OpenAxes) -> Sequence[Numbers]:
        """Return further numbers at which the model may be another one than for those known."""
        telling = compared.telling
        if not told.problems:
            watch_sizes(self._ctx, self._module, self._models, told, self._extent, telling)
        if telling.refused:
            named = ", ".join(map(repr, telling.refused))
            raise UnsupportedError(
                f"extent {self._extent} cannot be open: what is computed from its number grows "
                f"in too many ways to be followed (node {named}); parts of at most "
                f"{MOST_NUMBERS} numbers, or a step, may help"
            )
        for numbers, sample in compared.samples.items():
            if sample.is_partial and numbers in telling.watched:
                raise UnsupportedError(
                    f"extent {self._extent} cannot be open: its number decides for "
                    f"{self._extent.numbers(numbers)}, where extents are 1; split the range, such "
                    f"as {self._extent.split(numbers)}"
                )
        known = {*compared.samples, tuple(range_.most for range_ in self._extent.ranges)}
        known |= {extents.numbers for extents in self._zeros}
        return [numbers for numbers in telling.numbers if numbers not in known]
