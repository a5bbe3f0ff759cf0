"""The rules that ship, and the entries of the cache that they are read from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from autodeploy.cache.entries import Entries, default_folder
from autodeploy.dialects.registry import new_context
from autodeploy.passes.fusion import shipped
from autodeploy.passes.fusion.order import pass_order
from autodeploy.passes.fusion.pdl.executor import load_patterns
from autodeploy.passes.fusion.registry import CODES_FOLDER, PATTERN_FOLDER, pattern_files
from autodeploy.passes.fusion.shipped import Rule, StoredPattern, rules_together, shipped_rules

FOLDERS = [PATTERN_FOLDER, CODES_FOLDER]
CTX = new_context()


@pytest.fixture
def anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, for a process that has read no rules yet."""
    monkeypatch.setenv("AUTODEPLOY_CACHE", str(tmp_path))
    shipped_rules.cache_clear()
    yield tmp_path
    shipped_rules.cache_clear()


def module(*lines: str) -> ModuleOp:
    values = ", ".join(f"%x{i}: tensor<2x2xf32>" for i in range(2))
    return Parser(
        CTX, f"func.func @main({values}) {{ {' '.join(lines)} func.return }}"
    ).parse_module()


@pytest.mark.parametrize("folder", FOLDERS, ids=["fusion", "codes"])
def test_rules_read_from_an_entry_are_those_that_were_expanded(
    folder: Path, anew: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = shipped_rules(folder)
    shipped_rules.cache_clear()
    monkeypatch.setattr(shipped, "_derive", None)  # calling it again would fail
    assert shipped_rules(folder) == made
    files = pattern_files(folder)
    assert sorted(rule.name for rule in made) == list(files)
    for rule in made:
        read, expanded = rule.patterns, load_patterns(CTX, files[rule.name])
        for one, other in zip(read, expanded, strict=True):
            assert (one.name, one.benefit, one.root_name) == (
                other.name,
                other.benefit,
                other.root_name,
            )
            assert list(one.source.places.values()) == [
                other.source.places[op] for op in other.op.walk()
            ]


def test_rules_run_in_their_order(anew: Path) -> None:
    assert [rule.name for rule in shipped_rules(PATTERN_FOLDER)] == pass_order(CTX)


@pytest.mark.parametrize("content", ["{", "[1]", "[{}]", '[{"name": "a", "stored": [{}]}]'])
def test_an_entry_of_another_form_is_made_anew(anew: Path, content: str) -> None:
    made = shipped_rules(CODES_FOLDER)
    entries = Entries(default_folder(), "rules", 1 << 20)
    (file,) = (path for path in anew.rglob("*") if path.is_file())
    key = file.parent.name + file.name
    whole = entries.get(key)
    assert whole is not None and len(json.loads(whole)) == len(made)
    entries.put(key, content.encode())
    shipped_rules.cache_clear()
    assert shipped_rules(CODES_FOLDER) == made
    assert entries.get(key) == whole


def test_folders_have_entries_of_their_own(anew: Path) -> None:
    assert shipped._digest(PATTERN_FOLDER) != shipped._digest(CODES_FOLDER)


def rule(name: str, needs: set[str], makes: set[str]) -> Rule:
    return Rule(name, (StoredPattern("", "", tuple(needs), tuple(makes)),))


def test_a_rule_that_cannot_match_is_left_out() -> None:
    rules = [
        rule("third", {"nn.abs", "nn.constant"}, set()),
        rule("first", {"nn.relu"}, {"nn.neg"}),
        rule("second", {"nn.relu", "nn.neg"}, {"nn.abs"}),
        rule("never", {"nn.relu", "nn.exp"}, {"nn.exp"}),
        rule("any", set(), set()),
    ]
    relu = "%y = nn.relu %x0 : (tensor<2x2xf32>) -> tensor<2x2xf32>"
    chosen = [rule.name for rule in rules_together(rules, module(relu))]
    assert chosen == ["third", "first", "second", "any"]
    assert [rule.name for rule in rules_together(rules, module())] == ["any"]


def test_a_network_of_floats_reads_few_rules_for_codes() -> None:
    product = "%y = nn.matmul %x0, %x1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>"
    rules = shipped_rules(CODES_FOLDER)
    assert len(rules_together(rules, module(product))) < len(rules) // 2
