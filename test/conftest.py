"""What holds for all pytest tests."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import settings
from quick import QUICK, quick_items
from runtime_objects import share_objects

from autodeploy.tools.cli import raise_gc_threshold

# Kernels that are the same as in the last run are not compiled again, and the user's own cache is
# left alone. The lit tests and the documents use the same folder; `make clean` forgets it.
CACHE = Path(__file__).parents[1] / "build" / "cache" / "kernels"
os.environ.setdefault("AUTODEPLOY_CACHE", str(CACHE))
# Users have the IR verified after some stages, and so has the quick run; other tests after all.
if not QUICK:
    os.environ["AUTODEPLOY_VERIFY"] = "1"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--emit",
        choices=("object", "c", "c99"),
        default="object",
        help="what kernels are compiled to by tests that do not say it themselves; c99: those of "
        "the machine without vectors",
    )


# No test asserts seconds.
settings.register_profile("autodeploy", deadline=None)
settings.load_profile("autodeploy")


def pytest_configure(config: pytest.Config) -> None:
    raise_gc_threshold()
    share_objects(CACHE.with_name("objects"))
    # Tests run side by side, so that each of them has one core.
    _compile_by_default({"jobs": 1, **_DEFAULTS.get(config.getoption("--emit"), {})})


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the tests of a file to one worker, unless they say themselves what belongs together.

    What a file has made once, fixtures and compiled kernels, other tests of it find there. Two
    workers that go through a file side by side both make it.
    """
    if QUICK:
        items[:] = quick_items(items, Path(__file__).parent)
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.split("::")[0]))


_DEFAULTS: Mapping[str, Mapping[str, str]] = {"c": {"emit": "c"}, "c99": {"machine": "scalar"}}


def _compile_by_default(changed: Mapping[str, object]) -> None:
    """Let options of the compiler have other defaults."""
    from autodeploy.compiler import CompileOptions

    original = CompileOptions.__init__

    def init(self: CompileOptions, *arguments: object, **options: object) -> None:
        original(self, *arguments, **{**changed, **options})

    CompileOptions.__init__ = init


@pytest.fixture
def needs_objects(request: pytest.FixtureRequest) -> None:
    """Skip a test that looks at object files."""
    if request.config.getoption("--emit") != "object":
        pytest.skip("looks at kernels as object files")
