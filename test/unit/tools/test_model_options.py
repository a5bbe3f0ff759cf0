"""Every tool that imports a model has all options about models."""

from __future__ import annotations

import pytest
import typer

from autodeploy.diagnostics import UserError
from autodeploy.tools.cli_main import app
from autodeploy.tools.model_options import MODEL_OPTIONS, read_model_options


@pytest.mark.parametrize("command", ["compile", "verify", "inspect", "tune"])
def test_the_commands_have_them(command):
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    found = {option for p in group.commands[command].params for option in p.opts}
    assert {f"--{name}" for name in MODEL_OPTIONS} <= found


def test_texts_are_read():
    texts = {
        "shape": ["x=2,3"], "dim": ["n=4"], "value": ["k=1,2"], "bound": ["*=9"], "operators": ["."]
    }  # fmt: skip
    assert read_model_options(texts) == {
        "shapes": {"x": (2, 3)},
        "dims": {"n": 4},
        "values": {"k": [1, 2]},
        "bounds": {"*": 9},
        "operators": ".",
    }
    with pytest.raises(UserError, match="option '--operators' is given twice"):
        read_model_options({**texts, "operators": [".", "other"]})
