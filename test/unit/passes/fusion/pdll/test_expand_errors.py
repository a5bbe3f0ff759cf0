"""What a PDLL pattern must not say, and the line and column of the answer."""

import pytest

from autodeploy.passes.fusion.pdl.executor import load_patterns
from autodeploy.passes.fusion.pdl.source import PatternError

HEAD = """Constraint HasOneUse(value: Value);
Constraint HasRank(value: Value, rank: Attr);
Constraint Loop(op: Op) => Loop(op);
Constraint Two(op: Op) -> (a: Value, b: Value) => op;
Constraint Conv(op: Op<toy.conv>) -> Value => op;
Constraint Nowhere(value: Value);
Rewrite Make(value: Value) => op<toy.relu>(value);
"""
OP = "let op = op<toy.relu>(x: Value);"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "1:1: pattern @P: a pattern ends with replace, erase or rewrite"),
        (OP, "1:13: pattern @P: a pattern ends with replace, erase or rewrite"),
        (f"{OP} erase op; erase op;", "1:46: pattern @P: only the last statement of a pattern"),
        (f"{OP} rewrite op with {{ rewrite op with {{}}; }};", "1:64: pattern @P: this statement"),
        (f"{OP} replace op with y;", "1:62: pattern @P: unknown variable 'y'"),
        (f"{OP} replace opp with x;", "1:54: pattern @P: unknown variable 'opp'; did you mean 'op"),
        (f"{OP} erase x;", "1:52: pattern @P: expected Op, found Value"),
        (f"{OP} let x: Value; erase op;", "1:50: pattern @P: 'x' is defined twice"),
        (f"{OP} let y; erase op;", "1:46: pattern @P: 'y' needs a value or a constraint"),
        (f"{OP} let y: Value; erase op;", "1:53: pattern @P: 'y' is not used"),
        (f"{OP} let y: Value; replace op with y;", "1:60: pattern @P: '%y' is used, but no match"),
        ("erase op<toy.rely>;", "1:19: pattern @P: unknown operation 'toy.rely'; did you mean "),
        ("erase op<toi.relu>;", "1:19: pattern @P: unknown operation 'toi.relu': no dialect 'toi"),
        ("erase op<toy.relu> {b = v: Attr};", "1:19: pattern @P: unknown attribute of 'toy.relu'"),
        ("erase op<toy.relu> {v = op<>};", "1:37: pattern @P: expected Attr, found Op"),
        ("erase op<toy.conv> {stride, stride};", "1:41: pattern @P: attribute 'stride' is given"),
        ("erase op<toy.relu>(t: Type);", "1:32: pattern @P: expected a value, found Type"),
        ("erase op<toy.relu> -> (x: Value);", "1:36: pattern @P: expected a type, found Value"),
        ("erase op<toy.relu>(x: Value, y: Value);", "1:19: pattern @P: operation 'toy.relu': fou"),
        ("erase op<>.0;", "1:19: pattern @P: expected Op, found Value"),
        (f"{OP} replace op with op.5;", "1:65: pattern @P: 'toy.relu' has no result '5', it has "),
        (f"{OP} replace op with op.y;", "1:65: pattern @P: 'toy.relu' has no result 'y', it has "),
        (f"{OP} replace op with x.y;", "1:62: pattern @P: Value has no member 'y'"),
        ("let op = op<>; replace op with op.y;", "1:47: pattern @P: result 'y' of an operation wi"),
        (f"{OP} replace op with op<>(x);", "1:62: pattern @P: an operation that is created needs"),
        (f"{OP} replace op with y: Value;", "1:65: pattern @P: a rewrite has no variables without"),
        (f"{OP} HasOneuse(x); erase op;", "1:46: pattern @P: unknown Constraint 'HasOneuse'; did"),
        (f"{OP} Make(x); erase op;", "1:46: pattern @P: 'Make' is a Rewrite, a match calls a Con"),
        (f"{OP} rewrite op with {{ HasOneUse(x); }};", "1:64: pattern @P: 'HasOneUse' is a Const"),
        (f"{OP} HasOneUse(x, x); erase op;", "1:46: pattern @P: 'HasOneUse' takes 1 argument, f"),
        (f"{OP} HasOneUse(x) {{a}}; erase op;", "1:46: pattern @P: only 'Like' takes attributes"),
        (f"{OP} let y = HasOneUse(x); erase op;", "1:54: pattern @P: 'HasOneUse' gives no result"),
        (f'{OP} HasOneUse(attr<"1">); erase op;', "1:56: pattern @P: expected Value, found Attr"),
        (f'{OP} HasRank(x, attr<"1.0">); erase op;', "1:46: pattern @P: native constraint 'has_r"),
        (f"{OP} Nowhere(x); erase op;", "1:46: pattern @P: unknown native constraint 'nowhere'"),
        (f"{OP} Loop(op); erase op;", "3:28: pattern @P: 'Loop' calls itself"),
        (f"{OP} Two(op); erase op;", "4:1: pattern @P: 'Two' declares 2 results, gives 1"),
        (f"{OP} not Loop(op); erase op;", "1:50: pattern @P: only a native constraint can be neg"),
        (f"{OP} Conv(op); erase op;", "5:21: pattern @P: expected toy.conv, found toy.relu"),
        ("let x: [Value, Attr]; erase x;", "1:28: pattern @P: a variable has one kind, found a s"),
        ("let x: HasRank; erase x;", "1:20: pattern @P: 'HasRank' limits 2 things, expected one"),
        ("let x: Type<y: Attr>; erase x;", "1:20: pattern @P: 'Type' takes nothing in angle bra"),
        ("let x: HasOneUse<y: Attr>; erase x;", "1:20: pattern @P: 'HasOneUse' takes nothing in"),
        (f"{OP} replace op with Like(x);", "1:67: pattern @P: expected Op, found Value"),
        (f"{OP} replace op with Like();", "1:62: pattern @P: 'Like' makes an operation like a mat"),
        ("let op = op<>; replace op with Like(op);", "1:49: pattern @P: 'Like' needs an operation"),
        (f"{OP} let y = Like(op); erase op;", "1:54: pattern @P: 'Like' makes an operation like "),
        (f'{OP} replace op with attr<"1 :">;', "1:67: pattern @P: malformed attribute '1 :': "),
        (f'{OP} replace op with attr<"1 2">;', "1:67: pattern @P: malformed attribute '1 2': it i"),
        (f'{OP} replace op with attr<"\\"">;', "1:67: pattern @P: malformed attribute '\"': a str"),
        (f'{OP} replace op with type<"f33">;', "1:67: pattern @P: malformed type 'f33': type exp"),
    ],
)
def test_mistakes(ctx, tmp_path, body, message):
    """The pattern stands on line 8, which the expected messages call line 1."""
    path = tmp_path / "rule.pdll"
    path.write_text(f"{HEAD}Pattern P {{ {body} }}")
    with pytest.raises(PatternError) as error:
        load_patterns(ctx, path)
    line, rest = message.split(":", 1)
    expected = message if int(line) > 1 else f"8:{rest}"
    assert str(error.value).startswith(f"{path}:{expected}")


def test_a_benefit_has_four_digits(ctx, tmp_path):
    path = tmp_path / "rule.pdll"
    path.write_text("Pattern P with benefit(10000) => erase op<toy.relu>;")
    with pytest.raises(PatternError, match=r"rule\.pdll:1:24: .* at most 9999, found 10000"):
        load_patterns(ctx, path)


def test_nesting_has_an_end(ctx, tmp_path):
    path = tmp_path / "rule.pdll"
    path.write_text(f"Pattern => erase {'(' * 5000}a{')' * 5000};")
    with pytest.raises(PatternError, match=r"rule\.pdll: expressions are nested too deeply"):
        load_patterns(ctx, path)
