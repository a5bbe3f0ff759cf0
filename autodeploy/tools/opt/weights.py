"""The weight file that is written next to a ``.mlir`` text."""

from __future__ import annotations

from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr

from autodeploy.diagnostics import UserError, WeightsError, io_errors
from autodeploy.frontend.stage_text import ATTRIBUTE


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

        with io_errors(f"cannot write '{self._path}'"):
            WeightStore.of(self._ctx).save(self._path, self._keys)


def _names_weights(module: ModuleOp) -> bool:
    """Return whether a weight is named anywhere, without loading the store."""
    return any(
        value.name == "nn.weight"
        for op in module.walk()
        for value in (*op.properties.values(), *op.attributes.values())
    )
