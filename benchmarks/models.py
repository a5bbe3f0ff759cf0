"""The networks of models.toml: their files, their inputs, random data for them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx

from benchmarks import make_models

Array = npt.NDArray[np.generic]

CATALOGUE = Path(__file__).with_name("models.toml")
_ROOT = CATALOGUE.parents[1]
_LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
_SOURCES = ("light", "make", "file", "graph")
GRAPHS = _ROOT.parent / "shared" / "data" / "zoo"
"""Where the graphs without weights lie that networks of the source ``graph`` are made of."""


class MissingGraphError(Exception):
    """The graph of a network is not there; the text says which file was looked for."""


@dataclass(frozen=True)
class Tensor:
    """An input or output of a network: name, NumPy type, extents."""

    name: str
    dtype: np.dtype[np.generic]
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Model:
    """A network to measure: the file it lies in, what it takes and gives.

    ``mask`` names those inputs that are attention masks. ``checked_path``, where given, is the file
    of the network by whose outputs results are checked, in place of this one's. With ``one_output``
    all outputs, which have the same shape, are written to the same memory.
    """

    name: str
    path: Path
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    mask: tuple[str, ...] = ()
    checked_path: Path | None = None
    one_output: bool = False

    @property
    def checked(self) -> Model | None:
        """Return the network by whose outputs results are checked, where it is not this one."""
        if self.checked_path is None:
            return None
        return read_model(f"{self.name} (checked)", self.checked_path, self.mask)

    def random_inputs(self, seed: int = 0) -> dict[str, Array]:
        """Return inputs by name: floats normally distributed, integers 0 or 1, masks half set."""
        random = np.random.default_rng(seed)
        return {tensor.name: self._random(tensor, random) for tensor in self.inputs}

    def _random(self, tensor: Tensor, random: np.random.Generator) -> Array:
        if tensor.name in self.mask:
            data = np.zeros(tensor.shape, tensor.dtype)
            data[..., : -(-tensor.shape[-1] // 2)] = 1
            return data
        if tensor.dtype.kind == "f":
            return random.standard_normal(tensor.shape).astype(tensor.dtype)
        return random.integers(0, 2, tensor.shape).astype(tensor.dtype)


def read_catalogue(path: Path = CATALOGUE) -> dict[str, dict[str, Any]]:
    """Return the tables of models.toml by name; raises ``ValueError`` for a malformed one."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    for name, table in tables.items():
        if len(set(table) & set(_SOURCES)) != 1:
            raise ValueError(f"model '{name}' needs exactly one of {', '.join(_SOURCES)}")
        unknown = sorted(set(table) - {*_SOURCES, "mask", "quick"})
        if unknown:
            raise ValueError(f"model '{name}' has unknown keys {', '.join(unknown)}")
    return tables


def choose(catalogue: Mapping[str, Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    """Return the networks to run, those named, themselves or by their group; else the quick ones.

    Groups are ``all``, ``modern`` (those whose source is a graph) and ``classic`` (the others).
    Raises ``ValueError`` for a name that is not there.
    """
    if not names:
        return [name for name, table in catalogue.items() if table.get("quick")]
    modern = [name for name, table in catalogue.items() if "graph" in table]
    classic = [name for name in catalogue if name not in modern]
    groups = {"all": classic + modern, "classic": classic, "modern": modern}
    unknown = [name for name in names if name not in catalogue and name not in groups]
    if unknown:
        known = ", ".join([*catalogue, *groups])
        raise ValueError(f"no model {', '.join(unknown)}; there are {known}")
    return list(dict.fromkeys(member for name in names for member in groups.get(name, [name])))


def provide(name: str, table: Mapping[str, Any], folder: Path, graphs: Path = GRAPHS) -> Model:
    """Return a network; what has to be made for it is made in ``folder``.

    Raises ``ValueError`` where an input has no fixed shape or a maker is unknown, and
    ``MissingGraphError`` where ``graphs`` lacks the network's graph.
    """
    model = read_model(name, _file(name, table, folder, graphs), tuple(table.get("mask", ())))
    if "light" not in table:
        return model
    # Equal weights make huge scores, and Softmax then turns a rounding error into 0 or 1.
    path = folder / f"{name}-scores.onnx"
    is_made = _save_without_softmax(model.path, path)
    return replace(model, checked_path=path) if is_made else model


def read_model(name: str, path: Path, mask: tuple[str, ...] = ()) -> Model:
    """Return the network of a file, with the inputs and outputs that the file says."""
    graph = onnx.load(path, load_external_data=False).graph
    weights = {initializer.name for initializer in graph.initializer}
    return Model(
        name,
        path,
        tuple(_tensor(value) for value in graph.input if value.name not in weights),
        tuple(_tensor(value) for value in graph.output),
        mask,
    )


def _save_without_softmax(source: Path, target: Path) -> bool:
    """Save the network without the Softmax that ends it; return whether there is one."""
    model = onnx.load(source)
    graph = model.graph
    last = graph.node[-1]
    if last.op_type != "Softmax" or [value.name for value in graph.output] != list(last.output):
        return False
    graph.output[0].name = last.input[0]
    del graph.node[-1]
    target.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, target)
    return True


def _file(name: str, table: Mapping[str, Any], folder: Path, graphs: Path) -> Path:
    if "file" in table:
        return _ROOT / table["file"]
    if "light" in table:
        return _LIGHT / f"{table['light']}.onnx"
    path = folder / f"{name}.onnx"
    if "graph" in table:
        source = graphs / f"{table['graph']}.onnx"
        if not source.exists():
            raise MissingGraphError(f"there is no {source}")
        _save_newer(path, (source, Path(make_models.__file__)), lambda: make_models.filled(source))
        return path
    maker = make_models.MAKERS.get(table["make"])
    if maker is None:
        raise ValueError(f"model '{name}': make_models.py has no '{table['make']}'")
    _save_newer(path, (Path(make_models.__file__),), maker)
    return path


def _save_newer(path: Path, sources: Sequence[Path], maker: Callable[[], onnx.ModelProto]) -> None:
    """Save the network of ``maker`` unless ``path`` is newer than all ``sources``."""
    newest = max(source.stat().st_mtime_ns for source in sources)
    if not path.exists() or path.stat().st_mtime_ns < newest:
        path.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(maker(), path)


def _tensor(value: onnx.ValueInfoProto) -> Tensor:
    type_ = value.type.tensor_type
    shape = tuple(dimension.dim_value for dimension in type_.shape.dim)
    if not all(shape):
        raise ValueError(f"'{value.name}' has no fixed shape")
    return Tensor(value.name, onnx.helper.tensor_dtype_to_np_dtype(type_.elem_type), shape)
