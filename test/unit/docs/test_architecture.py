"""The map of the folders: what docs/architecture.md says of folders and imports is so."""

import re
import tomllib

from documents import PAGES, ROOT

TEXT = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "autodeploy"
MODULE = re.compile(r"^\| `([\w/]+)/` \|", re.MULTILINE)
PATH = re.compile(r"`((?:autodeploy|test|docs|benchmarks|examples)/[\w./-]*)`")


def test_each_folder_has_one_line_in_the_order_of_the_alphabet():
    folders = {path.parent for path in PACKAGE.rglob("*") if path.is_file()} - {PACKAGE}
    names = [path.relative_to(PACKAGE).as_posix() for path in folders if path.name[0] != "_"]
    assert MODULE.findall(TEXT) == sorted(names)


def test_each_module_that_is_in_no_folder_is_named():
    said = TEXT.partition("Modules that belong to no folder")[2].partition("\n\n")[0]
    names = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    assert set(re.findall(r"`(\w+)`", said)) == names


def test_the_list_of_layers_is_that_of_the_contract():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = config["tool"]["importlinter"]["contracts"][0]
    assert contract["containers"] == ["autodeploy"]
    said = TEXT.partition("## Import order")[2].split("\n\n")[2]
    layers = [re.findall(r"\w+", layer) for layer in reversed(contract["layers"])]
    assert [re.findall(r"`(\w+)`", layer) for layer in said.split("→")] == layers


def test_every_path_that_a_page_names_is_there():
    for name in PAGES:
        for path in PATH.findall((ROOT / name).read_text(encoding="utf-8")):
            assert (ROOT / path).exists(), f"{name} names {path}"
