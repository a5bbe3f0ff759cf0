"""Results of candidates are compared with those of the rule's config."""

import numpy as np
import pytest

from autodeploy.tuning.agreement import disagreement

ROW = np.linspace(-1, 1, 200, dtype=np.float32)


def _compared(found: np.ndarray, expected: np.ndarray, element: str) -> str | None:
    return disagreement(found.tobytes(), expected.tobytes(), [(element, expected.size)])


def test_rounding_agrees_and_more_does_not() -> None:
    assert _compared(ROW + np.float32(1e-5), ROW, "float32") is None
    wrong = ROW.copy()
    wrong[7] += 0.1
    assert "result 0 differs by 0.1, the largest is 1" in (_compared(wrong, ROW, "float32") or "")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_infinities_and_nans_must_be_the_same(value: float) -> None:
    odd = ROW.copy()
    odd[3] = value
    assert _compared(odd, odd, "float32") is None
    assert _compared(odd, ROW, "float32") is not None
    assert _compared(ROW, odd, "float32") == "result 0 differs in infinities or nans"


def test_integers_may_be_rounded_floats() -> None:
    row = np.arange(200, dtype=np.int32)
    other = row.copy()
    other[0] += 1
    assert _compared(other, row, "int32") is None
    other[1] += 2
    assert _compared(other, row, "int32") == "result 0 differs in 2 of 200 elements"
    assert _compared(row + 1, row, "int32") == "result 0 differs in 200 of 200 elements"


def test_the_second_result_is_compared_too() -> None:
    results = [("float32", 200), ("float32", 200)]
    wrong = np.concatenate([ROW, -ROW]).tobytes()
    assert disagreement(wrong, np.concatenate([ROW, ROW]).tobytes(), results) is not None
    assert disagreement(b"", wrong, results) == "0 bytes of results, expected 1600"
