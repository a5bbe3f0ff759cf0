"""The weight file next to a ``.mlir`` text.

A text names its file in the module attribute ``nn.weights``, relative to its own folder, which the
name may not leave. The store (and NumPy with it) is loaded only for modules that name weights.
"""

from __future__ import annotations

from pathlib import Path, PurePath

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr

from autodeploy.diagnostics import UserError, WeightsError

ATTRIBUTE = "nn.weights"


def read_weights(ctx: Context, module: ModuleOp, folder: Path | None, given: Path | None) -> None:
    """Load the weights that a parsed module uses: from ``given`` where it exists, else as it says.

    ``folder`` is that of the text; without one (text from a pipe) the name is looked for in the
    current folder, and weights that are not found there are missed only by a pass that wants them.
    Raises ``WeightsError`` for a missing or malformed file or a name that leaves the folder.
    """
    named = module.attributes.get(ATTRIBUTE)
    if given is not None and given.exists():
        path = given
    elif named is None:
        return
    elif not isinstance(named, StringAttr):
        raise WeightsError(f"module attribute '{ATTRIBUTE}' is {named}, expected a file name")
    else:
        path = _within(folder or Path(), named.data)
        if folder is None and not path.exists():
            return
    from autodeploy.weights import WeightStore

    WeightStore.of(ctx).load(path)


class WeightsOutput:
    """The weights of the modules that go into one output, saved in one file."""

    def __init__(self, ctx: Context, output: Path | None, given: Path | None):
        self._ctx = ctx
        self._keys: set[str] = set()
        if given is None:
            assert output is not None
            self._path = output.with_suffix(".safetensors")
            if output.suffix == self._path.suffix:
                raise UserError(f"output '{output}' is text, but has the name of its weight file")
        else:
            self._path = given
        folder = (output or self._path).parent.resolve()
        path = self._path.resolve()
        if not path.is_relative_to(folder):
            raise UserError(
                f"weight file '{self._path}' is not in the folder of '{output}' or below it"
            )
        self._name = path.relative_to(folder).as_posix()

    def add(self, module: ModuleOp) -> None:
        """Make a module name this file if it uses weights, and none if it does not.

        Raises ``WeightsError`` if it uses a weight that no loaded file holds.
        """
        if not _names_weights(module):
            module.attributes.pop(ATTRIBUTE, None)
            return
        from autodeploy.weights import WeightStore, used_keys

        keys = used_keys(module)
        missing = sorted(keys - set(WeightStore.of(self._ctx)))
        if missing:
            shown = ", ".join(f"'{key}'" for key in missing[:3])
            more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
            raise WeightsError(f"no loaded weight file holds the data of {shown}{more}")
        self._keys |= keys
        module.attributes[ATTRIBUTE] = StringAttr(self._name)

    def save(self) -> None:
        """Write the file, if any module uses weights; raises ``UserError`` if it cannot be."""
        if not self._keys:
            return
        from autodeploy.weights import WeightStore

        try:
            WeightStore.of(self._ctx).save(self._path, self._keys)
        except OSError as error:
            raise UserError(f"cannot write '{self._path}': {error.strerror or error}") from None


def _within(folder: Path, name: str) -> Path:
    pure = PurePath(name)
    path = folder / name
    if (
        not name
        or pure.is_absolute()
        or ".." in pure.parts
        or not path.resolve().is_relative_to(folder.resolve())
    ):
        raise WeightsError(
            f"weight file '{name}' is not within the folder of the text that names it"
        )
    return path


def _names_weights(module: ModuleOp) -> bool:
    """Return whether a weight is named anywhere, without loading the store."""
    return any(
        value.name == "nn.weight"
        for op in module.walk()
        for value in (*op.properties.values(), *op.attributes.values())
    )
