"""``autodeploy.verify``: results of a program next to another implementation's of ONNX."""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import onnx
from xdsl.context import Context

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.bundle.tensor_entry import ExtentEntry, TensorEntry
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import ToolchainError, UserError
from autodeploy.frontend.onnx.bounds import EACH
from autodeploy.frontend.onnx.defaults import forget_defaults
from autodeploy.frontend.onnx.foreign_operators import give_operators
from autodeploy.frontend.onnx.inlined_texts import inline_texts
from autodeploy.frontend.onnx.shapes import dims_of, fix_inputs, listed_shape
from autodeploy.frontend.onnx.structures import import_default_domain
from autodeploy.frontend.onnx.values import fit_values
from autodeploy.frontend.tmfile.file import starts_like_tmfile
from autodeploy.toolchain.launched import launched_run
from autodeploy.toolchain.selftest import check_selftest, write_selftest
from autodeploy.toolchain.session import load_bundle
from autodeploy.toolchain.tensor_values import in_order
from autodeploy.tools.carried_state import CarriedState
from autodeploy.tools.compared import Compared, DifferenceError, error_between, tolerance_of
from autodeploy.tools.tensor_files import Array, read_inputs
from autodeploy.weights import named_dtype

_Run = Callable[[onnx.ModelProto, Mapping[str, Array], Sequence[str]], list[Array]]
_Ours = Callable[[Mapping[str, Array]], tuple[Mapping[str, Array], str | None]]
"""Runs a bundle; returns the outputs, and the machine whose program ran, of several."""


class Draw(NamedTuple):
    """The numbers that inputs are drawn from: floats, and integers if the range is given."""

    seed: int = 0
    range: tuple[float, float] | None = None


def verify(
    model: str | Path,
    bundle: str | Path | None = None,
    inputs: Mapping[str, npt.ArrayLike] | None = None,
    *,
    options: CompileOptions | None = None,
    machine: str | None = None,
    launch: str | None = None,
    tolerance: float | None = None,
    seed: int = 0,
    range: tuple[float, float] | None = None,
) -> list[Compared]:
    """Run a model and its bundle, and return the error of each output in each run.

    The other results are onnxruntime's, if it is installed, else those of ONNX's reference. Without
    a bundle the model is compiled, by ``options``. ``inputs`` are values by name; without any,
    numbers from 0 to 1 are drawn by ``seed``, or from ``range`` for integers, too. ``tolerance`` is
    the largest error, relative to the largest value; ``None``: that of the options of compile.
    ``machine`` is that of ``load``; ``launch`` is a command that starts the program, such as
    ``"qemu-aarch64 -L /usr/aarch64-linux-gnu"``.

    Outputs that differ do not ``agrees``; no run follows theirs. Raises ``UserError`` if the model,
    the bundle or an option is wrong.
    """
    place = None if bundle is None else Path(bundle)
    draw, chosen = Draw(seed, range), options or CompileOptions()
    found: list[Compared] = []
    try:
        for compared in compare(
            Path(model),
            place,
            inputs or {},
            chosen,
            machine=machine,
            launch=launch,
            draw=draw,
            tolerance=tolerance,
        ):
            found.append(compared)
    except DifferenceError:
        pass
    return found


