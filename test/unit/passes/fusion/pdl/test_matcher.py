"""What a match half says yes and no to, and which ones are refused."""

import pytest

from autodeploy.passes.fusion.natives import native_constraint
from autodeploy.passes.fusion.pdl.executor import load_patterns
from autodeploy.passes.fusion.pdl.source import PatternError


def erased(rewrite, match: str, text: str, root: str = "%op") -> list[str]:
    """Return the tags of the ops that a pattern with this match half erases."""
    pattern = (
        f"pdl.pattern @p : benefit(1) {{ {match}\npdl.rewrite {root} {{ pdl.erase {root} }} }}"
    )
    before = text.split('tag = "')[1:]
    left = rewrite(pattern, text)
    tags = [part.partition('"')[0] for part in before]
    return [tag for tag in tags if f'tag = "{tag}"' not in left]


X = '%x = "toy.const"() {value = 0 : i32} : () -> f32\n'


def test_name_and_results_must_fit(rewrite):
    text = (
        X
        + """
        "test.op"(%x) {tag = "no result"} : (f32) -> ()
        "test.op"(%x) {tag = "result"} : (f32) -> f64
        "test.pureop"(%x) {tag = "another name"} : (f32) -> ()
        """
    )
    assert erased(
        rewrite,
        '%x = pdl.operand\n%op = pdl.operation "test.op" (%x : !pdl.value)',
        text,
    ) == ["no result"]


def test_a_nameless_operation_matches_any_name(rewrite):
    text = (
        X
        + """
        "test.op"(%x) {tag = "one"} : (f32) -> ()
        "test.pureop"(%x) {tag = "two"} : (f32) -> ()
        "test.op"() {tag = "no operand"} : () -> ()
        """
    )
    assert erased(rewrite, "%x = pdl.operand\n%op = pdl.operation (%x : !pdl.value)", text) == [
        "one",
        "two",
    ]


@pytest.mark.parametrize(
    ("attribute", "tags"),
    [
        ("pdl.attribute", ["one", "two", "text"]),
        ("pdl.attribute = 1 : i32", ["one"]),
        ('pdl.attribute = "t"', ["text"]),
        ("pdl.attribute = 3 : i32", []),
        ("pdl.attribute : %i32", ["one", "two"]),
    ],
)
def test_attributes(rewrite, attribute, tags):
    text = """
        "test.op"() <{prop1 = 1 : i32}> {tag = "one"} : () -> ()
        "test.op"() <{prop1 = 2 : i32}> {tag = "two"} : () -> ()
        "test.op"() <{prop1 = "t"}> {tag = "text"} : () -> ()
        "test.op"() <{prop2 = 1 : i32}> {tag = "absent"} : () -> ()
        """
    typed = "%i32 = pdl.type : i32\n" if "%i32" in attribute else ""
    match = f'{typed}%a = {attribute}\n%op = pdl.operation "test.op" {{"prop1" = %a}}'
    assert erased(rewrite, match, text) == tags


def test_an_attribute_left_out_has_its_default(rewrite):
    text = (
        X
        + """
        "toy.conv"(%x, %x) {tag = "default", stride = 1 : i64} : (f32, f32) -> f32
        "toy.conv"(%x, %x) {tag = "two", groups = 2 : i64, stride = 1 : i64} : (f32, f32) -> f32
        """
    )
    match = """
        %x = pdl.operand
        %t = pdl.type
        %one = pdl.attribute = 1 : i64
        %op = pdl.operation "toy.conv" (%x, %x : !pdl.value, !pdl.value) {"groups" = %one} -> (%t : !pdl.type)
        """  # noqa: E501
    assert erased(rewrite, match, text) == ["default"]


def test_discardable_attributes_carry_a_dot(rewrite):
    text = """
        "test.op"() {tag = "with", toy.note = 1 : i32} : () -> ()
        "test.op"() {tag = "without"} : () -> ()
        """
    match = '%a = pdl.attribute\n%op = pdl.operation "test.op" {"toy.note" = %a}'
    assert erased(rewrite, match, text) == ["with"]


