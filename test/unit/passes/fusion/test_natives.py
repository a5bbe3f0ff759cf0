"""Native functions: how they are called, checked and refused, and the ones that are built in."""

import pytest
from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from autodeploy.passes.fusion.natives import (
    PatternContext,
    native_constraint,
    native_rewrite,
)
from autodeploy.passes.fusion.pdl.executor import load_patterns
from autodeploy.passes.fusion.pdl.source import PatternError


@native_constraint("test_sum_of")
def sum_of(_ctx: PatternContext, a: IntegerAttr, b: IntegerAttr):
    total = a.value.data + b.value.data
    return (True, IntegerAttr(total, a.type)) if total < 10 else False


@native_constraint("test_gives_two")
def gives_two(_ctx: PatternContext, a: Attribute):
    return True, a, a


@native_constraint("test_names_of")
def names_of(_ctx: PatternContext, ops: tuple[SSAValue, ...], op: Operation | None):
    return True


@native_rewrite("test_product_of")
def product_of(_ctx: PatternContext, a: IntegerAttr, b: IntegerAttr):
    return IntegerAttr(a.value.data * b.value.data, a.type)


@native_rewrite("test_nothing")
def nothing(_ctx: PatternContext, op: Operation):
    return None


@native_rewrite("test_swap")
def swap(_ctx: PatternContext, a: Attribute, b: Attribute):
    return b, a


@native_rewrite("test_operands_reversed")
def operands_reversed(_ctx: PatternContext, values: tuple[SSAValue, ...]):
    return tuple(reversed(values))


@native_rewrite("test_rename")
def rename(ctx: PatternContext, op: Operation, prefix: StringAttr):
    if "toy.done" in op.attributes:
        return
    op.attributes["toy.done"] = prefix
    ctx.rewriter.notify_op_modified(op)


@native_rewrite("test_wrong_kind")
def wrong_kind(_ctx: PatternContext, op: Operation):
    return op


TWO = """
%a = pdl.attribute
%b = pdl.attribute
%t = pdl.type
%op = pdl.operation "test.pureop" {"prop1" = %a, "prop2" = %b} -> (%t : !pdl.type)
"""


def pattern(text: str) -> str:
    return f"pdl.pattern @p : benefit(1) {{ {text}\n}}"


def test_a_constraint_gives_attributes_to_the_rewrite(rewrite):
    patterns = pattern(
        TWO
        + """
        %c = pdl.apply_native_constraint "test_sum_of" (%a, %b : !pdl.attribute, !pdl.attribute) : !pdl.attribute
        pdl.rewrite %op {
          %new = pdl.operation "test.pureop" {"prop3" = %c}
          pdl.replace %op with %new
        }"""  # noqa: E501
    )
    out = rewrite(
        patterns,
        """
        %0 = "test.pureop"() <{prop1 = 2 : i32, prop2 = 3 : i32}> : () -> f32
        %1 = "test.pureop"() <{prop1 = 7 : i32, prop2 = 3 : i32}> : () -> f32
        """,
    )
    assert "<{prop3 = 5 : i32}>" in out
    assert "<{prop1 = 7 : i32, prop2 = 3 : i32}>" in out


def test_a_negated_constraint(rewrite):
    patterns = pattern(
        """
        %x = pdl.operand
        %op = pdl.operation "test.op" (%x : !pdl.value)
        pdl.apply_native_constraint "is_constant" (%x : !pdl.value) {isNegated = true}
        pdl.rewrite %op { pdl.erase %op }"""
    )
    out = rewrite(
        patterns,
        """
        %0 = "toy.const"() {value = 0 : i32} : () -> f32
        %1 = "toy.relu"(%0) : (f32) -> f32
        "test.op"(%0) {tag = "constant"} : (f32) -> ()
        "test.op"(%1) {tag = "computed"} : (f32) -> ()
        """,
    )
    assert "constant" in out and "computed" not in out


