"""The state of a network as another implementation has it: inputs that were its outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.toolchain.session import Array
from autodeploy.weights import named_dtype


class CarriedState:
    """Inputs of the model that the program lacks: outputs of the run before, zeros at first."""

    def __init__(self, manifest: Manifest):
        self._manifest = manifest
        self.inputs: dict[str, Array] = {}
        for state in manifest.states:
            shape = list(state.shape)
            if state.axis is not None:
                shape[state.axis] = 0
            self.inputs[state.input] = np.zeros(shape, named_dtype(state.dtype))

    @property
    def outputs(self) -> list[str]:
        """Return the outputs of the model that are inputs of the next run."""
        return [state.output for state in self._manifest.states]

    def take(self, outputs: Mapping[str, Array]) -> None:
        """Let outputs be the inputs of the next run."""
        for state in self._manifest.states:
            self.inputs[state.input] = outputs[state.output]

    def has_place_for_each_row(self, entry: TensorEntry) -> bool:
        """Return whether an input has an element for each row of the state, as a mask has."""
        counted = {place for place, e in enumerate(self._manifest.extents) if e.of_state}
        growths = (g for part in (entry, *entry.parts) for g in part.growths)
        return any(not counted.isdisjoint(growth.places) for growth in growths)

    def numbers(self) -> Iterator[tuple[int, ...]]:
        """Yield the numbers of some runs: largest, least and middle ones, while they may be.

        Those of the state follow from the runs before.
        """
        extents = self._manifest.extents
        for end in (1, 0, 2, 0):
            found = [
                (e.least, e.most, (e.least + e.most) // 2 // e.step * e.step)[end] for e in extents
            ]
            for state in self._manifest.states:
                if state.axis is not None and state.extent is not None:
                    found[state.extent] = self.inputs[state.input].shape[state.axis]
            if not all(extent.has(n) for extent, n in zip(extents, found, strict=True)):
                return
            yield tuple(found)
