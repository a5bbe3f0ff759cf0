"""Elements that values select, in networks with an open extent."""

from __future__ import annotations

import pytest
from open_runs import check_sanitized_range, compiled
from open_selections import different, selected, selected_inside

from autodeploy.diagnostics import UnsupportedError
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.session import load_bundle

SPEC = OpenSpec(("n",), 1, 8)


@pytest.mark.exhaustive
def test_the_program_returns_the_number_of_elements(tmp_path):
    check_sanitized_range(selected, SPEC, tmp_path, (1, 8, 3))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (selected_inside, "an open extent after one that depends on values"),
        (different, "Unique-11 node 't0' on f32: elements along an open extent are not compared"),
    ],
)
def test_other_selections_are_refused(make, reason, tmp_path):
    with pytest.raises(UnsupportedError, match=reason):
        compiled(make, SPEC, tmp_path / "b", level=0)


def test_the_manifest_has_the_axes_that_values_decide(tmp_path):
    compiled(selected, SPEC, tmp_path / "b", level=0)
    with load_bundle(tmp_path / "b") as session:
        outputs = [output.at(session.extents, (3,)) for output in session.outputs]
    assert [(o.shape, o.open) for o in outputs] == [
        ((2, 32), (1,)), ((8, 4), (0,)), ((8, 3), (0,)), ((1, 4), ()), ((8, 6), (0, 1)),
        ((6, 3), (0,)), ((3, 4), ()),
    ]  # fmt: skip