def compare(
    model: Path,
    bundle: Path | None,
    inputs: Sequence[str] | Mapping[str, npt.ArrayLike],
    options: CompileOptions,
    per_layer: bool = False,
    *,
    machine: str | None = None,
    launch: str | None = None,
    draw: Draw | None = None,
    tolerance: float | None = None,
    selftest: bool = False,
) -> Iterator[Compared]:
    """Run a model, by its bundle or compiled with ``options``, and yield each output's error.

    ``inputs`` are files as ``autodeploy run`` takes them, or values by name; without any, numbers
    are drawn, but for inputs whose values are options. ``machine`` is that of ``load_bundle``,
    ``launch`` a command that starts the program, ``tolerance`` the largest error, relative to the
    largest result; ``None``: that of the options. With ``selftest`` a bundle that agrees gets a
    self-test of these inputs.

    Raises ``DifferenceError`` if an output differs: with ``per_layer`` it names the first level
    and the first value.
    If an extent is open, by an option or in the bundle, and inputs are drawn, the smallest, a
    middle and the largest number are compared; of several extents also each smallest with the
    largest others. A bundle with a state is compared in several runs, one after the other.
    """
    if starts_like_tmfile(model):
        raise UserError(f"'{model}' is a tmfile, expected ONNX, which others can run, too")
    with TemporaryDirectory() as folder, ExitStack() as opened:
        place = bundle or Path(folder) / "bundle"
        if bundle is None:
            compile_model(model, place, options)
        if selftest:
            check_selftest(place)
        manifest = Manifest.load(place)
        called, run = _reference()
        state = CarriedState(manifest)
        ours = opened.enter_context(_runs(place, manifest, machine, launch))
        for given, text in _given(manifest, inputs, state, draw or Draw()):
            proto = load_model(model, options.operators)
            forget_defaults(proto.graph, {entry.name for entry in manifest.inputs})
            fix_inputs(proto.graph, options.shapes, options.dims)
            _check_same(place, manifest, proto)
            fitted = fit_values(proto.graph, options.values, options.shapes)
            given.update(fitted if not inputs else {})
            fix_inputs(proto.graph, {name: value.shape for name, value in given.items()}, {})
            found, ran = ours({entry.name: given[entry.name] for entry in manifest.inputs})
            limits = [tolerance or tolerance_of(e, manifest, ran) for e in manifest.outputs]
            names = [entry.name for entry in manifest.outputs]
            expected = run(proto, given, [*names, *state.outputs])
            state.take(dict(zip(state.outputs, expected[len(names) :], strict=True)))
            expected = _last_elements(manifest, names, expected[: len(names)])
            second = None
            wrong = _first_wrong(manifest, found, expected, limits)
            if run is _run_onnxruntime and wrong is not None:
                second = _second_opinion(proto, given, names)
            judge = run if second is None else _run_onnx
            differing = 0
            for index, entry in enumerate(manifest.outputs):
                error = error_between(found[entry.name], expected[index])
                right = expected if second is None else second
                exact = error_between(found[entry.name], right[index])
                compared = Compared(entry.name, text, called, error, exact, limits[index])
                differing += not compared.agrees
                yield compared
            if differing:
                values = {name: given[name] for name in fitted}
                again = CompileOptions(level=options.level, values=values, bounds=options.bounds)
                where = f"; {_first(proto, given, judge, again)}" if per_layer else ""
                raise DifferenceError(
                    f"{differing} of {len(expected)} outputs differ from {called}{where}"
                )
            if selftest:
                # It may find another of the machines.
                limits = [tolerance or tolerance_of(entry, manifest) for entry in manifest.outputs]
                write_selftest(place, called, given, second or expected, limits)


def _second_opinion(
    proto: onnx.ModelProto, inputs: Mapping[str, Array], names: Sequence[str]
) -> Sequence[Array] | None:
    """Return what ONNX's reference computes, ``None`` if it cannot run the model.

    onnxruntime is off by 1e-7 in sigmoids, say, whose results may all be smaller than that.
    """
    try:
        return _run_onnx(proto, inputs, names)
    except ToolchainError:
        return None


def _first_wrong(
    manifest: Manifest,
    found: Mapping[str, Array],
    expected: Sequence[Array],
    limits: Sequence[float],
) -> str | None:
    """Return the name of the first output that differs by more than is expected."""
    for entry, right, limit in zip(manifest.outputs, expected, limits, strict=True):
        if error_between(found[entry.name], right) > limit:
            return entry.name
    return None


def _last_elements(
    manifest: Manifest, names: Sequence[str], values: Sequence[Array]
) -> list[Array]:
    """Return the elements of outputs that the program has: of some the last ones along an axis."""
    axes: dict[str, int] = json.loads(manifest.options.get("last", "{}"))
    return [
        value[(*[slice(None)] * axes[name], slice(-1, None))] if name in axes else value
        for name, value in zip(names, values, strict=True)
    ]