def test_types_of_operands_and_results(rewrite):
    text = (
        X
        + """
        %d = "toy.const"() {value = 0 : i32} : () -> f64
        %0 = "test.pureop"(%x) {tag = "f32 f32"} : (f32) -> f32
        %1 = "test.pureop"(%x) {tag = "f32 f64"} : (f32) -> f64
        %2 = "test.pureop"(%d) {tag = "f64 f64"} : (f64) -> f64
        """
    )
    same = """
        %t = pdl.type
        %x = pdl.operand : %t
        %op = pdl.operation "test.pureop" (%x : !pdl.value) -> (%t : !pdl.type)
        """
    assert erased(rewrite, same, text) == ["f32 f32", "f64 f64"]
    wide = """
        %t = pdl.type : f64
        %x = pdl.operand
        %op = pdl.operation "test.pureop" (%x : !pdl.value) -> (%t : !pdl.type)
        """
    assert erased(rewrite, wide, text) == ["f32 f64", "f64 f64"]


def test_types_of_ranges(rewrite):
    text = (
        X
        + """
        %d = "toy.const"() {value = 0 : i32} : () -> f64
        "test.op"(%x, %d) {tag = "f32 f64"} : (f32, f64) -> ()
        "test.op"(%d, %x) {tag = "f64 f32"} : (f64, f32) -> ()
        "test.op"() {tag = "none"} : () -> ()
        """
    )
    for types, tags in (("[f32, f64]", ["f32 f64"]), ("[]", ["none"])):
        match = f"""
            %t = pdl.types : {types}
            %x = pdl.operands : %t
            %op = pdl.operation "test.op" (%x : !pdl.range<value>)
            """
        assert erased(rewrite, match, text) == tags


def test_the_same_value_twice(rewrite):
    text = (
        X
        + """
        %y = "toy.const"() {value = 0 : i32} : () -> f32
        "test.op"(%x, %x) {tag = "same"} : (f32, f32) -> ()
        "test.op"(%x, %y) {tag = "equal but not the same"} : (f32, f32) -> ()
        """
    )
    match = '%x = pdl.operand\n%op = pdl.operation "test.op" (%x, %x : !pdl.value, !pdl.value)'
    assert erased(rewrite, match, text) == ["same"]


def test_the_same_value_on_two_ways(rewrite):
    # The input of the producer must be the other operand of the root.
    text = (
        X
        + """
        %y = "toy.const"() {value = 0 : i32} : () -> f32
        %r = "toy.relu"(%x) : (f32) -> f32
        "test.op"(%r, %x) {tag = "same"} : (f32, f32) -> ()
        "test.op"(%r, %y) {tag = "other"} : (f32, f32) -> ()
        "test.op"(%x, %x) {tag = "no producer"} : (f32, f32) -> ()
        """
    )
    match = """
        %x = pdl.operand
        %t = pdl.type
        %relu = pdl.operation "toy.relu" (%x : !pdl.value) -> (%t : !pdl.type)
        %r = pdl.result 0 of %relu
        %op = pdl.operation "test.op" (%r, %x : !pdl.value, !pdl.value)
        """
    assert erased(rewrite, match, text) == ["same"]


def test_the_same_attribute_of_two_ops(rewrite):
    text = """
        %0 = "test.pureop"() <{prop1 = 1 : i32}> : () -> f32
        "test.op"(%0) <{prop1 = 1 : i32}> {tag = "same"} : (f32) -> ()
        "test.op"(%0) <{prop1 = 2 : i32}> {tag = "other"} : (f32) -> ()
        """
    match = """
        %a = pdl.attribute
        %t = pdl.type
        %p = pdl.operation "test.pureop" {"prop1" = %a} -> (%t : !pdl.type)
        %r = pdl.result 0 of %p
        %op = pdl.operation "test.op" (%r : !pdl.value) {"prop1" = %a}
        """
    assert erased(rewrite, match, text) == ["same"]


def test_results_are_distinguished_by_their_index(rewrite):
    text = """
        %0:2 = "toy.pair"() : () -> (f32, f32)
        "test.op"(%0#0) {tag = "first"} : (f32) -> ()
        "test.op"(%0#1) {tag = "second"} : (f32) -> ()
        """
    match = """
        %a = pdl.type
        %b = pdl.type
        %pair = pdl.operation "toy.pair" -> (%a, %b : !pdl.type, !pdl.type)
        %r = pdl.result 1 of %pair
        %op = pdl.operation "test.op" (%r : !pdl.value)
        """
    assert erased(rewrite, match, text) == ["second"]


