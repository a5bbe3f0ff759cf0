"""The passes of ``-O0`` to ``-O3``, stage by stage.

A stage is a named list of passes; the IR after each is what ``--dump-ir`` writes. A comment on
each line gives the reason for its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination
from xdsl.utils.exceptions import VerifyException

from autodeploy.analysis.contracts import check_contract
from autodeploy.analysis.memory_pools import pools_of_text
from autodeploy.codegen.halide.bound_stack import BoundStackPass
from autodeploy.codegen.halide.compile_kernels import CompileKernelsPass
from autodeploy.diagnostics import UserError
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.lowering.nn_to_driver.convert_nn_to_driver import ConvertNnToDriverPass
from autodeploy.lowering.nn_to_halide.convert_nn_to_halide import ConvertNnToHalidePass
from autodeploy.lowering.onnx_to_nn.context import converted_operators
from autodeploy.lowering.onnx_to_nn.convert_onnx_to_nn import STRING_BYTES, ConvertOnnxToNnPass
from autodeploy.machine import Machine
from autodeploy.passes.driver.compute_in_place import ComputeInPlacePass
from autodeploy.passes.driver.elide_copies import ElideCopiesPass
from autodeploy.passes.driver.insert_transfers import InsertTransfersPass
from autodeploy.passes.driver.name_weights import NameWeightsPass
from autodeploy.passes.driver.place_weights import PlaceWeightsPass
from autodeploy.passes.driver.plan_memory import PlanMemoryPass
from autodeploy.passes.fusion.apply_patterns import ApplyPatternsPass
from autodeploy.passes.fusion.fuse import FusePass
from autodeploy.passes.fusion.use_integers import UseIntegersPass
from autodeploy.passes.halide.expand_prefetch_lines import ExpandPrefetchLinesPass
from autodeploy.passes.halide.guard_open_loops import GuardOpenLoopsPass
from autodeploy.passes.halide.schedule_kernels import ScheduleKernelsPass
from autodeploy.passes.kernels.apply_records import ApplyRecordsPass
from autodeploy.passes.kernels.configure_kernels import ConfigureKernelsPass
from autodeploy.passes.kernels.form_copies import FormCopiesPass
from autodeploy.passes.kernels.form_kernels import FormKernelsPass
from autodeploy.passes.kernels.fuse_kernels import FuseKernelsPass
from autodeploy.passes.kernels.narrow_weights import NarrowWeightsPass
from autodeploy.passes.kernels.pack_weights import PackWeightsPass
from autodeploy.passes.kernels.place_kernels import PlaceKernelsPass
from autodeploy.passes.kernels.round_factors import RoundFactorsPass
from autodeploy.passes.kernels.set_machine import SetMachinePass
from autodeploy.passes.kernels.store_booleans import StoreBooleansPass
from autodeploy.passes.kernels.tie_tables import TieTablesPass
from autodeploy.passes.kernels.tie_words import TieWordsPass
from autodeploy.passes.kernels.widen_codes import WidenCodesPass
from autodeploy.passes.nn.assign_layouts import AssignLayoutsPass
from autodeploy.passes.nn.check_open_axes import CheckOpenAxesPass
from autodeploy.passes.nn.choose_signs import ChooseSignsPass
from autodeploy.passes.nn.convert_interface import ConvertInterfacePass
from autodeploy.passes.nn.expand_batch_norms import ExpandBatchNormsPass
from autodeploy.passes.nn.flatten_products import FlattenProductsPass
from autodeploy.passes.nn.flatten_reductions import FlattenReductionsPass
from autodeploy.passes.nn.flush_subnormal_weights import FlushSubnormalWeightsPass
from autodeploy.passes.nn.fold_groups_by_channel import FoldGroupsByChannelPass
from autodeploy.passes.nn.fold_nn_constants import FoldNnConstantsPass
from autodeploy.passes.nn.hoist_slices import HoistSlicesPass
from autodeploy.passes.nn.quantize_rows import QuantizeRowsPass
from autodeploy.passes.nn.simplify_nn import SimplifyNnPass
from autodeploy.passes.nn.sink_dequantize import SinkDequantizePass
from autodeploy.passes.nn.tabulate_codes import TabulateCodesPass
from autodeploy.passes.nn.widen_floats import WidenFloatsPass
from autodeploy.passes.onnx.fold_onnx_constants import FoldOnnxConstantsPass
from autodeploy.passes.onnx.inline_onnx_functions import InlineOnnxFunctionsPass
from autodeploy.precision import (
    PRODUCTS,
    PRODUCTS_OF_BFLOAT16,
    ROWS_OF_CODES,
    WEIGHTS,
    Precision,
    precision_use,
)

VERIFY_VARIABLE = "AUTODEPLOY_VERIFY"
"""The environment variable that has the IR verified after every stage, if it is not empty."""

LEVELS = range(4)
DEFAULT_LEVEL = 3

WinogradUse = Literal["auto", "off"]
"""Whether a cost rule may choose Winograd's algorithm for a convolution."""

