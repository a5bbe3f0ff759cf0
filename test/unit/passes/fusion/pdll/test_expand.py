"""What PDLL expands to, op by op, and what it then matches and makes."""

import re
from io import StringIO

import pytest
from xdsl.printer import Printer

from autodeploy.passes.fusion.pdll.expand import expand_pdll, native_name

DECLARED = """
Constraint HasOneUse(value: Value);
Constraint IsConstant(value: Value);
Constraint OptionalAttribute(op: Op, name: Attr) -> Attr;
"""


@pytest.fixture
def expanded(ctx):
    """Return the pdl ops of the one pattern of a text, one a line."""

    def run(text: str) -> list[str]:
        [source] = expand_pdll(ctx, DECLARED + text, "x")
        stream = StringIO()
        Printer(stream).print_op(source.op)
        lines = [" ".join(line.split()) for line in stream.getvalue().splitlines()]
        return lines[1:-1]

    return run


def test_native_names():
    assert native_name("HasOneUse") == "has_one_use"
    assert native_name("Constant") == "constant"


def test_parts_that_an_operation_does_not_list_match_anything(expanded):
    assert expanded("Pattern => erase op<toy.conv>;") == [
        "%0 = pdl.operands",
        "%1 = pdl.type",
        '%2 = pdl.operation "toy.conv" (%0 : !pdl.range<value>) -> (%1 : !pdl.type)',
        "pdl.rewrite %2 {",
        "pdl.erase %2",
        "}",
    ]
    assert expanded("Pattern => erase op<>;")[:3] == [
        "%0 = pdl.operands",
        "%1 = pdl.types",
        "%2 = pdl.operation (%0 : !pdl.range<value>) -> (%1 : !pdl.range<type>)",
    ]


def test_operands_in_stored_segments_are_listed_one_by_one(expanded):
    assert expanded("Pattern => erase op<toy.picky>;")[:4] == [
        "%0 = pdl.operand",
        "%1 = pdl.operands",
        "%2 = pdl.operands",
        "%3 = pdl.operands",
    ]


def test_variables_keep_their_names(expanded):
    text = """Pattern {
      let t: Type;
      let op = op<toy.relu>(x: Value<t>) -> (t);
      replace op with x;
    }"""
    assert expanded(text) == [
        "%t = pdl.type",
        "%x = pdl.operand : %t",
        '%op = pdl.operation "toy.relu" (%x : !pdl.value) -> (%t : !pdl.type)',
        "pdl.rewrite %op {",
        "pdl.replace %op with (%x : !pdl.value)",
        "}",
    ]


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("Value", "pdl.operand"),
        ("ValueRange", "pdl.operands"),
        ("HasOneUse", "pdl.operand"),
        ("[HasOneUse, Value]", "pdl.operand"),
    ],
)
def test_the_kind_of_a_variable(expanded, kind, line):
    lines = expanded(f"Pattern {{ let op = op<toy.concat>(x: {kind}); erase op; }}")
    assert lines[0] == f"%x = {line}"
    assert ('pdl.apply_native_constraint "has_one_use"(%x : !pdl.value)' in lines) == (
        "HasOneUse" in kind
    )


def test_a_commutative_operation_is_marked(expanded):
    mark = 'pdl.apply_native_constraint "commutative"(%op : !pdl.operation)'
    assert mark in expanded("Pattern { let op = op<toy.add>(a: Value, b: Value); erase op; }")
    for other in ("op<toy.mul>(a: Value, b: Value)", "op<toy.add>(a: Value, a)", "op<toy.add>"):
        assert mark not in expanded(f"Pattern {{ let op = {other}; erase op; }}")


def test_results_of_native_functions(expanded):
    text = """
    Constraint Pair(op: Op) -> (first: Attr, Type);
    Rewrite Make(value: Attr, type: Type) -> Value;
    Pattern {
      let op = op<toy.relu>;
      let pair = Pair(op);
      not IsConstant(op);
      replace op with Make(pair.first, pair.1);
    }"""
    assert expanded(text)[3:] == [
        '%first, %2 = pdl.apply_native_constraint "pair"(%op : !pdl.operation) : '
        "!pdl.attribute, !pdl.type",
        "%3 = pdl.result 0 of %op",
        'pdl.apply_native_constraint "is_constant"(%3 : !pdl.value) {isNegated = true}',
        "pdl.rewrite %op {",
        '%4 = pdl.apply_native_rewrite "make"(%first, %2 : !pdl.attribute, !pdl.type) : !pdl.value',
        "pdl.replace %op with (%4 : !pdl.value)",
        "}",
    ]


def test_bodies_are_put_in_where_they_are_called(expanded):
    short = """
    Constraint Relu(x: Value) -> HasOneUse => op<toy.relu>(x);
    Rewrite Twice(x: Value) => op<toy.relu>(op<toy.relu>(x) -> (type<"f32">));
    Pattern { let op = op<toy.relu>(Relu(x: Value)); replace op with Twice(x); }
    """
    long = """
    Constraint Relu(x: Value) { let relu = op<toy.relu>(x); HasOneUse(relu); return relu; }
    Rewrite Twice(x: Value) -> Op {
      let inner = op<toy.relu>(x) -> (type<"f32">);
      return op<toy.relu>(inner);
    }
    Pattern {
      let op = op<toy.relu>(Relu(x: Value));
      rewrite op with { replace op with Twice(x); };
    }
    """

    def shape(lines: list[str]) -> list[str]:
        return [re.sub(r"%\w+", "%", line) for line in lines]

    assert shape(expanded(long)) == shape(expanded(short))
    assert sum("pdl.operation" in line for line in expanded(short)) == 4


