"""What the sample of cases at level 0 holds."""

from __future__ import annotations

import compiled_cases
from compiled_cases import cases_at, each_operator, operators_and_types
from onnx_cases import CASES


def _held(examples):
    return frozenset().union(*map(operators_and_types, examples))


def _names(example):
    return {name for name, *_ in operators_and_types(example)}


def test_the_sample_has_each_operator_with_each_type():
    sample = each_operator()
    assert _held(sample) == _held(CASES)
    assert len(sample) < len(CASES) / 2


def test_operators_of_subgraphs_count():
    assert {".If", ".Loop", "ai.onnx.ml.TreeEnsemble"} < {name for name, *_ in _held(CASES)}
    with_bodies = [
        case for case in CASES if any(n[0] == ".Scan" for n in operators_and_types(case))
    ]
    assert any(len(operators_and_types(case)) > 1 for case in with_bodies)


def test_all_cases_are_compiled_where_that_is_asked_for(monkeypatch):
    monkeypatch.setattr(compiled_cases, "QUICK", False)
    monkeypatch.delenv("CASES", raising=False)
    assert list(cases_at.__wrapped__(0)) == list(each_operator())
    assert cases_at.__wrapped__(2) is CASES
    monkeypatch.setenv("CASES", "all")
    assert cases_at.__wrapped__(0) is CASES


def test_the_quick_run_has_each_operator(monkeypatch):
    monkeypatch.setattr(compiled_cases, "QUICK", True)
    kept = cases_at.__wrapped__(2)
    assert len(kept) < len(CASES) / 4
    assert set().union(*map(_names, kept)) == set().union(*map(_names, CASES))
