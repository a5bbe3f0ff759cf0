"""Numbers of a start that follow from open extents: their meaning in C, their types."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from autodeploy.dialects.halide.start_numbers import c_number, extents_of
from autodeploy.toolchain.compiler import find_c_compiler


def quotient(x: int, y: int) -> int:
    """Return a quotient whose remainder is not negative."""
    return 0 if y == 0 else x // y if y > 0 else -(x // -y)


CASES = [
    ("(extent(0, 0) + 63) / 64", lambda n: (n + 63) // 64),
    ("(extent(0, 0) - 9) / 4", lambda n: (n - 9) // 4),
    ("(extent(0, 0) - 9) % 4", lambda n: (n - 9) % 4),
    ("-extent(0, 0) / 3 * 2 + 1", lambda n: -n // 3 * 2 + 1),
    ("7 / (extent(0, 0) - 3)", lambda n: quotient(7, n - 3)),
    ("(1 - extent(0, 0)) / (2 - extent(0, 0))", lambda n: quotient(1 - n, 2 - n)),
    ("(1 - extent(0, 0)) % (2 - extent(0, 0))", lambda n: (1 - n) % abs(2 - n) if n != 2 else 0),
    ("min(extent(0, 0), 8) + max(extent(0, 0) - 4, 2)", lambda n: min(n, 8) + max(n - 4, 2)),
    ("select(extent(0, 0) <= 4, 1, extent(0, 0))", lambda n: 1 if n <= 4 else n),
    ("extent(0, 0) < 3 || extent(0, 0) == 5", lambda n: int(n < 3 or n == 5)),
    ("extent(0, 0) >= 3 && !(extent(0, 0) != 5)", lambda n: int(n == 5)),
    ("int64(extent(0, 0)) - (1)", lambda n: n - 1),
]
NUMBERS = (0, 1, 2, 3, 4, 5, 6, 64, 65, 1000)


def test_c_computes_as_halide_does(tmp_path: Path) -> None:
    texts = [c_number(text, lambda extent: "n")[0] for text, _ in CASES]
    prints = "".join(f'printf("%lld\\n", (long long)({text}));' for text in texts)
    source = tmp_path / "numbers.c"
    source.write_text(
        "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        f"int main(int count, char **words) {{ int64_t n = atoi(words[count - 1]); {prints} }}"
    )
    program = tmp_path / "numbers"
    subprocess.run([*find_c_compiler(), "-std=c99", "-o", program, source], check=True)
    for number in NUMBERS:
        found = subprocess.run([program, str(number)], capture_output=True, text=True, check=True)
        for line, (text, right) in zip(found.stdout.split(), CASES, strict=True):
            assert (text, number, int(line)) == (text, number, right(number))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("extent(0, 0)", "int32"),
        ("int32(extent(0, 0)) + 1", "int32"),
        ("max(int64(extent(0, 0)), 4)", "int64"),
        ("(float32((extent(0, 0) * 3)))", "float32"),
        ("(extent(0, 0) < 4)", "truth"),
        ("!(extent(0, 0) < 4)", "truth"),
        ("extent(0, 0) < 4 && 2 < extent(0, 0)", "truth"),
    ],
)
def test_types_of_parameters(text: str, kind: str) -> None:
    assert c_number(text, str)[1] == kind


def test_extents_are_named() -> None:
    assert extents_of("min(extent(2, 1), extent(0, 3) + 1) * extent(2, 1)") == {(2, 1), (0, 3)}


@pytest.mark.parametrize(
    "text",
    [
        *("", "extent(0)", "extent(0, 1.5)", "extent(0, n)", "n", "1.5", "True", "'x'", "max(1)"),
        *("float32(extent(0, 0)) * 2", "2 ** 3", "1 // 2", "-1.0", "sqrt(extent(0, 0))"),
        *("1 < extent(0, 0) < 3", "select(1, 2)", "extent(0, 0", "[1]", "int64(1, 2)", "~1"),
    ],
)
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        c_number(text, str)


@pytest.mark.parametrize(
    "text", ["1" + "+1" * 20000, "(" * 300 + "1" + ")" * 300, "-" * 5000 + "1"]
)
def test_a_deep_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        c_number(text, str)


@pytest.mark.parametrize("text", ["1" + " / (2" * 25 + ")" * 25, "min(1, " * 40 + "2" + ")" * 40])
def test_texts_that_grow_too_long_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is too long a number"):
        c_number(text, str)