@contextmanager
def _runs(
    bundle: Path, manifest: Manifest, machine: str | None, launch: str | None
) -> Generator[_Ours]:
    """Give what runs a bundle: each run is that of a new session, unless it has a state."""
    if launch is not None:
        run = launched_run(bundle, launch, machine=machine)
        yield lambda inputs: (run(inputs), machine)
    elif not manifest.states:
        yield lambda inputs: _run(bundle, inputs, machine)
    else:
        with load_bundle(bundle, machine=machine) as session:
            yield lambda inputs: (session.run(inputs), session.machine)


def _given(
    manifest: Manifest,
    inputs: Sequence[str] | Mapping[str, npt.ArrayLike],
    state: CarriedState,
    draw: Draw,
) -> Iterator[tuple[dict[str, Array], str]]:
    """Yield the inputs to compare on, those of the state too, and a label of their outputs."""
    extents = manifest.extents
    if inputs:
        if isinstance(inputs, Mapping):
            values = in_order(manifest.name, manifest.inputs, inputs)
            given = {
                entry.name: np.asarray(value, None if entry.cell else named_dtype(entry.dtype))
                for entry, value in zip(manifest.inputs, values, strict=True)
            }
        else:
            given = read_inputs(manifest.inputs, inputs, extents=extents)
        yield given | state.inputs, ""
    elif manifest.states:
        for run, numbers in enumerate(state.numbers(), 1):
            entries = [entry.at(extents, numbers) for entry in manifest.inputs]
            masks = [e for e in manifest.inputs if state.has_place_for_each_row(e)]
            drawn = _drawn(entries, draw._replace(seed=draw.seed + run))
            # No row of the state is left out: a decoder need not define a mask with gaps.
            drawn |= {mask.name: np.ones_like(drawn[mask.name]) for mask in masks}
            yield drawn | state.inputs, f"run {run}"
    elif not extents:
        yield _drawn(manifest.inputs, draw), ""
    else:
        for numbers in _compared_numbers(extents):
            entries = [entry.at(extents, numbers) for entry in manifest.inputs]
            named = zip(extents, numbers, strict=True)
            told = ", ".join(f"{extent.name} {number}" for extent, number in named)
            yield _drawn(entries, draw), told


