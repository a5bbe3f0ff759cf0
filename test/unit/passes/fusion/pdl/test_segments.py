"""Which entry of an operand list stands for what."""

import pytest

# Each op carries a tag, so that the matches of a pattern can be read off the erased ones.
PICKY = """
%x = "toy.const"() {value = 0 : i32} : () -> f32
%0 = "toy.picky"(%x) {tag = "x", operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (f32) -> f32
%1 = "toy.picky"(%x, %x) {tag = "low", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (f32, f32) -> f32
%2 = "toy.picky"(%x, %x) {tag = "high", operandSegmentSizes = array<i32: 1, 0, 1, 0>} : (f32, f32) -> f32
%3 = "toy.picky"(%x, %x) {tag = "rest", operandSegmentSizes = array<i32: 1, 0, 0, 1>} : (f32, f32) -> f32
%4 = "toy.picky"(%x, %x, %x) {tag = "both", operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (f32, f32, f32) -> f32
%5 = "toy.picky"(%x, %x, %x, %x) {tag = "all", operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (f32, f32, f32, f32) -> f32
%6 = "toy.picky"(%x, %x, %x, %x, %x) {tag = "more", operandSegmentSizes = array<i32: 1, 1, 1, 2>} : (f32, f32, f32, f32, f32) -> f32
"""  # noqa: E501
TAGS = ["x", "low", "high", "rest", "both", "all", "more"]

CONCAT = """
%x = "toy.const"() {value = 0 : i32} : () -> f32
%0 = "toy.concat"() {tag = "0"} : () -> f32
%1 = "toy.concat"(%x) {tag = "1"} : (f32) -> f32
%2 = "toy.concat"(%x, %x) {tag = "2"} : (f32, f32) -> f32
"""

CONV = """
%x = "toy.const"() {value = 0 : i32} : () -> f32
%0 = "toy.conv"(%x, %x) {tag = "plain", stride = 1 : i64} : (f32, f32) -> f32
%1 = "toy.conv"(%x, %x, %x) {tag = "bias", stride = 1 : i64} : (f32, f32, f32) -> f32
"""


def entries_of(kinds: str) -> tuple[str, str]:
    """Return what declares the entries, and the operand list: ``v`` is a value, ``r`` a range."""
    ops = {"v": "pdl.operand", "r": "pdl.operands"}
    types = {"v": "!pdl.value", "r": "!pdl.range<value>"}
    declared = "\n".join(f"%e{i} = {ops[kind]}" for i, kind in enumerate(kinds))
    if not kinds:
        return "", ""
    names = ", ".join(f"%e{i}" for i in range(len(kinds)))
    return declared, f"({names} : {', '.join(types[kind] for kind in kinds)})"


def pattern(op: str, kinds: str) -> str:
    declared, listed = entries_of(kinds)
    return f"""pdl.pattern @p : benefit(1) {{
      {declared}
      %t = pdl.type
      %op = pdl.operation "{op}" {listed} -> (%t : !pdl.type)
      pdl.rewrite %op {{
        pdl.erase %op
      }}
    }}"""


@pytest.mark.parametrize(
    ("kinds", "matched"),
    [
        ("v", ["x"]),
        ("vv", ["low"]),
        ("vvv", ["both"]),
        ("vvvv", ["all"]),
        ("vvvvv", ["more"]),
        ("vrrr", TAGS),
        ("vvrr", ["low", "both", "all", "more"]),
        ("vrvr", ["high", "both", "all", "more"]),
        ("vrrv", ["rest", "all"]),
        ("rvvv", ["all"]),
        # One range and another number of entries than segments: by position.
        ("r", TAGS),
        ("vr", TAGS),
        ("vvr", [tag for tag in TAGS if tag != "x"]),
        ("vvrv", ["all"]),
        ("vvvvr", ["all", "more"]),
        ("vvvvvr", ["more"]),
    ],
)
def test_segments_with_stored_sizes(rewrite, kinds, matched):
    left = rewrite(pattern("toy.picky", kinds), PICKY)
    assert [tag for tag in TAGS if f'tag = "{tag}"' not in left] == matched


