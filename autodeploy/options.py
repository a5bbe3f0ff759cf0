"""The options of a compilation: the level, the machine, shapes, and the form of the bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy.typing as npt

from autodeploy.codegen.halide.kernel_code import Emit
from autodeploy.diagnostics import UserError
from autodeploy.dialects.machine import find_machine
from autodeploy.frontend.extent_expressions import FollowingExtent
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.frontend.stage_text import StageText
from autodeploy.frontend.states import StateNames
from autodeploy.lowering.onnx_to_nn.convert_onnx_to_nn import STRING_BYTES
from autodeploy.machine.machine import HOST
from autodeploy.machine.several import parse_machines
from autodeploy.pipelines import DEFAULT_LEVEL, WinogradUse


@dataclass(frozen=True)
class CompileOptions:
    """How to compile.

    ``level`` is that of ``-O``; ``machine`` the text form of the machine to compile for, or a list
    of them, separated by commas: the program chooses one when it starts; ``shapes`` the
    shapes of inputs that the model leaves open or that are to be other ones, and ``dims`` the
    extents that it has names for, such as ``{"batch": 1}``; ``values`` the values of inputs that
    sizes are computed from, the only ones that the program takes then; ``bounds`` the largest that
    computed integers can be that are sizes, by the names of these values, ``*`` for all; ``emit``
    whether kernels become object files or source (``None``: object files where the machine has
    any); ``label`` what the demo program prints before the index of the largest score (``None``: it
    prints neither);
    ``dump_ir`` a folder for the IR after every stage, also of those before an error. With
    ``embed_weights`` the weights are linked into the program, which then needs no weight file; for
    small networks.

    ``dynamic`` is what stays open: each run of the program is given a number within its range, or
    one within each of several, and further extents follow from these. If ranges have parts,
    there is a program for each combination.

    ``state`` is inputs by the outputs that are their values in the next run: the program keeps
    these, and its caller passes neither. With ``"auto"`` their names say which ones they are.
    ``last`` is axes of outputs, by their names, along which the program returns the last element
    alone, such as ``{"logits": 1}``; products that only other elements need are left out.

    ``threads`` is the largest number of threads that the program may be asked to use, whatever
    cores ``machine`` has; with 1 it holds nothing that has to do with threads. ``jobs`` is how many
    kernels are compiled at once (``None``: as many as this process may use cores); with ``cache``
    kernels that were compiled before are taken from the user's cache.

    ``winograd`` says whether 3x3 convolutions may be computed by Winograd's algorithm where that is
    faster (``"auto"``; results then agree to 1e-4 instead of 1e-5 of the largest, and a pixel
    affects its neighbours) or not (``"off"``); ``None`` is ``"auto"`` at level 3 and ``"off"``
    below.

    With ``flush_subnormals`` subnormal weights are zero, and the program takes subnormal numbers
    for zero unless it is told otherwise when it starts.

    ``precision`` says which types floats have. With ``"model"`` results of 16-bit floats are
    rounded operator by operator, as ONNX says. With ``"f32"`` all values between inputs and outputs
    have 32 bits, and weights their 16; ``"weights=f16"``, ``"weights=bf16"`` and ``"weights=s8"``
    store all weights of convolutions and products in fewer bits, and with ``"rows=s8"`` rows that
    are multiplied with packed codes of weights become codes. ``"products=tf32"``,
    ``"products=f16"`` and ``"products=bf16"`` round factors for the tensor cores of a device.
    ``None`` is ``"model"`` below level 3, there ``"rows=s8"`` if the model states accuracy level 4,
    else ``"f32"``. With ``widen_f16`` inputs, outputs and weights of a tmfile of 16-bit floats have
    32 bits, too.

    With ``results_only`` no intermediate tensors are stored in the memory of outputs: for memory
    that is slow to read or shared.

    ``records`` is a file of records (docs/tuning.md), or ``user`` for that in the user's cache:
    kernels that it knows are computed as was measured to be fastest.

    A string of an input takes ``string_bytes`` bytes, the zero at its end among them.

    ``name`` is that of the network, in place of the model's: an identifier of C, with which the
    names of files and everything in C begin.

    ``max_ram`` and ``max_flash`` are the bytes that a device has for the arena and the stack, and
    for weights and code: a program that takes more is not written.

    ``pools`` are memories that share the arena, the fastest first, with their bytes, such as
    ``dtcm=128K,sram=512K``: the tensors that are used most are in the first one.

    ``patterns`` are files of rewrite rules, in PDLL or PDL, that are applied in this order before
    the fusion rules of the package.

    ``stage`` is that of a text that is compiled (``None``: the one that the name of its file says).

    ``operators`` is a folder of texts that define operators of the model (docs/add_an_operator.md);
    they go before those that autodeploy has.
    """

    level: int = DEFAULT_LEVEL
    machine: str = "host"
    shapes: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])
    dims: Mapping[str, int] = field(default_factory=dict[str, int])
    values: Mapping[str, npt.ArrayLike] = field(default_factory=dict[str, npt.ArrayLike])
    bounds: Mapping[str, int] = field(default_factory=dict[str, int])
    dynamic: OpenSpec | Sequence[OpenSpec | FollowingExtent] = ()
    state: StateNames | None = None
    last: Mapping[str, int] = field(default_factory=dict[str, int])
    emit: Emit | None = None
    label: str | None = None
    embed_weights: bool = False
    dump_ir: Path | None = None
    threads: int = 1
    jobs: int | None = None
    cache: bool = True
    winograd: WinogradUse | None = None
    flush_subnormals: bool = False
    precision: str | None = None
    widen_f16: bool = False
    results_only: bool = False
    records: str | Path | None = None
    string_bytes: int = STRING_BYTES
    operators: str | Path | None = None
    patterns: Sequence[str | Path] = ()
    name: str | None = None
    max_ram: int | None = None
    max_flash: int | None = None
    pools: str = ""
    stage: str | None = None

    @property
    def open_specs(self) -> Sequence[OpenSpec]:
        """The extents that stay open, in the order of their numbers."""
        return [spec for spec in self._dynamic if isinstance(spec, OpenSpec)]

    @property
    def following(self) -> Sequence[FollowingExtent]:
        """The extents that follow from those that stay open."""
        return [spec for spec in self._dynamic if isinstance(spec, FollowingExtent)]

    @property
    def _dynamic(self) -> Sequence[OpenSpec | FollowingExtent]:
        return [self.dynamic] if isinstance(self.dynamic, OpenSpec) else self.dynamic


def options_of_text(options: CompileOptions, text: StageText) -> CompileOptions:
    """Return the options with the threads of a text's machine, if it names one.

    Raises ``UserError`` for options of models, and for others than the text says.
    """
    for name in ("shapes", "dims", "values", "bounds", "dynamic", "state", "last", "widen_f16"):
        if getattr(options, name):
            raise UserError(f"'{name}' is for models, and '{text.path}' is the text of a stage")
    machine = find_machine(text.module)
    if machine is None:
        if len(parse_machines(options.machine)) > 1:
            raise UserError(f"'{text.path}' is compiled for one machine, found {options.machine}")
        return options
    if options.machine != HOST or options.threads not in (1, machine.cores):
        raise UserError(f"'{text.path}' names its machine and threads, {machine}; give no other")
    return replace(options, threads=machine.cores)