def test_the_benefit_is_the_number_of_matched_operations(ctx):
    text = """
    Pattern { let op = op<toy.relu>(op<toy.add>(a: Value, b: Value)); replace op with a; }
    Pattern with benefit(9) => erase op<toy.relu>;
    """
    sources = expand_pdll(ctx, text, "x")
    assert [source.op.benefit.value.data for source in sources] == [2, 9]


def test_either_order_at_any_depth(rewrite_pdll):
    """(x * c) + (c + y), where both sums match in either order: of four forms all are found."""
    rule = """
    Constraint IsConstant(value: Value);
    Pattern {
      let product = op<toy.mul>(x: Value, c: IsConstant);
      let root = op<toy.add>(product, op<toy.add>(c, y: Value)) -> (type: Type);
      replace root with op<toy.relu>(y) -> (type);
    }"""
    text = """
    %x, %y = "toy.pair"() : () -> (f32, f32)
    %c = "toy.const"() {value = 0 : i32} : () -> f32
    %p = "toy.mul"(%x, %c) : (f32, f32) -> f32
    %s = "toy.add"(OPERANDS) : (f32, f32) -> f32
    %r = "toy.add"(ROOT) : (f32, f32) -> f32
    "test.op"(%r) : (f32) -> ()
    """
    for operands in ("%c, %y", "%y, %c"):
        for root in ("%p, %s", "%s, %p"):
            new = rewrite_pdll(rule, text.replace("OPERANDS", operands).replace("ROOT", root))
            assert "toy.relu" in new and "toy.mul" not in new
    # The constant of the sum is another one: no order makes it fit.
    other = text.replace("%p =", '%d = "toy.const"() {value = 1 : i32} : () -> f32\n%p =')
    kept = rewrite_pdll(rule, other.replace("OPERANDS", "%d, %y").replace("ROOT", "%s, %p"))
    assert "toy.relu" not in kept
    # A product does not commute.
    swapped = text.replace('"toy.mul"(%x, %c)', '"toy.mul"(%c, %x)')
    kept = rewrite_pdll(rule, swapped.replace("OPERANDS", "%c, %y").replace("ROOT", "%s, %p"))
    assert "toy.relu" not in kept


def test_a_constraint_that_fails_leads_to_the_other_order(rewrite_pdll):
    rule = """
    Constraint IsConstant(value: Value);
    Pattern {
      let root = op<toy.add>(x: Value, c: IsConstant) -> (type: Type);
      replace root with op<toy.relu>(x) -> (type);
    }"""
    text = """
    %c = "toy.const"() {value = 0 : i32} : () -> f32
    %x, %y = "toy.pair"() : () -> (f32, f32)
    %r = "toy.add"(%c, %y) : (f32, f32) -> f32
    "test.op"(%r) : (f32) -> ()
    """
    assert '"toy.relu"(%y)' in rewrite_pdll(rule, text)


CONV = """
%x, %w = "toy.pair"() : () -> (f32, f32)
%y = "toy.conv"(%x, %w) {stride = 2 : i64, groups = 3 : i64, activation = "none", tag}
  : (f32, f32) -> f32
%r = "toy.relu"(%y) : (f32) -> f32
"test.op"(%r) : (f32) -> ()
"""


def test_like_keeps_attributes_that_the_rule_does_not_name(rewrite_pdll):
    rule = """Pattern {
      let conv = op<toy.conv>;
      let relu = op<toy.relu>(conv);
      replace relu with Like(conv) {activation = attr<"\\"relu\\"">};
    }"""
    assert (
        '"toy.conv"(%x, %w) <{stride = 2 : i64, groups = 3 : i64, activation = "relu"}> {tag} '
        ": (f32, f32) -> f32" in rewrite_pdll(rule, CONV)
    )


def test_like_takes_other_operands(rewrite_pdll):
    rule = """Pattern {
      let conv = op<toy.conv>(x: Value, w: Value);
      let relu = op<toy.relu>(conv);
      replace relu with Like(conv, w, x, x);
    }"""
    assert '"toy.conv"(%w, %x, %x) <{stride = 2 : i64, groups = 3' in rewrite_pdll(rule, CONV)


def test_like_leaves_out_an_attribute_that_a_constraint_does_not_give(rewrite_pdll):
    rule = """
    Constraint OptionalAttribute(op: Op, name: Attr) -> Attr;
    Pattern {
      let conv = op<toy.conv>;
      let relu = op<toy.relu>(conv);
      let none = OptionalAttribute(conv, attr<"\\"missing\\"">);
      replace relu with Like(conv) {activation = none};
    }"""
    new = rewrite_pdll(rule, CONV)
    assert "groups = 3" in new and "activation" not in new


def test_like_does_not_copy_the_sizes_of_operand_lists(rewrite_pdll):
    rule = """Pattern {
      let old = op<toy.picky>(x: Value, low: Value, high: ValueRange, rest: ValueRange);
      let relu = op<toy.relu>(old);
      replace relu with Like(old, x, high, high, rest);
    }"""
    text = """
    %x, %l = "toy.pair"() : () -> (f32, f32)
    %p = "toy.picky"(%x, %l) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> {tag}
      : (f32, f32) -> f32
    %r = "toy.relu"(%p) : (f32) -> f32
    "test.op"(%r) : (f32) -> ()
    """
    assert '"toy.picky"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> {tag}' in rewrite_pdll(
        rule, text
    )