def _compared_numbers(extents: Sequence[ExtentEntry]) -> Sequence[tuple[int, ...]]:
    """Return the least numbers, middle ones, the largest, and these with each once the least.

    With parts of extents, those are for each combination of parts.
    """
    found: set[tuple[int, ...]] = set()
    for ranges in product(*(extent.ranges for extent in extents)):
        pairs = list(zip(extents, ranges, strict=True))
        most = tuple(range_.most for range_ in ranges)
        found |= {tuple(range_.least for range_ in ranges), most}
        found.add(tuple((r.least + r.most) // 2 // e.step * e.step for e, r in pairs))
        found |= {(*most[:i], range_.least, *most[i + 1 :]) for i, range_ in enumerate(ranges)}
    return sorted(found)


def _run(
    bundle: Path, inputs: Mapping[str, Array], machine: str | None = None
) -> tuple[dict[str, Array], str | None]:
    """Run a bundle on inputs, of which it may not have all."""
    with load_bundle(bundle, machine=machine) as session:
        found = session.run({entry.name: inputs[entry.name] for entry in session.inputs})
        return found, session.machine


def _differing(
    proto: onnx.ModelProto,
    options: CompileOptions,
    inputs: Mapping[str, Array],
    right: Sequence[Array],
) -> str | None:
    """Return the first output that is not the right one, of a model that is compiled."""
    with TemporaryDirectory() as folder:
        place = Path(folder) / "bundle"
        names = {name for node in proto.graph.node for name in node.output} | {EACH}
        bounds = {name: number for name, number in options.bounds.items() if name in names}
        compile_model(proto.SerializeToString(), place, replace(options, bounds=bounds))
        (found, _), manifest = _run(place, inputs), Manifest.load(place)
    limits = [tolerance_of(entry, manifest) for entry in manifest.outputs]
    return _first_wrong(manifest, found, right, limits)


def _first(
    proto: onnx.ModelProto, inputs: Mapping[str, Array], run: _Run, highest: CompileOptions
) -> str:
    """Return at which level outputs begin to differ, up to that of some options, at which node."""
    options = [replace(highest, level=n) for n in range(highest.level + 1)]
    names = [info.name for info in proto.graph.output]
    right = run(proto, inputs, names)
    levels = ((n, _differing(proto, chosen, inputs, right)) for n, chosen in enumerate(options))
    level, wrong = next((one for one in levels if one[1] is not None), (0, None))
    if wrong is None:
        return f"compiled again, they agree at -O0 to -O{highest.level}"
    # Nothing is known of other outputs: only the producers of this one are searched.
    whole = _cut(proto, wrong, right[names.index(wrong)])
    values = [(name, node) for node in whole.graph.node for name in node.output if name]
    results = dict(zip(dict(values), run(proto, inputs, [name for name, _ in values]), strict=True))
    values = [(n, node) for n, node in values if n == wrong or results[n].dtype.kind == "f"]
    if not values:
        return f"they do from -O{level} on, in '{wrong}', which is an input"
    low, high = 0, len(values) - 1  # what is computed of a wrong value is taken for wrong, too
    while low < high:
        middle = (low + high) // 2
        name = values[middle][0]
        cut = _cut(proto, name, results[name])
        if _differing(cut, options[level], inputs, [results[name]]) is not None:
            high = middle
        else:
            low = middle + 1
    name, node = values[low]
    label = f"node '{node.name}'" if node.name else "a node without a name"
    return f"they do from -O{level} on, first in '{name}' of {node.op_type} {label}"


def _cut(proto: onnx.ModelProto, name: str, value: Array) -> onnx.ModelProto:
    """Return a model that computes one value alone, of the same inputs."""
    made = onnx.ModelProto()
    made.CopyFrom(proto)
    del made.graph.output[:]
    element = onnx.helper.np_dtype_to_tensor_dtype(value.dtype)
    made.graph.output.append(onnx.helper.make_tensor_value_info(name, element, value.shape))
    needed = {name}
    for node in reversed(list(made.graph.node)):
        if needed.isdisjoint(node.output):
            made.graph.node.remove(node)
        else:
            needed.update(node.input)
            needed.update(_captured(node))
    return made


def _captured(node: onnx.NodeProto) -> Iterator[str]:
    """Yield all names that the bodies of a node read."""
    for attribute in node.attribute:
        for graph in (attribute.g, *attribute.graphs):
            for inner in graph.node:
                yield from inner.input
                yield from _captured(inner)
            yield from (info.name for info in graph.output)


def _reference() -> tuple[str, _Run]:
    """Return the function that computes the right results, and its name."""
    if find_spec("onnxruntime") is not None:
        return f"onnxruntime {version('onnxruntime')}", _run_onnxruntime
    return f"ONNX's reference {version('onnx')}", _run_onnx


_KNOWN_IR_VERSION = 10
"""The newest version of the file format that all of today's onnxruntimes read.

Later ones differ only in their operator sets.
"""


def _run_onnxruntime(
    proto: onnx.ModelProto, inputs: Mapping[str, Array], names: Sequence[str]
) -> list[Array]:
    ort: Any = importlib.import_module("onnxruntime")
    options = ort.SessionOptions()
    options.log_severity_level = 4
    # It is to compute what the model says, node by node.
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        model = _with_outputs(proto, names)
        least = onnx.helper.find_min_ir_version_for(list(model.opset_import), ignore_unknown=True)
        model.ir_version = min(model.ir_version, max(least, _KNOWN_IR_VERSION))
        return ort.InferenceSession(model.SerializeToString(), options).run(
            list(names), dict(inputs)
        )
    except Exception as error:  # its errors have no common base
        raise ToolchainError(f"onnxruntime cannot run the model: {one_line(error)}") from None


def _run_onnx(
    proto: onnx.ModelProto, inputs: Mapping[str, Array], names: Sequence[str]
) -> list[Array]:
    from onnx.reference import ReferenceEvaluator

    try:
        evaluator: Any = ReferenceEvaluator(_with_outputs(proto, names))
        return [np.asarray(value) for value in evaluator.run(list(names), dict(inputs))]
    except Exception as error:  # nor have these
        raise ToolchainError(f"ONNX's reference cannot run the model: {one_line(error)}") from None


def _with_outputs(proto: onnx.ModelProto, names: Sequence[str]) -> onnx.ModelProto:
    """Return a model that has these values among its outputs, and rows in place of maps."""
    made = onnx.ModelProto()
    made.CopyFrom(proto)
    maps = [node for node in made.graph.node if node.op_type == "ZipMap"]
    for node in maps:
        node.op_type, node.domain = "Identity", ""
        del node.attribute[:]
    if maps:
        import_default_domain(made)
    rows = {name for node in maps for name in node.output}
    for info in made.graph.output:
        if info.name in rows:
            info.ClearField("type")
    known = {info.name for info in made.graph.output}
    made.graph.output.extend(onnx.ValueInfoProto(name=n) for n in names if n not in known)
    return made


def _check_same(bundle: Path, manifest: Manifest, proto: onnx.ModelProto) -> None:
    """Raise ``UserError`` if the inputs and outputs of a bundle are not those of the model."""
    known = {info.name: info.type for info in (*proto.graph.input, *proto.graph.output)}
    for entry in (*manifest.inputs, *manifest.outputs):
        if entry.name not in known:
            raise UserError(
                f"bundle '{bundle}' is of another model: this one has no '{entry.name}'"
            )
    for entry in manifest.inputs:
        tensor = known[entry.name].tensor_type
        dims = [dim.dim_value for dim in tensor.shape.dim]
        fits = len(dims) == len(entry.shape) and all(
            dim in (0, extent) or axis in entry.open
            for axis, (dim, extent) in enumerate(zip(dims, entry.shape, strict=True))
        )
        if tensor.HasField("shape") and not fits:
            raise UserError(
                f"bundle '{bundle}' is of another model: its input '{entry.name}' has shape "
                f"{list(entry.shape)}, the model's {listed_shape(dims_of(tensor.shape))}"
            )


def load_model(path: Path, operators: str | Path | None) -> onnx.ModelProto:
    """Return a model that was compiled, so that what it says of files has been checked.

    Operators of a folder are replaced by others, as no other implementation knows them.
    """
    module: Any = onnx  # the types of this function are not complete
    try:
        proto: onnx.ModelProto = module.load(str(path))
    except Exception as error:  # a bundle of another model may be given with anything
        raise UserError(f"'{path}' cannot be read as ONNX: {one_line(error)}") from None
    if operators is not None:
        ctx = Context()
        give_operators(ctx, Path(operators))
        inline_texts(ctx, proto)
    return proto


def one_line(error: Exception) -> str:
    """Return the text of a foreign error as one short line."""
    return " ".join(str(error).split())[:300].rstrip(".") or type(error).__name__


def _drawn(entries: Sequence[TensorEntry], draw: Draw) -> dict[str, Array]:
    """Return inputs: floats from 0 to 1, zeros and ones of all other types, as text for strings.

    A range of the user is that of floats and integers of 8 bits and more.
    """
    random = np.random.default_rng(draw.seed)
    least, most = draw.range or (0.0, 1.0)
    drawn: dict[str, Array] = {}
    for entry in entries:
        is_float = "float" in entry.dtype
        if is_float:
            values = least + random.random(entry.shape) * (most - least)
        elif "int" in entry.dtype and entry.bits >= 8:
            values = random.integers(math.ceil(least), math.floor(most), entry.shape, endpoint=True)
        else:
            values = random.integers(0, 2, entry.shape)
        if entry.cell is not None:
            values = np.where(values == 1, "1", "0")
        drawn[entry.name] = values.astype(named_dtype(entry.dtype))
    return drawn