WINOGRAD_LEVEL = 3
"""The level from which on it may where nothing else is said."""


@dataclass(frozen=True)
class Stage:
    """A named part of the pipeline."""

    name: str
    passes: tuple[ModulePass, ...]

    def check(self, module: ModuleOp, *, kernels: bool = True) -> None:
        """Raise ``VerifyException`` where the module does not verify or breaks the contract.

        Without ``kernels`` the ops in pipelines are left out, which are verified before Halide
        compiles them.
        """
        try:
            module.verify(verify_nested_ops=kernels)
            for op in () if kernels else module.ops:
                op.verify(verify_nested_ops=not isinstance(op, PipelineOp))
        except VerifyException as error:
            error.add_note(f"after stage '{self.name}'")
            raise
        check_contract(module, self.name)

    @property
    def is_checked_always(self) -> bool:
        """Return whether the module is verified after this stage in every compilation.

        The stages before nn depend on the model of a user, and the last one holds the places of
        all memory. Between them the compiler's own passes work.
        """
        return self.name in ("onnx", "nn", "driver")


def stages(
    level: int = DEFAULT_LEVEL,
    machine: str = "host",
    winograd: WinogradUse | None = None,
    precision: str | None = None,
    *,
    threads: int = 1,
    embed_weights: bool = False,
    flush_subnormals: bool = False,
    results_only: bool = False,
    pools: str = "",
    objects: bool = True,
    patterns: Sequence[str] = (),
    records: str | None = None,
    variant: str | None = None,
    string_bytes: int = STRING_BYTES,
    for_page: bool = False,
) -> tuple[Stage, ...]:
    """Return the stages that turn an imported model into a planned driver program.

    ``level`` 0 makes one plain kernel an operator and gives every value its own memory; 1 adds
    simplification and memory reuse; 2 fusion, layouts and tuned schedules; 3 everything there is.
    ``machine`` is the text form of the machine that kernels are made for. ``winograd`` says
    whether convolutions may be computed by Winograd's algorithm where a cost rule finds it faster
    (``auto``; from level 2 on) or not (``off``); ``None`` is ``auto`` at level 3, ``off`` below.
    ``threads`` is the largest number of threads that the program may be asked to use, whatever
    cores the machine has; with ``embed_weights`` its weights are linked in, with
    ``flush_subnormals`` it takes subnormal numbers for zero. ``precision`` says which types floats
    have; ``None`` is ``f32``, or ``rows=s8`` if the model states it, at level 3, ``model`` below.
    With ``results_only`` outputs hold nothing else before these are written; ``pools`` are memories
    that share the arena (``plan-memory``); ``objects`` says that kernels become object files, not
    source. ``patterns`` are files of rules that run before those of the package, and ``records`` a
    file that says how kernels are computed best, both from level 2 on;
    ``variant`` the machine's name where the program is one of several.
    A string of an input takes ``string_bytes`` bytes, the zero at its end among them.
    With ``for_page`` the interface is that of a page with a device.
    Raises ``UserError`` for another level.
    """
    if level not in LEVELS:
        raise UserError(f"optimisation level {level} is unknown, expected 0 to {LEVELS[-1]}")
    for what, given in (("records", records), ("patterns", patterns)):
        if given and level < 2:
            raise UserError(f"{what} are for level 2 and 3, found level {level}")
    # The model says it where the user does not.
    codes = precision_use(level, precision, rounds_rows=True) == ROWS_OF_CODES
    rows = (QuantizeRowsPass(stated=precision is None),) if codes else ()
    winograd = winograd_use(level, winograd)
    precision = precision_use(level, precision, rounds_rows=False)
    # Schedules divide the work among the cores that the program may use.
    # Source of kernels has no tile registers.
    target = Machine.parse(machine)
    # A browser compiles a function well while it runs, and takes that at its next call. Shares of
    # a loop are calls, so that the first run of a page has it, too.
    cores = 2 if target.os == "wasmrt" else threads
    settings = f":cores={cores}" + ("" if objects else ":amx_rate=1")
    described = SetMachinePass(machine=f"{machine}{settings}")
    device = bool(target.device)
    if pools_of_text(pools) and device:
        raise UserError(f"pools are for machines without a device, found '{machine}'")
    configure = _configure(level, winograd == "auto", records, precision, target)
    return (
        Stage("onnx", _on_onnx()),
        Stage("nn", _to_nn(string_bytes, precision, for_page or target.is_page)),
        *((Stage("simplified", (described, *_simplify(rows))),) if level >= 1 else ()),
        *((Stage("layouts", _layouts()),) if level >= 2 else ()),
        *((Stage("fused", _fuse(patterns)),) if level >= 2 else ()),
        *((Stage("configured", configure),) if level >= 2 else ()),
        Stage(
            "kernels",
            (
                *(() if level >= 1 else (described,)),
                *(() if level >= 2 else configure),
                *(_pack() if level >= 2 else _pack_for_device() if device else ()),
                # No later pass computes weights.
                *((FlushSubnormalWeightsPass(),) if flush_subnormals else ()),
            ),
        ),
        Stage(
            "halide",
            (
                ConvertNnToHalidePass(objects=objects),
                # Index arithmetic repeats from func to func; only within a region is it shared.
                CommonSubexpressionElimination(),
                ConvertNnToDriverPass(flush_subnormals=flush_subnormals, variant=variant),
                # The strides of a kernel's buffers are known from here on.
                *((ElideCopiesPass(),) if level >= 1 else ()),
                *((InsertTransfersPass(),) if device else ()),
                FormCopiesPass(plain=level < 2),
                ScheduleKernelsPass(),
                GuardOpenLoopsPass(),
                # The schedule says whether each element is computed once.
                *((ComputeInPlacePass(),) if level >= 1 else ()),
                # It adds loads that would hide what kernels compute.
                ExpandPrefetchLinesPass(),
                # The stored values of a kernel are known from its whole schedule.
                BoundStackPass(),
            ),
        ),
        Stage(
            "driver",
            (
                # Equal weights have one place.
                NameWeightsPass(),
                PlaceWeightsPass(embed=embed_weights),
                # The arena contains the scratch of kernels, whose size compiling tells.
                CompileKernelsPass(),
                PlanMemoryPass(reuse=level >= 1, in_outputs=not results_only, pools=pools),
            ),
        ),
    )


