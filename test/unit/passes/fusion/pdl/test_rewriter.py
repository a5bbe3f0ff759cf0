"""What a rewrite half does, and what it is refused or fails for."""

import pytest
from xdsl.dialects.builtin import NameLoc, NoneAttr, StringAttr

from autodeploy.passes.fusion.pdl.executor import apply_patterns, load_patterns
from autodeploy.passes.fusion.pdl.source import PatternError

RELU = """
%x = pdl.operand
%t = pdl.type
%op = pdl.operation "toy.relu" (%x : !pdl.value) -> (%t : !pdl.type)
"""

FUNCTION = """
func.func @f(%x: f32) -> f32 {
  %0 = "toy.relu"(%x) : (f32) -> f32
  func.return %0 : f32
}
"""


def pattern(match: str, rewrite: str, root: str = "%op") -> str:
    return f"pdl.pattern @p : benefit(1) {{ {match}\npdl.rewrite {root} {{ {rewrite}\n}} }}"


def test_replace_by_a_value(rewrite):
    out = rewrite(pattern(RELU, "pdl.replace %op with (%x : !pdl.value)"), FUNCTION)
    assert "toy.relu" not in out and '"func.return"(%x)' in out


def test_replace_by_an_op_takes_its_result_types(rewrite):
    out = rewrite(
        pattern(
            RELU,
            """%new = pdl.operation "toy.concat" (%x, %x : !pdl.value, !pdl.value)
            pdl.replace %op with %new""",
        ),
        FUNCTION,
    )
    assert '"toy.concat"(%x, %x) : (f32, f32) -> f32' in out


def test_result_types_follow_the_replaced_result(rewrite):
    out = rewrite(
        pattern(
            """%a = pdl.type
            %b = pdl.type
            %op = pdl.operation "toy.pair" -> (%a, %b : !pdl.type, !pdl.type)""",
            """%c = pdl.attribute = 0 : i32
            %one = pdl.operation "toy.const" {"value" = %c}
            %two = pdl.operation "toy.const" {"value" = %c}
            %r = pdl.result 0 of %one
            %s = pdl.result 0 of %two
            pdl.replace %op with (%r, %s : !pdl.value, !pdl.value)""",
        ),
        """%0:2 = "toy.pair"() : () -> (f32, f64)
        "test.op"(%0#1, %0#0) : (f64, f32) -> ()""",
    )
    assert '%0 = "toy.const"() <{value = 0 : i32}> : () -> f32' in out
    assert '%1 = "toy.const"() <{value = 0 : i32}> : () -> f64' in out
    assert '"test.op"(%1, %0)' in out


def test_results_of_a_created_op(rewrite):
    out = rewrite(
        pattern(
            RELU,
            """%f64 = pdl.type : f64
            %types = pdl.types : [i8, i16]
            %split = pdl.operation "toy.split" (%x : !pdl.value) -> (%f64, %f64, %types : !pdl.type, !pdl.type, !pdl.range<type>)
            %first = pdl.result 0 of %split
            %maybe = pdl.results 1 of %split -> !pdl.value
            %rest = pdl.results 2 of %split -> !pdl.range<value>
            %all = pdl.results of %split
            %new = pdl.operation "toy.concat" (%rest, %maybe, %first, %all : !pdl.range<value>, !pdl.value, !pdl.value, !pdl.range<value>)
            pdl.replace %op with %new""",  # noqa: E501
        ),
        FUNCTION,
    )
    assert "resultSegmentSizes = array<i32: 1, 1, 2>" in out
    [split] = [line for line in out.splitlines() if "toy.split" in line]
    a, b, c, d = split.split(" = ")[0].split(", ")
    assert f'"toy.concat"({c}, {d}, {b}, {a}, {a}, {b}, {c}, {d})' in out


def test_erase(rewrite):
    out = rewrite(
        pattern('%op = pdl.operation "test.op"', "pdl.erase %op"), '"test.op"() : () -> ()'
    )
    assert "test.op" not in out


def test_ops_created_after_the_root_is_gone_take_its_place(rewrite):
    out = rewrite(
        pattern(
            '%op = pdl.operation "test.op"',
            """pdl.erase %op
            %a = pdl.attribute = 7 : i32
            %t = pdl.type : f32
            %new = pdl.operation "toy.const" {"value" = %a} -> (%t : !pdl.type)""",
        ),
        """
        "test.pureop"() : () -> ()
        "test.op"() : () -> ()
        "test.termop"() : () -> ()
        """,
    )
    names = [line.split('"')[1] for line in out.splitlines() if '"' in line]
    assert names == ["test.pureop", "toy.const", "test.termop"]


