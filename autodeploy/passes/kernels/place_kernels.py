"""``place-kernels``: every kernel that the device of the machine can run does so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import BlockArgument
from xdsl.passes import ModulePass

from autodeploy.diagnostics import UserError
from autodeploy.dialects.halide.pipeline import HOST_REASON
from autodeploy.dialects.machine import machine_of
from autodeploy.dialects.nn.config import ConfigAttr
from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.machine import Machine
from autodeploy.machine.devices import DEVICES
from autodeploy.templates.device_kernels import obstacle
from autodeploy.templates.device_tensor.template import DEVICE_TENSOR, PRODUCTS
from autodeploy.templates.registry import device_templates, template_of
from autodeploy.weights import constant_array


@dataclass(frozen=True)
class PlaceKernelsPass(ModulePass):
    """Give kernels a template of the device of the module's machine, if it has one.

    A kernel stays on the processor if one of its values has elements that the device lacks, if it
    is in the region of a loop or a choice, and if it has several anchors. It says why in
    ``halide.on_host``. A config that a kernel has already stays.

    With ``products``, a type of factors, the tensor cores of the device multiply matrices and
    images, whose elements are rounded to that type. Products stay as they are if they are too small
    or have dynamic extents, and for f16 if a constant factor exceeds its range. Raises
    ``UserError`` if the device has no such tensor cores.
    """

    name = "place-kernels"

    products: str | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set ``config``, or the reason, on all kernels of the module."""
        machine = machine_of(op)
        if self.products is not None:
            _check_products(machine, self.products)
        if not machine.device:
            return
        for kernel in [k for k in op.walk() if isinstance(k, KernelOp)]:
            reason = obstacle(kernel, machine)
            if reason is not None:
                kernel.attributes[HOST_REASON] = StringAttr(reason)
            elif kernel.config is None:
                kernel.config = self._config(ctx, kernel, machine)

    def _config(self, ctx: Context, kernel: KernelOp, machine: Machine) -> ConfigAttr:
        if (
            self.products is not None
            and template_of(DEVICE_TENSOR).applies(kernel)
            and (self.products != "f16" or _is_in_range(ctx, kernel))
        ):
            return ConfigAttr(DEVICE_TENSOR, {PRODUCTS: (self.products,)})
        return ConfigAttr(_template(kernel, machine))


def _check_products(machine: Machine, element: str) -> None:
    has = DEVICES[machine.device].products if machine.device else frozenset[str]()
    if element not in has:
        able = [name for name, device in DEVICES.items() if element in device.products]
        if not able:
            raise UserError(f"no device has tensor cores for products of '{element}'")
        what = f"device '{machine.device}'" if machine.device else f"machine '{machine.name}'"
        raise UserError(
            f"{what} has no tensor cores for products of {element}; {able[0]} is the first device "
            "that has"
        )


def _is_in_range(ctx: Context, kernel: KernelOp) -> bool:
    """Return whether no constant factor of a kernel exceeds the range of f16."""
    factors = kernel.anchors[0].operands[:2]
    inputs = [kernel.inputs[f.index] for f in factors if isinstance(f, BlockArgument)]
    arrays = [array for value in inputs if (array := constant_array(ctx, value)) is not None]
    most = np.finfo(np.float16).max
    return all(np.abs(array).max(initial=0) <= most for array in arrays)


def _template(kernel: KernelOp, machine: Machine) -> str:
    return next(
        name
        for name, template in device_templates()
        if template.exact and template.applies(kernel) and template.pays(kernel, machine)
    )
