"""How far a result may be from another implementation's, and how far it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.diagnostics import UserError
from autodeploy.precision import PRODUCTS
from autodeploy.templates.device_tensor.template import DEVICE_TENSOR
from autodeploy.tools.tensor_files import Array

_EXACT, _WINOGRAD, _HALF = 1e-5, 1e-4, 1e-2
"""The tolerances relative to the largest result: for 32 bits and more, for Winograd's
algorithm, for 16-bit floats."""

_NARROW = {
    "bf16": 1e-1, "rows=s8": 1e-1,
    "weights=f16": 1e-2, "weights=bf16": 1e-1, "weights=s8": 1e-1,
    "products=tf32": 1e-2, "products=f16": 1e-2, "products=bf16": 1e-1,
}  # fmt: skip
"""Those of programs whose factors have fewer bits than the model's, by precision: the option trades
exactness, and the error that is printed says how much of it."""


class DifferenceError(UserError):
    """An output is not what another implementation computes."""


@dataclass(frozen=True)
class Compared:
    """An output next to that of ``reference``, and the largest error, of the largest value.

    ``run`` tells runs apart, by the numbers of open extents or by their order. ``exact`` is the
    error against ONNX's reference, where onnxruntime differs. At most ``limit`` is expected.
    """

    output: str
    run: str
    reference: str
    error: float
    exact: float
    limit: float

    @property
    def agrees(self) -> bool:
        """Return whether one of the errors is as small as is expected."""
        return min(self.error, self.exact) <= self.limit

    def __str__(self) -> str:
        expects = f"of the largest value, at most {self.limit:.0e} is expected"
        run = f" ({self.run})" if self.run else ""
        if self.error > self.limit >= self.exact:
            return (
                f"{self.output}{run}: agrees with ONNX's reference, largest error "
                f"{self.exact:.1e} {expects}; onnxruntime differs by {self.error:.1e}"
            )
        says = "agrees" if self.agrees else "differs"
        return f"{self.output}{run}: {says}, largest error {self.error:.1e} {expects}"


def tolerance_of(entry: TensorEntry, manifest: Manifest, machine: str | None = None) -> float:
    """Return the largest error that is expected of an output, by the options of the bundle.

    ``machine`` is the one whose program ran, of those of the bundle; ``None`` if nobody knows. If
    no kernel of that program is on tensor cores, none rounds factors for them.
    """
    precision = manifest.options.get("precision", "")
    ran = [variant for variant in manifest.for_machines if variant.name == machine]
    kernels = ran[0].kernels if ran else manifest.kernels
    rounds = any(kernel.algorithm == DEVICE_TENSOR for kernel in kernels)
    narrow = _NARROW.get(precision)
    if narrow is not None and (rounds or not precision.startswith(PRODUCTS)):
        return narrow
    if entry.dtype in ("float16", "bfloat16"):
        return _HALF
    return _WINOGRAD if manifest.options.get("winograd") == "auto" else _EXACT


def error_between(found: Array, right: Array) -> float:
    """Return the largest difference, by the largest right number that is finite.

    It is infinite where shapes, infinities or nans are not the same.
    """
    if found.shape != right.shape:
        return np.inf
    if right.dtype.kind in "OSU":
        return 0.0 if np.array_equal(found, right) else np.inf
    a, b = (np.asarray(array, np.float64) for array in (found, right))
    finite = np.isfinite(b)
    if (
        not np.array_equal(a[~finite], b[~finite], equal_nan=True)
        or not np.isfinite(a[finite]).all()
    ):
        return np.inf
    difference = float(np.abs(a - b)[finite].max(initial=0))
    largest = float(np.abs(b[finite]).max(initial=0))
    return difference / largest if largest else difference
