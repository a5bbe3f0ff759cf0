"""``autodeploy worker``: measure for a search that runs elsewhere."""

from __future__ import annotations

import typer

from autodeploy.runner.main import main


def worker(context: typer.Context) -> None:
    """Run programs that are to be measured, for 'tune --scheduler'; --help says more."""
    main(context.args)