def test_an_attribute_that_is_none_is_left_out(rewrite):
    patterns = pattern(
        """
        %name = pdl.attribute = "prop1"
        %t = pdl.type
        %op = pdl.operation "test.pureop" -> (%t : !pdl.type)
        %a = pdl.apply_native_constraint "optional_attribute" (%op, %name : !pdl.operation, !pdl.attribute) : !pdl.attribute
        pdl.rewrite %op {
          %new = pdl.operation "test.op" {"prop2" = %a} -> (%t : !pdl.type)
          pdl.replace %op with %new
        }"""  # noqa: E501
    )
    out = rewrite(
        patterns,
        """
        %0 = "test.pureop"() <{prop1 = 2 : i32}> : () -> f32
        %1 = "test.pureop"() : () -> f64
        """,
    )
    assert '"test.op"() <{prop2 = 2 : i32}> : () -> f32' in out
    assert '"test.op"() : () -> f64' in out


def test_a_rewrite_gives_attributes_and_ranges(rewrite):
    patterns = pattern(
        """
        %a = pdl.attribute
        %b = pdl.attribute
        %t = pdl.type
        %xs = pdl.operands
        %op = pdl.operation "test.pureop" (%xs : !pdl.range<value>) {"prop1" = %a, "prop2" = %b} -> (%t : !pdl.type)
        pdl.rewrite %op {
          %c = pdl.apply_native_rewrite "test_product_of" (%a, %b : !pdl.attribute, !pdl.attribute) : !pdl.attribute
          %d, %e = pdl.apply_native_rewrite "test_swap" (%a, %b : !pdl.attribute, !pdl.attribute) : !pdl.attribute, !pdl.attribute
          %ys = pdl.apply_native_rewrite "test_operands_reversed" (%xs : !pdl.range<value>) : !pdl.range<value>
          %new = pdl.operation "test.op" (%ys : !pdl.range<value>) {"prop1" = %d, "prop2" = %e, "prop3" = %c}
          pdl.replace %op with %new
        }"""  # noqa: E501
    )
    out = rewrite(
        patterns,
        """func.func @f(%x: f32, %y: f32) -> f32 {
          %0 = "test.pureop"(%x, %y) <{prop1 = 2 : i32, prop2 = 3 : i32}> : (f32, f32) -> f32
          func.return %0 : f32
        }""",
    )
    assert '"test.op"(%y, %x) <{prop1 = 3 : i32, prop2 = 2 : i32, prop3 = 6 : i32}>' in out


def test_a_native_as_the_whole_rewrite_gets_the_root_first(rewrite):
    patterns = pattern(
        """
        %p = pdl.attribute
        %op = pdl.operation "test.op" {"prop1" = %p}
        pdl.rewrite %op with "test_rename"(%p : !pdl.attribute)"""
    )
    out = rewrite(patterns, '"test.op"() <{prop1 = "a"}> : () -> ()')
    assert 'toy.done = "a"' in out


def test_a_native_that_does_nothing_is_no_match(rewrite):
    declines = pattern(
        '%op = pdl.operation "test.op"\npdl.rewrite %op with "test_nothing"'
    ).replace("benefit(1)", "benefit(2)")
    erases = pattern('%op = pdl.operation "test.op"\npdl.rewrite %op { pdl.erase %op }')
    assert "test.op" not in rewrite(declines + erases, '"test.op"() : () -> ()')


def test_a_result_of_another_kind_is_refused(rewrite):
    patterns = pattern(
        """
        %t = pdl.type
        %op = pdl.operation "test.pureop" -> (%t : !pdl.type)
        pdl.rewrite %op {
          %v = pdl.apply_native_rewrite "test_wrong_kind" (%op : !pdl.operation) : !pdl.value
          pdl.replace %op with (%v : !pdl.value)
        }"""
    )
    with pytest.raises(PatternError, match=r"gave TestPureOp, the pattern takes the kind 'value'"):
        rewrite(patterns, '%0 = "test.pureop"() : () -> f32')