@pytest.mark.parametrize(
    ("kinds", "matched"),
    [("", "0"), ("v", "1"), ("vv", "2"), ("r", "012"), ("vr", "12"), ("rv", "12"), ("vrv", "2")],
)
def test_one_variadic_segment(rewrite, kinds, matched):
    left = rewrite(pattern("toy.concat", kinds), CONCAT)
    assert [tag for tag in "012" if f'tag = "{tag}"' not in left] == list(matched)


@pytest.mark.parametrize(
    ("kinds", "matched"),
    [("vv", ["plain"]), ("vvv", ["bias"]), ("vvr", ["plain", "bias"]), ("vr", ["plain", "bias"])],
)
def test_an_optional_operand_is_absent_unless_it_has_an_entry(rewrite, kinds, matched):
    left = rewrite(pattern("toy.conv", kinds), CONV)
    assert [tag for tag in ("plain", "bias") if f'tag = "{tag}"' not in left] == matched


@pytest.mark.parametrize(
    ("op", "kinds", "message"),
    [
        ("toy.conv", "v", "found 1 operands, it has at least 2 (x, w, bias)"),
        ("toy.conv", "vvvv", "found 4 operands, it has at most 3 (x, w, bias)"),
        ("toy.conv", "vvvvr", "found 4 operands, it has at most 3 (x, w, bias)"),
        ("toy.relu", "", "found 0 operands, it has exactly 1 (x)"),
        ("toy.picky", "rr", "2 ranges among 2 operands cannot be told apart"),
    ],
)
def test_a_list_that_no_op_can_have_is_refused(rewrite, op, kinds, message):
    from autodeploy.passes.fusion.pdl.source import PatternError

    with pytest.raises(PatternError) as error:
        rewrite(pattern(op, kinds), "")
    assert f"pattern @p: operation '{op}': {message}" in str(error.value)


def test_ranges_bind_the_rest_after_values(rewrite):
    out = rewrite(
        """pdl.pattern @p : benefit(1) {
          %first = pdl.operand
          %middle = pdl.operands
          %last = pdl.operand
          %t = pdl.type
          %op = pdl.operation "toy.concat" (%first, %middle, %last : !pdl.value, !pdl.range<value>, !pdl.value) -> (%t : !pdl.type)
          pdl.rewrite %op {
            %all = pdl.range %last, %middle : !pdl.value, !pdl.range<value>
            %new = pdl.operation "test.pureop" (%all, %first : !pdl.range<value>, !pdl.value) -> (%t : !pdl.type)
            pdl.replace %op with %new
          }
        }""",  # noqa: E501
        """func.func @f(%a: f32, %b: f32, %c: f32, %d: f32) -> f32 {
          %0 = "toy.concat"(%a, %b, %c, %d) : (f32, f32, f32, f32) -> f32
          func.return %0 : f32
        }""",
    )
    assert '"test.pureop"(%d, %b, %c, %a)' in out


def test_a_created_op_stores_the_sizes_of_its_segments(rewrite):
    out = rewrite(
        """pdl.pattern @p : benefit(1) {
          %x = pdl.operand
          %rest = pdl.operands
          %t = pdl.type
          %op = pdl.operation "toy.concat" (%x, %rest : !pdl.value, !pdl.range<value>) -> (%t : !pdl.type)
          pdl.rewrite %op {
            %none = pdl.range : !pdl.range<value>
            %new = pdl.operation "toy.picky" (%x, %none, %x, %rest : !pdl.value, !pdl.range<value>, !pdl.value, !pdl.range<value>)
            pdl.replace %op with %new
          }
        }""",  # noqa: E501
        """func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
          %0 = "toy.concat"(%a, %b, %c) : (f32, f32, f32) -> f32
          func.return %0 : f32
        }""",
    )
    assert '"toy.picky"(%a, %a, %b, %c)' in out
    assert "array<i32: 1, 0, 1, 2>" in out


def test_fewer_operands_leave_the_last_optional_ones_of_a_created_op_out(rewrite):
    out = rewrite(
        """pdl.pattern @p : benefit(1) {
          %x = pdl.operand
          %t = pdl.type
          %op = pdl.operation "toy.relu" (%x : !pdl.value) -> (%t : !pdl.type)
          pdl.rewrite %op {
            %new = pdl.operation "toy.picky" (%x, %x : !pdl.value, !pdl.value)
            pdl.replace %op with %new
          }
        }""",
        """func.func @f(%a: f32) -> f32 {
          %0 = "toy.relu"(%a) : (f32) -> f32
          func.return %0 : f32
        }""",
    )
    assert "array<i32: 1, 1, 0, 0>" in out