def test_two_results_must_be_of_one_op(rewrite):
    text = """
        %0:2 = "toy.pair"() : () -> (f32, f32)
        %1:2 = "toy.pair"() : () -> (f32, f32)
        "test.op"(%0#0, %0#1) {tag = "one op"} : (f32, f32) -> ()
        "test.op"(%0#0, %1#1) {tag = "two ops"} : (f32, f32) -> ()
        """
    match = """
        %a = pdl.type
        %b = pdl.type
        %pair = pdl.operation "toy.pair" -> (%a, %b : !pdl.type, !pdl.type)
        %r = pdl.result 0 of %pair
        %s = pdl.result 1 of %pair
        %op = pdl.operation "test.op" (%r, %s : !pdl.value, !pdl.value)
        """
    assert erased(rewrite, match, text) == ["one op"]


def test_a_block_argument_has_no_producer(rewrite):
    text = """
        func.func @f(%x: f32) {
          "test.op"(%x) {tag = "argument"} : (f32) -> ()
          func.return
        }
        """
    match = """
        %t = pdl.type
        %x = pdl.operand
        %relu = pdl.operation "toy.relu" (%x : !pdl.value) -> (%t : !pdl.type)
        %r = pdl.result 0 of %relu
        %op = pdl.operation "test.op" (%r : !pdl.value)
        """
    assert erased(rewrite, match, text) == []


def test_the_root_need_not_be_named(ctx):
    [pattern] = load_patterns(
        ctx,
        """pdl.pattern @p : benefit(1) {
          %x = pdl.operand
          %t = pdl.type
          %a = pdl.operation "toy.reshape" (%x : !pdl.value) -> (%t : !pdl.type)
          %r = pdl.result 0 of %a
          %b = pdl.operation "toy.relu" (%r : !pdl.value) -> (%t : !pdl.type)
          pdl.rewrite { pdl.replace %b with (%x : !pdl.value) }
        }""",
    )
    assert pattern.root_name == "toy.relu"


@native_constraint("test_gives_type")
def gives_type(_ctx, attribute):
    from xdsl.dialects.builtin import f32, f64

    return (True, f64) if attribute.data == "wide" else (True, f32)


def test_the_result_of_a_constraint_is_compared_with_the_match(rewrite):
    text = """
        %0 = "test.pureop"() <{prop1 = "wide"}> {tag = "fits"} : () -> f64
        %1 = "test.pureop"() <{prop1 = "wide"}> {tag = "does not"} : () -> f32
        """
    match = """
        %a = pdl.attribute
        %t = pdl.apply_native_constraint "test_gives_type" (%a : !pdl.attribute) : !pdl.type
        %op = pdl.operation "test.pureop" {"prop1" = %a} -> (%t : !pdl.type)
        """
    with pytest.raises(PatternError, match="'%a' is used, but no matched operation or constant"):
        erased(rewrite, match.replace('{"prop1" = %a} ', ""), text)
    assert erased(rewrite, match, text) == ["fits"]