def test_an_op_that_is_created_and_erased_need_not_be_valid(rewrite):
    out = rewrite(
        pattern(
            RELU,
            """%a = pdl.attribute = "no number"
            %new = pdl.operation "toy.conv" (%x, %x : !pdl.value, !pdl.value) {"stride" = %a} -> (%t : !pdl.type)
            pdl.erase %new
            pdl.replace %op with (%x : !pdl.value)""",  # noqa: E501
        ),
        FUNCTION,
    )
    assert "toy." not in out


def test_properties_and_attributes(rewrite):
    out = rewrite(
        pattern(
            RELU,
            """%a = pdl.attribute = 1 : i32
            %new = pdl.operation "test.op" (%x : !pdl.value) {"prop1" = %a, "toy.note" = %a}
            pdl.replace %op with %new""",
        ),
        FUNCTION,
    )
    assert '"test.op"(%x) <{prop1 = 1 : i32}> {toy.note = 1 : i32}' in out


def located(parse, ctx, patterns: str) -> dict[str, str]:
    module = parse(
        """func.func @f(%x: f32) -> f32 {
          %0 = "toy.conv"(%x, %x) {stride = 1 : i64} : (f32, f32) -> f32
          %1 = "toy.relu"(%0) : (f32) -> f32
          func.return %1 : f32
        }"""
    )
    for op in module.walk():
        op.location = NameLoc(StringAttr(f"node of {op.name}"), NoneAttr())
    apply_patterns(ctx, module, load_patterns(ctx, patterns))
    return {op.name: op.location.desc.data for op in module.walk()}


def test_a_rebuilt_op_keeps_its_location_and_others_get_that_of_the_root(parse, ctx):
    patterns = pattern(
        """
        %x = pdl.operand
        %t = pdl.type
        %s = pdl.attribute
        %conv = pdl.operation "toy.conv" (%x, %x : !pdl.value, !pdl.value) {"stride" = %s} -> (%t : !pdl.type)
        %c = pdl.result 0 of %conv
        %op = pdl.operation "toy.relu" (%c : !pdl.value) -> (%t : !pdl.type)""",  # noqa: E501
        """
        %new = pdl.operation "toy.conv" (%x, %x : !pdl.value, !pdl.value) {"stride" = %s} -> (%t : !pdl.type)
        %n = pdl.result 0 of %new
        %last = pdl.operation "toy.reshape" (%n : !pdl.value)
        pdl.replace %op with %last""",  # noqa: E501
    )
    locations = located(parse, ctx, patterns)
    assert locations["toy.conv"] == "node of toy.conv"
    assert locations["toy.reshape"] == "node of toy.relu"


