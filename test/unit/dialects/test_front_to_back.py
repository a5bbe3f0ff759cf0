"""How far behind an output an input begins that the output runs into."""

from __future__ import annotations

import pytest
from xdsl.parser import Parser

from autodeploy.dialects.halide.in_place import least_distance
from autodeploy.dialects.halide.pipeline import PipelineOp
from autodeploy.dialects.registry import new_context

ROWS, NARROW, WIDE = 8, 512, 1024
"""A wide row has 4096 bytes."""

FUNC = "!halide.func<f32, 2>"

HALF = """
  %two = halide.const 2 : i32
  %column = halide.div %x, %two : i32
  %a = halide.load %in[%column, ROW] : IN to f32
"""


def distance(
    body: str,
    schedule: str = "",
    *,
    before: str = "",
    behind: str = "",
    source: str = f"!halide.buffer<f32, [{NARROW}, {ROWS}]>",
    target: str = f"!halide.buffer<f32, [{WIDE}, {ROWS}]>",
) -> int | None:
    """Return the distance of a pipeline whose output has the values ``%v`` of a body."""
    element = target.split("<")[1].split(",")[0]
    func = f"!halide.func<{element}, 2>"
    lines = [line for line in schedule.split("; ") if line]
    directives = "\n".join(d if " : " in d else f"{d} : {FUNC}" for d in lines)
    text = f"""
    halide.pipeline @k(%in: {source}) to (%out: {target}) {{
      {before}
      %f = halide.func "f"(x %x, y %y) in [{WIDE}, {ROWS}] : {element} {{
        {body}
        halide.yield %v : {element}
      }}
      {behind}
      halide.output %f in %out : {func} in {target}
      {f"halide.schedule {{ {directives} }}" if schedule else ""}
    }}""".replace("IN", source)
    module = Parser(new_context(), text).parse_module()
    module.verify()
    pipeline = module.body.block.first_op
    assert isinstance(pipeline, PipelineOp)
    return least_distance(pipeline, pipeline.inputs[0], pipeline.outputs[0])


def rows(row: str = "%y", code: str = "") -> str:
    """Return a body that reads row ``row`` to compute row ``%y``."""
    return f"{code}{HALF.replace('ROW', row)}\n%v = halide.add %a, %a : f32"


def ends(step: int, before: int = 0) -> int:
    """Return the distance where the last iteration of ``step`` rows reads ``before`` more."""
    return ROWS * WIDE - (ROWS - step - before) * NARROW


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ("", ends(1)),
        ('halide.split %f "y" to "yo", "yi" by 4', ends(4)),
        (
            'halide.split %f "y" to "yo", "yi" by 2; halide.split %f "yo" to "yb", "ys" by 2',
            ends(4),
        ),
        ('halide.vectorize %f "x" by 8', ends(1)),
        ('halide.split %f "x" to "xo", "xi" by 48', ends(1)),  # tiles of columns move inwards
        ('halide.unroll %f "y" by 2', ends(2)),
        # Of 8 rows in tiles of 3 the last one begins at row 5, or has two rows.
        ('halide.split %f "y" to "yo", "yi" by 3', ends(3)),
        ('halide.split %f "y" to "yo", "yi" by 3 {tail = #halide<tail guard_with_if>}', ends(2)),
        # Rows within, columns around: the last columns read from row 0 on.
        ('halide.reorder %f ["y", "x"]', None),
        # A single iteration is no loop.
        ('halide.split %f "y" to "yo", "yi" by 8', ends(1)),
        # Iterations that do not follow each other.
        ('halide.parallel %f "y"', None),
        ('halide.parallel %f "y" by 2', None),
        ('halide.unroll %f "y"', None),
        ('halide.fuse %f "x", "y" to "xy"', None),
        ('halide.parallel %f "x"', ends(1)),
    ],
)
def test_the_outermost_loop_decides_on_the_distance_of_rows(schedule: str, expected: int | None):
    assert distance(rows(), schedule) == expected


SHIFTED = """
  %d = halide.const {by} : i32
  %n = halide.add %y, %d : i32
  %zero = halide.const 0 : i32
  %low = halide.max %n, %zero : i32
  %most = halide.const 7 : i32
  %row = halide.min %low, %most : i32
"""


