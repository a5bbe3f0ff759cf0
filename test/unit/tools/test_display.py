"""What the tool prints, and where it prints none of it."""

import io
import json
import sys

import ml_dtypes
import numpy as np
import pytest

from autodeploy.tools.display import outputs_json, progress_bar, show_outputs, show_top


class Terminal(io.StringIO):
    def isatty(self):
        return True


def drawn(stream, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar() as step:
        step("kernel conv_0", 1, 4)
    return stream.getvalue()


def test_a_bar_is_drawn_on_a_terminal_and_taken_away(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    text = drawn(Terminal(), monkeypatch)
    assert "kernel conv_0" in text
    assert "1/4" in text
    assert text.endswith("\x1b[1A\x1b[2K")  # up, and the line cleared


def test_no_bar_is_drawn_elsewhere(monkeypatch):
    assert drawn(io.StringIO(), monkeypatch) == ""


@pytest.fixture
def printed(capsys):
    def call(outputs):
        show_outputs(outputs)
        return capsys.readouterr().out

    return call


def test_short_outputs_are_printed_in_full(printed):
    outputs = {"y[0]": np.array([[1, 2.5]], np.float32), "n": np.int64(7)}
    assert printed(outputs) == "y[0]: float32 1x2\n  1.0 2.5\nn: int64 scalar\n  7\n"


def test_long_outputs_are_cut_and_never_wrapped(printed):
    name = "a_very_long_name_of_an_output_that_alone_is_wider_than_the_console_is"
    text = printed({name: np.arange(1000, 1012)})
    assert text.splitlines() == [
        f"{name}: int64 12",
        "  1000 1001 1002 1003 1004 1005 1006 1007 1008 1009 … (2 more)",
    ]


@pytest.fixture
def top(capsys):
    def call(outputs, count, labels=()):
        show_top(outputs, count, labels)
        return capsys.readouterr().out

    return call


def test_json_of_outputs():
    outputs = {
        "y": np.array([[0.5, np.nan, np.inf]], np.float32),
        "n": np.array(7),
        "b": np.array([True]),
        "h": np.array([1.5], ml_dtypes.bfloat16),
        "s": np.array(["a\n"], object),
    }
    assert json.loads(outputs_json(outputs, None, ())) == {
        "y": {"dtype": "float32", "shape": [1, 3], "values": [0.5, "nan", "inf"]},
        "n": {"dtype": "int64", "shape": [], "values": [7]},
        "b": {"dtype": "bool", "shape": [1], "values": [True]},
        "h": {"dtype": "bfloat16", "shape": [1], "values": [1.5]},
        "s": {"dtype": "string", "shape": [1], "values": ["a\n"]},
    }


def test_json_of_the_largest_values():
    scores = np.array([[1, 3, 2], [9, 8, 7]], np.int64)
    rows = json.loads(outputs_json({"y": scores}, 2, ["a", "b", "c"]))["y"]["top"]
    assert [[(one["index"], one["value"], one["label"]) for one in row] for row in rows] == [
        [(1, 3, "b"), (2, 2, "c")],
        [(0, 9, "a"), (1, 8, "b")],
    ]


def test_the_largest_values_of_a_row_are_named(top):
    scores = np.array([[0.5, np.nan, 2, 2, -1]], np.float32)
    assert top({"y": scores}, 3, ["a", "b", "c", "[d]", "e"]) == (
        "y: float32 1x5\n  2: 2.0  c\n  3: 2.0  [d]\n  0: 0.5  a\n"
    )
    assert top({"y": scores}, 9).endswith("  4: -1.0\n  1: nan\n")


def test_rows_of_another_length_have_no_labels(top):
    assert top({"y": np.arange(3)}, 1, ["a", "b"]) == "y: int64 3\n  2: 2\n"
    assert top({"y": np.float32(7)}, 5) == "y: float32 scalar\n  0: 7.0\n"


def test_several_rows_are_labelled_and_not_all_printed(top):
    said = top({"y": np.arange(24, dtype=np.uint8).reshape(12, 1, 2)}, 1)
    assert said.startswith("y: uint8 12x1x2\n  row 0\n  1: 1\n  row 1\n  1: 3\n")
    assert said.endswith("  row 9\n  1: 19\n  … (2 more rows)\n")