REFUSED = {
    "no result types": (
        '%new = pdl.operation "toy.pair"\npdl.erase %op',
        "<text>:6: pattern @p: the result types of operation 'toy.pair' are neither given nor "
        "those of an operation that it replaces",
    ),
    "types of one result of two": (
        '%new = pdl.operation "toy.pair"\n%r = pdl.result 0 of %new\n'
        "pdl.replace %op with (%r : !pdl.value)",
        "<text>:6: pattern @p: the result types of operation 'toy.pair' are neither given nor "
        "those of an operation that it replaces",
    ),
    "too many result types": (
        '%new = pdl.operation "toy.relu" (%x : !pdl.value) -> (%t, %t : !pdl.type, !pdl.type)',
        "<text>:6: pattern @p: operation 'toy.relu': found 2 results, it has at most 1 (result)",
    ),
    "missing attribute": (
        '%new = pdl.operation "toy.conv" (%x, %x : !pdl.value, !pdl.value)\n'
        "pdl.replace %op with %new",
        "<text>:6: pattern @p: operation 'toy.conv' is created without its attribute 'stride'",
    ),
    "region": (
        '%new = pdl.operation "toy.kernel" (%x : !pdl.value)\npdl.replace %op with %new',
        "<text>:6: pattern @p: operation 'toy.kernel' has a region, which only a native rewrite "
        "can make",
    ),
    "unknown operation": (
        '%new = pdl.operation "toy.rely" (%x : !pdl.value)\npdl.replace %op with %new',
        "<text>:6: pattern @p: unknown operation 'toy.rely'; did you mean 'toy.relu'?",
    ),
    "type without a constant": (
        '%u = pdl.type\n%new = pdl.operation "toy.relu" (%x : !pdl.value) -> (%u : !pdl.type)',
        "<text>:6: pattern @p: pdl.type in pdl.rewrite needs a constant",
    ),
    "match op": (
        "%u = pdl.operand",
        "<text>:6: pattern @p: pdl.operand has no meaning in pdl.rewrite",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_when_loaded(ctx, case):
    rewrite, message = REFUSED[case]
    with pytest.raises(PatternError) as error:
        load_patterns(ctx, pattern(RELU, rewrite))
    assert str(error.value) == message


FAILING = {
    "another type": (
        RELU,
        """%f64 = pdl.type : f64
        %new = pdl.operation "toy.reshape" (%x : !pdl.value) -> (%f64 : !pdl.type)
        pdl.replace %op with %new""",
        "<text>:8: pattern @p: result 0 of 'toy.relu' has type f32, its replacement f64",
    ),
    "another number": (
        RELU,
        "pdl.replace %op with (%x, %x : !pdl.value, !pdl.value)",
        "<text>:6: pattern @p: 'toy.relu' with 1 results is replaced by 2 values",
    ),
    "used": (
        RELU,
        "pdl.erase %op",
        "<text>:6: pattern @p: 'toy.relu' is erased, but its results are used",
    ),
    "no such result": (
        RELU,
        """%new = pdl.operation "toy.concat" (%x : !pdl.value) -> (%t : !pdl.type)
        %r = pdl.result 1 of %new
        pdl.replace %op with (%r : !pdl.value)""",
        "<text>:7: pattern @p: result 1 of 'toy.concat' is asked for, it has 1",
    ),
    "its own result": (
        RELU,
        """%r = pdl.result 0 of %op
        pdl.replace %op with (%r : !pdl.value)""",
        "<text>:7: pattern @p: 'toy.relu' is replaced by a result of its own",
    ),
    "empty group": (
        RELU,
        """%split = pdl.operation "toy.split" (%x : !pdl.value) -> (%t : !pdl.type)
        %r = pdl.results 1 of %split -> !pdl.value
        pdl.replace %op with (%r : !pdl.value)""",
        "<text>:7: pattern @p: one result is asked for, the group has 0",
    ),
    "invalid op": (
        RELU,
        """%a = pdl.attribute = "no number"
        %new = pdl.operation "toy.conv" (%x, %x : !pdl.value, !pdl.value) {"stride" = %a}
        pdl.replace %op with %new""",
        "<text>:1: pattern @p: creates an invalid 'toy.conv': ",
    ),
}


@pytest.mark.parametrize("case", FAILING)
def test_fails_when_applied(rewrite, case):
    match, body, message = FAILING[case]
    with pytest.raises(PatternError) as error:
        rewrite(pattern(match, body), FUNCTION)
    assert str(error.value).startswith(message)


COPY = """pdl.pattern @p : benefit(1) {
  %operands = pdl.operands
  %type = pdl.type
  %old = pdl.operation "toy.conv" (%operands : !pdl.range<value>) -> (%type : !pdl.type)
  %y = pdl.result 0 of %old
  %relu = pdl.operation "toy.relu" (%y : !pdl.value) -> (%type : !pdl.type)
  pdl.rewrite %relu {
    %new = pdl.operation "toy.conv" (%operands : !pdl.range<value>)
    pdl.apply_native_rewrite "copy_attributes"(%old, NEW : !pdl.operation, !pdl.operation)
    pdl.replace %relu with %new
  }
}"""


def test_attributes_are_copied_on_demand(rewrite):
    text = """
    %x, %w = "toy.pair"() : () -> (f32, f32)
    %y = "toy.conv"(%x, %w) {stride = 2 : i64, groups = 3 : i64, tag} : (f32, f32) -> f32
    %r = "toy.relu"(%y) : (f32) -> f32
    "test.op"(%r) : (f32) -> ()
    """
    new = rewrite(COPY.replace("NEW", "%new"), text)
    assert '"toy.conv"(%x, %w) <{stride = 2 : i64, groups = 3 : i64}> {tag}' in new
    assert "toy.relu" not in new


def test_attributes_are_copied_to_a_created_operation(ctx):
    with pytest.raises(PatternError, match="'copy_attributes' needs an operation that is created"):
        load_patterns(
            ctx,
            COPY.replace("NEW", "%old")
            .replace("%new =", "%v = pdl.attribute = 1 : i64\n%new =")
            .replace(
                "(%operands : !pdl.range<value>)\n    pdl.apply",
                '(%operands : !pdl.range<value>) {"stride" = %v}\n    pdl.apply',
            ),
        )
