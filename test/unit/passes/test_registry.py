"""Passes are found by listing files, and loaded when they are asked for."""

import sys

import pytest
from xdsl.passes import get_pass_option_infos

from autodeploy.passes.registry import discover_passes, pass_name
from autodeploy.universe import UNIVERSE

PASS = """
from dataclasses import dataclass
from xdsl.passes import ModulePass

@dataclass(frozen=True)
class DoNothingPass(ModulePass):
    name = "{name}"

    def apply(self, ctx, op):
        pass
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "some_passes"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "some_passes"]:
        del sys.modules[name]


def test_a_pass_is_its_file(package):
    (package / "do_nothing.py").write_text(PASS.format(name="do-nothing"))
    (package / "helpers.py").write_text("class Helper:\n    name = 'x'\n")
    passes = discover_passes("some_passes")
    assert list(passes) == ["do-nothing"]
    assert "some_passes.do_nothing" not in sys.modules
    loaded = passes["do-nothing"]()
    assert loaded.name == "do-nothing"
    assert loaded.__module__ == "some_passes.do_nothing"


@pytest.mark.parametrize(
    ("file", "line", "name"),
    [
        ("do_it.py", '    name = "do-it"', "do-it"),
        ("do_it.py", '    name: ClassVar[str] = "do-it"', "do-it"),
        ("convert_a_to_b.py", '    name = "convert-a-to-b"', "convert-a-to-b"),
        ("do_it.py", '    name = "do-that"', None),
        ("do_it.py", '    name = "do_it"', None),
        ("do_it.py", 'name = "do-it"', None),
        ("do_it.py", '    # name = "do-it"', None),
        ("__init__.py", '    name = "init"', None),
    ],
)
def test_the_name_is_that_of_the_file(tmp_path, file, line, name):
    path = tmp_path / file
    path.write_text(f"class C:\n{line}\n")
    assert pass_name(path) == name


def test_a_class_from_elsewhere_is_not_the_files_pass(package):
    (package / "do_nothing.py").write_text(PASS.format(name="do-nothing"))
    (package / "do_more.py").write_text(
        'from some_passes.do_nothing import DoNothingPass\nclass C:\n    name = "do-more"\n'
    )
    with pytest.raises(ImportError, match="do_more says that it defines pass 'do-more'"):
        discover_passes("some_passes")["do-more"]()


def test_a_package_without_a_folder_has_no_passes():
    assert discover_passes("no_such_package") == {}


def test_one_pass_alone_has_an_option_for_the_machine():
    """All others read the attribute of the module."""
    of_the_machine = {"machine", "target", "cores", "threads"}
    found = {
        name
        for name, load in UNIVERSE.all_passes.items()
        if of_the_machine & {option.name for option in get_pass_option_infos(load())}
    }
    assert found == {"set-machine"}