def winograd_use(level: int, chosen: WinogradUse | None) -> WinogradUse:
    """Return what was chosen for Winograd's algorithm, or what the level says where nothing was."""
    if chosen is not None:
        return chosen
    return "auto" if level >= WINOGRAD_LEVEL else "off"


def _on_onnx() -> tuple[ModulePass, ...]:
    """The passes that every model needs before its operators can be converted, at every level."""
    return (
        # Exporters compute shapes at run time that are constants once the inputs are fixed.
        FoldOnnxConstantsPass(),
        # Operators without a converter are replaced by the body that ONNX defines for them.
        InlineOnnxFunctionsPass(keep=converted_operators()),
        # Folding infers shapes as it goes.
        FoldOnnxConstantsPass(),
    )


def _to_nn(string_bytes: int, precision: Precision, is_page: bool) -> tuple[ModulePass, ...]:
    return (
        ConvertOnnxToNnPass(string_bytes=string_bytes),
        # The conversion has read constants (shapes, axes, bounds) that have no use now.
        DeadCodeElimination(),
        # Types state which extents are open; later passes read properties.
        CheckOpenAxesPass(),
        # All of the program runs on the device, whose memory has words alone.
        *((ConvertInterfacePass(),) if is_page else ()),
        # The rules for 32-bit floats are for those of 16, too.
        *(() if precision == "model" else (WidenFloatsPass(),)),
    )


