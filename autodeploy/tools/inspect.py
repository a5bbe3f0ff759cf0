"""``autodeploy inspect``: what a model takes, holds and needs, before it is compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from autodeploy.tools.model_options import ModelOptions, with_model_options
from autodeploy.tools.terminal import say
from autodeploy.tools.usage import MODEL


@with_model_options
def inspect(*, model: Annotated[Path, MODEL], given: ModelOptions) -> None:
    """Print the inputs, outputs, operators and memory of a model."""
    from autodeploy.tools.inspect_model import inspected

    for line in inspected(model, given):
        say(line)