@pytest.mark.parametrize(
    ("by", "expected"),
    [(0, ends(1)), (-1, ends(1, 1)), (-3, ends(1, 3)), (2, ends(1)), (-7, None)],
)
def test_rows_around_a_row_are_kept_apart(by: int, expected: int | None):
    assert distance(rows("%row", SHIFTED.format(by=by))) == expected


def test_rows_that_are_read_from_the_last_one_on_are_not():
    turned = "%m = halide.const 7 : i32\n%row = halide.sub %m, %y : i32\n"
    assert distance(rows("%row", turned)) is None


def test_a_row_that_all_read_is_not():
    assert distance(rows("%first", "%first = halide.const 0 : i32\n")) is None


BEFORE = f"""
  %g = halide.func "g"(x %p, y %q) in [{WIDE}, {ROWS}] : f32 {{
    %two = halide.const 2 : i32
    %column = halide.div %p, %two : i32
    %a = halide.load %in[%column, %q] : IN to f32
    %b = halide.add %a, %a : f32
    halide.yield %b : f32
  }}
"""
OF_BEFORE = f"%a = halide.load %g[%x, %y] : {FUNC} to f32\n%v = halide.add %a, %a : f32"


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        # Inlined, or for each column: what the last rows read is read while they are written.
        ("", ends(4)),
        (f'halide.compute_at %g at %f "x" : {FUNC} at {FUNC}', ends(4)),
        (f'halide.compute_at %g at %f "yi" : {FUNC} at {FUNC}', ends(4)),
        # All rows of an iteration are read first: only the first four are written by then.
        (f'halide.compute_at %g at %f "yo" : {FUNC} at {FUNC}', 4 * WIDE - 4 * NARROW),
    ],
)
def test_elements_that_are_read_first_may_be_overwritten(place: str, expected: int):
    split = 'halide.split %f "y" to "yo", "yi" by 4'
    schedule = f"{split}; {place}" if place else split
    assert distance(OF_BEFORE, schedule, before=BEFORE) == expected


def test_values_are_no_places():
    """Where a value says which row is read, any may be."""
    code = """
      %i = halide.load %in[%x0, %y] : IN to f32
      %row = halide.cast %i : f32 to i32
    """.replace("%x0", "%y")
    assert distance(rows("%row", code)) is None


@pytest.mark.parametrize(
    "change",
    [
        {"source": f"!halide.buffer<f32, [{NARROW}, {ROWS}], [1, 1024]>"},
        {"target": f"!halide.buffer<f32, [{WIDE}, {ROWS}], [1, 2048]>"},
    ],
)
def test_buffers_with_gaps_do_not_overlap(change: dict[str, str]):
    assert distance(rows(), **change) is None


def test_an_updated_output_does_not_overlap():
    update = f"""
      halide.update %f(x %x, y %y) over (k %k in 0 to 4) : {FUNC} {{
        %old = halide.load %f[%x, %y] : {FUNC} to f32
        {HALF.replace("ROW", "%y")}
        %v = halide.add %old, %a : f32
        halide.yield %v : f32
      }}
    """
    zero = "%v = halide.const 0.0 : f32"
    assert distance(zero, behind=update) is None


def test_integers_and_copies_do_not_overlap():
    assert distance(f"{HALF.replace('ROW', '%y')}\n%v = halide.abs %a : f32") == ends(1)
    assert distance(HALF.replace("ROW", "%y").replace("%a", "%v")) is None
    whole = {
        "source": f"!halide.buffer<i32, [{NARROW}, {ROWS}]>",
        "target": f"!halide.buffer<i32, [{WIDE}, {ROWS}]>",
    }
    assert distance(rows().replace("f32", "i32"), **whole) is None


def test_small_iterations_do_not_overlap():
    """A compiler may make one of two, and read what the first one needs behind the second."""
    small = {
        "source": f"!halide.buffer<f32, [{NARROW}, {ROWS}]>",
        "target": f"!halide.buffer<f32, [{WIDE - 1}, {ROWS}]>",
    }
    assert distance(rows(), **small) is None
    assert distance(rows(), 'halide.split %f "y" to "yo", "yi" by 2', **small) is not None
