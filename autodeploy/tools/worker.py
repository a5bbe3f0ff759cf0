"""``autodeploy worker``: measure for a search that runs elsewhere."""

from __future__ import annotations

import typer


def worker(context: typer.Context) -> None:
    """Run programs that are to be measured, for 'tune --scheduler'; --help says more."""
    from autodeploy.runner.main import main

    main(context.args)
