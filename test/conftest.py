"""What holds for all pytest tests."""

import os
from pathlib import Path

import pytest

# Kernels that are the same as in the last run are not compiled again, and the user's own cache is
# left alone. The lit tests and the documents use the same folder; `make clean` forgets it.
CACHE = Path(__file__).parents[1] / "build" / "cache" / "kernels"
os.environ.setdefault("AUTODEPLOY_CACHE", str(CACHE))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--emit",
        choices=("object", "c"),
        default="object",
        help="what kernels are compiled to by tests that do not say it themselves",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--emit") == "c":
        _compile_to_sources()


def _compile_to_sources() -> None:
    """Let kernels be C++ source by default, as with ``--emit c`` of the command line."""
    from autodeploy.compiler import CompileOptions

    original = CompileOptions.__init__

    def init(self: CompileOptions, *arguments: object, **options: object) -> None:
        original(self, *arguments, **{"emit": "c", **options})

    CompileOptions.__init__ = init


@pytest.fixture
def needs_objects(request: pytest.FixtureRequest) -> None:
    """Skip a test that looks at object files."""
    if request.config.getoption("--emit") == "c":
        pytest.skip("looks at kernels as object files")