def test_another_number_of_results_is_refused(rewrite):
    patterns = pattern(
        TWO
        + """
        %c = pdl.apply_native_constraint "test_gives_two" (%a : !pdl.attribute) : !pdl.attribute
        pdl.rewrite %op { pdl.erase %op }"""
    )
    with pytest.raises(PatternError, match="gave 2 results, the pattern takes 1"):
        rewrite(patterns, '%0 = "test.pureop"() <{prop1 = 2 : i32, prop2 = 3 : i32}> : () -> f32')


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            '"has_one_uze" (%op : !pdl.operation)',
            "unknown native constraint 'has_one_uze'; did you mean 'has_one_use'?",
        ),
        (
            '"has_one_use" (%op : !pdl.operation)',
            "native constraint 'has_one_use': argument 1 takes value, found operation",
        ),
        (
            '"has_one_use" (%a, %b : !pdl.attribute, !pdl.attribute)',
            "native constraint 'has_one_use': too many positional arguments (found 2 arguments)",
        ),
        (
            '"attribute_absent" (%op : !pdl.operation)',
            "native constraint 'attribute_absent': missing a required argument: 'name' "
            "(found 1 arguments)",
        ),
        (
            '"same_type" (%r, %t : !pdl.value, !pdl.type)',
            "native constraint 'same_type': argument 2 takes value, found type",
        ),
        (
            '"test_names_of" (%op, %op : !pdl.operation, !pdl.operation)',
            "native constraint 'test_names_of': argument 1 takes range, found operation",
        ),
        (
            '"test_names_of" (%rs, %a : !pdl.range<value>, !pdl.attribute)',
            "native constraint 'test_names_of': argument 2 takes operation, found attribute",
        ),
    ],
)
def test_refused_when_loaded(ctx, call, message):
    with pytest.raises(PatternError) as error:
        load_patterns(
            ctx,
            pattern(
                TWO
                + f"""%r = pdl.result 0 of %op
                %rs = pdl.results of %op
                pdl.apply_native_constraint {call}
                pdl.rewrite %op {{ pdl.erase %op }}"""
            ),
        )
    assert str(error.value) == f"<text>:8: pattern @p: {message}"


def test_a_negated_constraint_has_no_results(ctx):
    with pytest.raises(
        PatternError, match="negated native constraint 'test_sum_of' has no results"
    ):
        load_patterns(
            ctx,
            pattern(
                TWO
                + """%c = pdl.apply_native_constraint "test_sum_of" (%a, %b : !pdl.attribute, !pdl.attribute) : !pdl.attribute {isNegated = true}
                pdl.rewrite %op { pdl.erase %op }"""  # noqa: E501
            ),
        )


def test_an_unknown_rewrite_is_refused(ctx):
    with pytest.raises(
        PatternError, match="unknown native rewrite 'test_renam'; did you mean 'test_rename'"
    ):
        load_patterns(
            ctx,
            pattern('%op = pdl.operation "test.op"\npdl.rewrite %op with "test_renam"'),
        )


def test_a_name_is_registered_once():
    with pytest.raises(ValueError, match="'has_one_use' is registered twice"):
        native_constraint("has_one_use")(lambda _ctx, value: True)