def _simplify(rows: tuple[ModulePass, ...]) -> tuple[ModulePass, ...]:
    return (
        # The rules for codes do without the numbers between quantize and dequantize.
        ChooseSignsPass(),
        # Folding makes numbers of the codes of weights that are left.
        UseIntegersPass(),
        # Movements of weights are computed at compile time.
        FoldNnConstantsPass(),
        SimplifyNnPass(),
        # No rule has joined a product and its bias yet.
        HoistSlicesPass(),
        TabulateCodesPass(),
        # Products that read the same rows share their codes.
        *rows,
        CommonSubexpressionElimination(),
        DeadCodeElimination(),
    )


def _fuse(patterns: Sequence[str]) -> tuple[ModulePass, ...]:
    return (
        # Rules of a user see the ops that the rules of the package would take.
        *(ApplyPatternsPass(file) for file in patterns),
        # No later pass merges equal ops outside of kernels before these are formed.
        SinkDequantizePass(),
        FusePass(),
        # A batch normalisation that is left is not part of the weights of a convolution.
        ExpandBatchNormsPass(),
    )


def _configure(
    level: int, winograd: bool, records: str | None, precision: Precision, target: Machine
) -> tuple[ModulePass, ...]:
    # The config says which weights are not in the domain of their sums.
    narrow: tuple[ModulePass, ...] = (NarrowWeightsPass(WEIGHTS[precision]),)
    # Measurements count first; the rules are for all other kernels.
    apply = () if records is None else (ApplyRecordsPass(records, winograd),)
    rounds = precision == PRODUCTS_OF_BFLOAT16
    if rounds:
        # Kernels are measured with rounded factors.
        narrow = (RoundFactorsPass(), *apply, ConfigureKernelsPass(winograd, plain=level < 2))
    elif precision == "model":
        narrow = ()
    device = bool(target.device)
    # A kernel of a device has one anchor, and its weights and codes are as the model has them.
    place: tuple[ModulePass, ...] = (PlaceKernelsPass(),) if device else ()
    if target.is_page:
        place = (StoreBooleansPass(), *place)
    if precision.startswith(PRODUCTS):
        place = (PlaceKernelsPass(precision.removeprefix(PRODUCTS)),)
    if level < 2:
        return (FormKernelsPass(), *place, ConfigureKernelsPass(plain=True), *narrow)
    return (
        # Every op that is not fused becomes a kernel of its own.
        FormKernelsPass(),
        # A flattened 1x1 convolution has no rows, so this comes before flattening.
        *(() if device else (FuseKernelsPass(winograd, records),)),
        FlattenProductsPass(),
        FlattenReductionsPass(),
        # Flattened filters are reshapes of constants, and only constants are packed.
        FoldNnConstantsPass(),
        *(() if device else (WidenCodesPass(),)),
        *place,
        *(() if rounds else apply),
        ConfigureKernelsPass(winograd=winograd),
        *narrow,
    )


def _pack() -> tuple[ModulePass, ...]:
    return (
        # The config determines the order in which weights are read.
        PackWeightsPass(),
        # The weights and how they are packed are known apart until they are folded.
        TieTablesPass(),
        FoldNnConstantsPass(),
        # Views around flattened kernels meet, and become one.
        SimplifyNnPass(),
        CommonSubexpressionElimination(),
        DeadCodeElimination(),
    )


def _pack_for_device() -> tuple[ModulePass, ...]:
    """Return the passes for levels at which kernels of a device alone have configs."""
    return (PackWeightsPass(), FoldNnConstantsPass())


def _layouts() -> tuple[ModulePass, ...]:
    return (
        # The weights of products are known, and lookups are no kernels yet.
        TieWordsPass(),
        # Images have groups of channels no more, which would stay channels first.
        FoldGroupsByChannelPass(),
        # Movements of constants cost nothing once they are folded.
        FoldNnConstantsPass(),
        AssignLayoutsPass(),
        # The transposes of filters are folded, those of images that meet cancel.
        FoldNnConstantsPass(),
        SimplifyNnPass(),
        CommonSubexpressionElimination(),
        DeadCodeElimination(),
    )
