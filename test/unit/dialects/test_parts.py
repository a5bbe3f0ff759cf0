"""Parts of the range of an open extent."""

from __future__ import annotations

import pytest

from autodeploy.dialects.nn.parts import Part, hidden_part, numbers_text, part_of

SOME = (Part(1, 1), Part(8, 8), Part(1, 32))


def test_the_first_part_that_has_a_number_is_chosen():
    assert [part_of(SOME, number) for number in (1, 2, 8, 9, 32, 33)] == [0, 2, 1, 2, 2, None]
    assert list(map(str, SOME)) == ["1", "8", "1..32"]


@pytest.mark.parametrize(
    ("parts", "step", "text"),
    [
        (SOME, 1, "from 1 to 32"),
        ([Part(2, 32)], 1, "from 2 to 32"),
        ([Part(1, 1), Part(4, 4), Part(9, 9)], 1, "1, 4 or 9"),
        ([Part(1, 1), Part(4, 8)], 1, "1 or from 4 to 8"),
        ([Part(256, 512), Part(160, 224)], 8, "from 160 to 224 or from 256 to 512 in steps of 8"),
        ([Part(256, 512), Part(160, 224)], 32, "from 160 to 512 in steps of 32"),
        ([Part(8, 8), Part(24, 24)], 8, "8 or 24"),
        ([Part(8, 8), Part(16, 16)], 8, "from 8 to 16 in steps of 8"),
    ],
)
def test_consecutive_parts_are_printed_as_one(parts, step, text):
    assert numbers_text(parts, step) == text


def test_a_part_is_hidden_by_those_before_it():
    assert hidden_part(SOME, 1) is None
    assert hidden_part([Part(1, 32), Part(8, 8)], 1) == Part(8, 8)
    assert hidden_part([Part(1, 4), Part(5, 9), Part(3, 7)], 1) == Part(3, 7)
    assert hidden_part([Part(1, 4), Part(6, 9), Part(3, 7)], 1) is None
    assert hidden_part([Part(8, 16), Part(24, 32), Part(16, 24)], 8) == Part(16, 24)