def test_a_created_op_whose_sizes_are_open_is_refused(rewrite):
    from autodeploy.passes.fusion.pdl.source import PatternError

    with pytest.raises(PatternError, match="give one entry for each of its groups of operands"):
        rewrite(
            """pdl.pattern @p : benefit(1) {
              %all = pdl.operands
              %t = pdl.type
              %op = pdl.operation "toy.concat" (%all : !pdl.range<value>) -> (%t : !pdl.type)
              pdl.rewrite %op {
                %new = pdl.operation "toy.picky" (%all : !pdl.range<value>)
                pdl.replace %op with %new
              }
            }""",
            "",
        )


SPLIT = """
%x = "toy.const"() {value = 0 : i32} : () -> f32
%0 = "toy.split"(%x) {resultSegmentSizes = array<i32: 1, 0, 0>} : (f32) -> f32
%1:3 = "toy.split"(%x) {resultSegmentSizes = array<i32: 1, 0, 2>} : (f32) -> (f32, f64, i8)
%2:2 = "toy.split"(%x) {resultSegmentSizes = array<i32: 1, 1, 0>} : (f32) -> (f32, i16)
"test.op"(%1#1, %1#2) {tag = "rest"} : (f64, i8) -> ()
"test.op"(%2#1) {tag = "maybe"} : (i16) -> ()
"test.op"(%1#2) {tag = "one of rest"} : (i8) -> ()
"""


@pytest.mark.parametrize(
    ("entry", "kind", "tag"),
    [
        ("pdl.results 2 of %split -> !pdl.range<value>", "!pdl.range<value>", "rest"),
        ("pdl.results 1 of %split -> !pdl.value", "!pdl.value", "maybe"),
        ("pdl.result 2 of %split", "!pdl.value", "one of rest"),
    ],
)
def test_result_groups(rewrite, entry, kind, tag):
    out = rewrite(
        f"""pdl.pattern @p : benefit(1) {{
          %x = pdl.operand
          %types = pdl.types
          %split = pdl.operation "toy.split" (%x : !pdl.value) -> (%types : !pdl.range<type>)
          %r = {entry}
          %op = pdl.operation "test.op" (%r : {kind})
          pdl.rewrite %op {{
            pdl.erase %op
          }}
        }}""",
        SPLIT,
    )
    tags = ["rest", "maybe", "one of rest"]
    assert [t for t in tags if f'tag = "{t}"' not in out] == [tag]


def test_all_results_as_a_range(rewrite):
    out = rewrite(
        """pdl.pattern @p : benefit(1) {
          %a = pdl.type
          %b = pdl.type
          %pair = pdl.operation "toy.pair" -> (%a, %b : !pdl.type, !pdl.type)
          %r = pdl.results of %pair
          %op = pdl.operation "test.op" (%r : !pdl.range<value>)
          pdl.rewrite %op {
            pdl.erase %op
          }
        }""",
        """
        %0:2 = "toy.pair"() : () -> (f32, f32)
        "test.op"(%0#0, %0#1) {tag = "both"} : (f32, f32) -> ()
        "test.op"(%0#1, %0#0) {tag = "turned"} : (f32, f32) -> ()
        "test.op"(%0#0) {tag = "one"} : (f32) -> ()
        "test.op"() {tag = "none"} : () -> ()
        """,
    )
    assert [t for t in ("both", "turned", "one", "none") if f'"{t}"' not in out] == ["both"]


def test_an_unknown_result_group_is_refused(rewrite):
    from autodeploy.passes.fusion.pdl.source import PatternError

    with pytest.raises(PatternError, match="result group 3 is asked for, known groups: 3"):
        rewrite(
            """pdl.pattern @p : benefit(1) {
              %x = pdl.operand
              %types = pdl.types
              %split = pdl.operation "toy.split" (%x : !pdl.value) -> (%types : !pdl.range<type>)
              %r = pdl.results 3 of %split -> !pdl.value
              %op = pdl.operation "test.op" (%r : !pdl.value)
              pdl.rewrite %op {
                pdl.erase %op
              }
            }""",
            "",
        )
