"""The functions of the package that need more than a class of it: ``autodeploy.compile``."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy.typing as npt

from autodeploy.compiler import compile_model
from autodeploy.frontend.models import AnyModel
from autodeploy.frontend.open_sizes import OpenSpec, RangeLike
from autodeploy.frontend.states import StateNames
from autodeploy.lowering.onnx_to_nn.convert_onnx_to_nn import STRING_BYTES
from autodeploy.options import CompileOptions
from autodeploy.pipelines import DEFAULT_LEVEL, WinogradUse
from autodeploy.toolchain.session import Session, load_bundle


def compile(
    model: AnyModel,
    folder: str | Path | None = None,
    *,
    level: int = DEFAULT_LEVEL,
    machine: str = "host",
    shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, npt.ArrayLike] | None = None,
    bounds: Mapping[str, int] | None = None,
    dynamic: Mapping[str, RangeLike] | None = None,
    state: StateNames | None = None,
    last: Mapping[str, int] | None = None,
    threads: int = 1,
    winograd: WinogradUse | None = None,
    flush_subnormals: bool = False,
    precision: str | None = None,
    widen_f16: bool = False,
    records: str | Path | None = None,
    string_bytes: int = STRING_BYTES,
    operators: str | Path | None = None,
    patterns: Sequence[str | Path] = (),
    name: str | None = None,
) -> Session:
    """Compile a model and return a session that runs it with ``threads`` threads.

    The model is an ONNX file or a tmfile, by its path or its bytes, or an ``onnx.ModelProto``.

    ``winograd="off"`` leaves out Winograd's algorithm, which lets a pixel affect its neighbours.
    With ``flush_subnormals`` subnormal numbers, among the weights too, are taken for zero.
    ``precision`` says which types floats have: ``"model"``, ``"f32"``, ``"weights=f16"`` and others
    (docs/precision.md); with ``widen_f16`` those of a tmfile become 32-bit floats. ``records`` is a
    file that says how kernels are computed best. A string of an input has ``string_bytes`` bytes.
    ``operators`` is a folder of texts that define operators of the model, and ``patterns`` are
    files of rewrite rules. ``name`` is that of the network in place of the model's. The bundle is
    written to ``folder``, or to a temporary one that goes with the session. ``dynamic`` gives the
    range of each extent that stays open, such as ``{"batch": (1, 32)}``, or its parts, ``{"batch":
    [1, (2, 32)]}``, also as texts of the command line, ``{"batch": "1,2..32"}``; extents of one
    number have commas between them, and one that follows from others is a text, as in ``{"past":
    (0, 63), "mask:1": "past+1"}``. ``values`` are those of inputs that sizes are computed from,
    such as ``{"size": [224, 224]}``, and ``bounds`` the largest that computed integers can be that
    are sizes, such as ``{"frames": 2000}``, or ``{"*": 2000}`` for all; a run that finds more
    raises ``UserError``. ``state`` is inputs by the outputs that are their values in the next run,
    ``{"present": "past"}``, or ``"auto"``; ``last`` is axes of outputs that have their last element
    alone, ``{"logits": 1}``. Raises ``UserError`` where the model or an option is wrong.
    """
    options = CompileOptions(
        level=level,
        machine=machine,
        shapes=shapes or {},
        dims=dims or {},
        values=values or {},
        bounds=bounds or {},
        dynamic=OpenSpec.of(dynamic or {}),
        state=state,
        last=last or {},
        threads=threads,
        winograd=winograd,
        flush_subnormals=flush_subnormals,
        precision=precision,
        widen_f16=widen_f16,
        records=records,
        string_bytes=string_bytes,
        operators=operators,
        patterns=patterns,
        name=name,
    )
    if folder is not None:
        compile_model(model, folder, options)
        return load_bundle(folder, threads=threads)
    with tempfile.TemporaryDirectory() as temporary:
        bundle = Path(temporary) / "bundle"
        compile_model(model, bundle, options)
        # The loaded library and the weights, once read, need their files no more.
        return load_bundle(bundle, threads=threads)