VALUES = """
func.func @f(%x: f32, %n: i32) -> (f32, f32) {
  %c = "toy.const"() {value = 0 : i32} : () -> f32
  %once = "toy.relu"(%x) : (f32) -> f32
  %twice = "toy.relu"(%x) : (f32) -> f32
  %out = "toy.relu"(%x) : (f32) -> f32
  %out_and_used = "toy.relu"(%x) : (f32) -> f32
  "test.op"(%c) {tag = "constant"} : (f32) -> ()
  "test.op"(%once) {tag = "once"} : (f32) -> ()
  "test.op"(%twice) {tag = "twice"} : (f32) -> ()
  "toy.concat"(%twice) : (f32) -> f32
  "test.op"(%out_and_used) {tag = "output"} : (f32) -> ()
  "test.op"(%n) {tag = "integer"} : (i32) -> ()
  func.return %out, %out_and_used : f32, f32
}
"""


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("has_one_use", ["constant", "once", "integer"]),
        ("is_constant", ["constant"]),
        ("not_graph_output", ["constant", "once", "twice", "integer"]),
    ],
)
def test_constraints_on_a_value(rewrite, name, holds):
    out = rewrite(
        pattern(
            f"""
            %x = pdl.operand
            %op = pdl.operation "test.op" (%x : !pdl.value)
            pdl.apply_native_constraint "{name}" (%x : !pdl.value)
            pdl.rewrite %op {{ pdl.erase %op }}"""
        ),
        VALUES,
    )
    tags = ["constant", "once", "twice", "output", "integer"]
    assert [tag for tag in tags if f'"{tag}"' not in out] == holds


def test_same_type(rewrite):
    out = rewrite(
        pattern(
            """
            %x = pdl.operand
            %y = pdl.operand
            %op = pdl.operation "test.op" (%x, %y : !pdl.value, !pdl.value)
            pdl.apply_native_constraint "same_type" (%x, %y : !pdl.value, !pdl.value)
            pdl.rewrite %op { pdl.erase %op }"""
        ),
        """
        %a = "toy.const"() {value = 0 : i32} : () -> f32
        %b = "toy.const"() {value = 0 : i32} : () -> f32
        %c = "toy.const"() {value = 0 : i32} : () -> f64
        "test.op"(%a, %b) {tag = "same"} : (f32, f32) -> ()
        "test.op"(%a, %c) {tag = "other"} : (f32, f64) -> ()
        """,
    )
    assert '"same"' not in out and '"other"' in out


def test_attribute_absent_also_holds_for_the_default(rewrite):
    match = """
        %name = pdl.attribute = "{}"
        %x = pdl.operand
        %t = pdl.type
        %op = pdl.operation "toy.conv" (%x, %x : !pdl.value, !pdl.value) -> (%t : !pdl.type)
        pdl.apply_native_constraint "attribute_absent" (%op, %name : !pdl.operation, !pdl.attribute)
        pdl.rewrite %op {{ pdl.erase %op }}"""
    text = """
        %x = "toy.const"() {value = 0 : i32} : () -> f32
        "toy.conv"(%x, %x) {tag = "plain", stride = 1 : i64} : (f32, f32) -> f32
        "toy.conv"(%x, %x) {tag = "act", stride = 1 : i64, activation = "r"} : (f32, f32) -> f32
        "toy.conv"(%x, %x) {tag = "one", stride = 1 : i64, groups = 1 : i64} : (f32, f32) -> f32
        "toy.conv"(%x, %x) {tag = "two", stride = 1 : i64, groups = 2 : i64} : (f32, f32) -> f32
        """
    tags = ["plain", "act", "one", "two"]
    for name, absent in (
        ("activation", ["plain", "one", "two"]),
        ("groups", ["plain", "act", "one"]),
    ):
        out = rewrite(pattern(match.format(name)), text)
        assert [tag for tag in tags if f'"{tag}"' not in out] == absent


def test_not_inside(rewrite):
    out = rewrite(
        pattern(
            """
            %name = pdl.attribute = "toy.kernel"
            %op = pdl.operation "test.op"
            pdl.apply_native_constraint "not_inside" (%op, %name : !pdl.operation, !pdl.attribute)
            pdl.rewrite %op { pdl.erase %op }"""
        ),
        """
        "test.op"() {tag = "outside"} : () -> ()
        %0 = "toy.kernel"() ({
          "test.op"() {tag = "inside"} : () -> ()
          "test.op"() ({
            "test.op"() {tag = "deep"} : () -> ()
            "test.termop"() : () -> ()
          }) {prop = "x"} : () -> ()
          "test.termop"() : () -> ()
        }) : () -> f32
        """,
    )
    assert '"outside"' not in out and '"inside"' in out and '"deep"' in out