REFUSED = {
    "several roots": (
        """%x = pdl.operand
        %a = pdl.operation "test.op" (%x : !pdl.value)
        %b = pdl.operation "test.termop" (%x : !pdl.value)
        pdl.rewrite { pdl.erase %a\n pdl.erase %b }""",
        "<text>:3: pattern @p: expected one root operation, found several: "
        "'test.op', 'test.termop'",
    ),
    "below the root": (
        """%x = pdl.operand
        %t = pdl.type
        %a = pdl.operation "toy.relu" (%x : !pdl.value) -> (%t : !pdl.type)
        %r = pdl.result 0 of %a
        %b = pdl.operation "test.op" (%r : !pdl.value)
        pdl.rewrite %a { pdl.erase %b }""",
        "<text>:5: pattern @p: operation 'test.op' is not reachable from the root 'toy.relu' "
        "through operands",
    ),
    "unknown op": (
        '%op = pdl.operation "toy.pare"\npdl.rewrite %op { pdl.erase %op }',
        "<text>:1: pattern @p: unknown operation 'toy.pare'; did you mean 'toy.pair'?",
    ),
    "unknown dialect": (
        '%op = pdl.operation "tay.pair"\npdl.rewrite %op { pdl.erase %op }',
        "<text>:1: pattern @p: unknown operation 'tay.pair': no dialect 'tay'; did you mean 'toy'?",
    ),
    "unknown attribute": (
        '%a = pdl.attribute\n%op = pdl.operation "test.op" {"porp1" = %a}\n'
        "pdl.rewrite %op { pdl.erase %op }",
        "<text>:2: pattern @p: unknown attribute of 'test.op' 'porp1'; did you mean 'prop1'?",
    ),
    "missing results": (
        '%op = pdl.operation "toy.pair"\npdl.rewrite %op { pdl.erase %op }',
        "<text>:1: pattern @p: operation 'toy.pair': found 0 results, it has exactly 2 (one, two)",
    ),
    "two ranges without a name": (
        "%x = pdl.operands\n%op = pdl.operation (%x, %x : !pdl.range<value>, !pdl.range<value>)\n"
        "pdl.rewrite %op { pdl.erase %op }",
        "<text>:2: pattern @p: operation 'of any name': 2 ranges of operands need the name of the "
        "operation",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_when_loaded(ctx, case):
    body, message = REFUSED[case]
    with pytest.raises(PatternError) as error:
        load_patterns(ctx, f"pdl.pattern @p : benefit(1) {{ {body}\n}}")
    assert str(error.value) == message


SUM = """
%x = pdl.operand
%t = pdl.type
%v = pdl.attribute
%c = pdl.operation "toy.const" {"value" = %v} -> (%t : !pdl.type)
%cv = pdl.result 0 of %c
%op = pdl.operation "test.op" (%x, %cv : !pdl.value, !pdl.value)
"""


def test_commutative_tries_either_order(rewrite):
    text = (
        X
        + """
        %y = "toy.relu"(%x) : (f32) -> f32
        "test.op"(%y, %x) {tag = "right"} : (f32, f32) -> ()
        "test.op"(%x, %y) {tag = "left"} : (f32, f32) -> ()
        "test.op"(%x, %x) {tag = "both"} : (f32, f32) -> ()
        "test.op"(%y, %y) {tag = "neither"} : (f32, f32) -> ()
        """
    )
    mark = 'pdl.apply_native_constraint "commutative"(%op : !pdl.operation)'
    assert erased(rewrite, SUM, text) == ["right", "both"]
    assert erased(rewrite, SUM + mark, text) == ["right", "left", "both"]


@pytest.mark.parametrize(
    ("match", "message"),
    [
        (
            '%x = pdl.operand\n%op = pdl.operation "test.op" (%x : !pdl.value)\n'
            'pdl.apply_native_constraint "commutative"(%op : !pdl.operation)',
            "'commutative' needs an operation with two operands, none of them a range",
        ),
        (
            "%x = pdl.operands\n%y = pdl.operand\n"
            '%op = pdl.operation "test.op" (%y, %x : !pdl.value, !pdl.range<value>)\n'
            'pdl.apply_native_constraint "commutative"(%op : !pdl.operation)',
            "'commutative' needs an operation with two operands, none of them a range",
        ),
        (
            SUM + 'pdl.apply_native_constraint "commutative"(%x : !pdl.value)',
            "native constraint 'commutative': argument 1 takes operation, found value",
        ),
    ],
)
def test_commutative_is_for_two_operands(ctx, match, message):
    with pytest.raises(PatternError) as error:
        load_patterns(
            ctx, f"pdl.pattern @p : benefit(1) {{ {match}\npdl.rewrite %op {{ pdl.erase %op }} }}"
        )
    assert message in str(error.value)


def test_a_constant_argument_has_the_type_of_its_parameter(ctx):
    pattern = """pdl.pattern @p : benefit(1) {
      %a = pdl.attribute = 1 : i64
      %op = pdl.operation "test.op"
      pdl.apply_native_constraint "not_inside"(%op, %a : !pdl.operation, !pdl.attribute)
      pdl.rewrite %op { pdl.erase %op }
    }"""
    with pytest.raises(PatternError, match="argument 2 takes a StringAttr, found 1 : i64"):
        load_patterns(ctx, pattern)
