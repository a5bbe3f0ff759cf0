"""``autodeploy inspect``: what a model takes, holds and needs, before it is compiled."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from autodeploy.tools.command_options import JSON, MODEL, POOL
from autodeploy.tools.model_options import ModelOptions, with_model_options
from autodeploy.tools.terminal import json_text, say


@with_model_options
def inspect(
    *,
    model: Annotated[Path, MODEL],
    given: ModelOptions,
    pool: Annotated[str, POOL] = "",
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Print the inputs, outputs, operators and memory of a model."""
    from autodeploy.tools.inspect_model import inspect as inspected

    found = inspected(model, **given, pools=pool)
    if as_json:
        typer.echo(json_text(asdict(found)))
    else:
        say(*found.lines())
