"""Applying sets of patterns: which one first, how far, and what is cleaned up."""

import pytest

from autodeploy.passes.fusion.natives import PatternContext, native_rewrite
from autodeploy.passes.fusion.pdl.executor import apply_patterns, load_patterns
from autodeploy.passes.fusion.pdl.source import PatternError


def relabel(name: str, benefit: int, text: str, root: str = '"test.op"') -> str:
    """Return a pattern that replaces an op without ``prop1`` by one that says ``text``."""
    return f"""pdl.pattern @{name} : benefit({benefit}) {{
      %name = pdl.attribute = "prop1"
      %t = pdl.types : []
      %op = pdl.operation {root} -> (%t : !pdl.range<type>)
      pdl.apply_native_constraint "attribute_absent" (%op, %name : !pdl.operation, !pdl.attribute)
      pdl.rewrite %op {{
        %a = pdl.attribute = "{text}"
        %new = pdl.operation "test.op" {{"prop1" = %a}} -> (%t : !pdl.range<type>)
        pdl.replace %op with %new
      }}
    }}"""


OP = '"test.op"() : () -> ()'


def test_the_highest_benefit_first(rewrite):
    assert '"b"' in rewrite(relabel("a", 1, "a") + relabel("b", 2, "b"), OP)
    assert '"a"' in rewrite(relabel("a", 2, "a") + relabel("b", 1, "b"), OP)


def test_of_equal_benefit_the_first_of_the_text(rewrite):
    assert '"a"' in rewrite(relabel("a", 1, "a") + relabel("b", 1, "b"), OP)


def test_a_nameless_root_competes_by_benefit(rewrite):
    nameless = relabel("any", 2, "any", root="")
    assert '"any"' in rewrite(relabel("a", 1, "a") + nameless, OP)
    assert '"a"' in rewrite(relabel("a", 3, "a") + nameless, OP)


def test_a_nameless_root_takes_ops_that_no_pattern_names(rewrite):
    patterns = relabel("any", 1, "any", root="") + relabel("a", 1, "a")
    assert '"any"' in rewrite(patterns, '"test.pureop"() : () -> ()')


CHAIN = """pdl.pattern @unchain : benefit(1) {
  %x = pdl.operand
  %t = pdl.type
  %inner = pdl.operation "toy.relu" (%x : !pdl.value) -> (%t : !pdl.type)
  %r = pdl.result 0 of %inner
  %outer = pdl.operation "toy.relu" (%r : !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %outer { pdl.replace %outer with %inner }
}"""


def chain(length: int) -> str:
    lines = [f'%{i + 1} = "toy.relu"(%{i}) : (f32) -> f32' for i in range(length)]
    return (
        "func.func @f(%0: f32) -> f32 {\n" + "\n".join(lines) + f"\nfunc.return %{length} : f32\n}}"
    )


def test_to_a_fixpoint(ctx, parse):
    module = parse(chain(50))
    patterns = load_patterns(ctx, CHAIN)
    assert apply_patterns(ctx, module, patterns) == 49
    assert sum(op.name == "toy.relu" for op in module.walk()) == 1
    assert apply_patterns(ctx, module, patterns) == 0


def test_inside_regions(rewrite):
    out = rewrite(
        relabel("a", 1, "a", root='"test.pureop"'),
        """
        "test.op"() ({
          "test.pureop"() : () -> ()
          "test.termop"() : () -> ()
        }) : () -> ()
        """,
    )
    assert '"a"' in out


@native_rewrite("test_wrap")
def wrap(ctx: PatternContext, op):
    from xdsl.dialects.test import TestOp, TestPureOp, TestTermOp
    from xdsl.ir import Block, Region

    body = Block([TestPureOp(), TestTermOp()])
    ctx.rewriter.replace(op, TestOp(regions=[Region(body)], properties={"prop1": op.prop2}))


def test_inside_regions_that_a_rewrite_makes(rewrite):
    wraps = """pdl.pattern @wrap : benefit(1) {
      %a = pdl.attribute
      %op = pdl.operation "test.op" {"prop2" = %a}
      pdl.rewrite %op with "test_wrap"
    }"""
    out = rewrite(
        wraps + relabel("a", 1, "a", root='"test.pureop"'),
        '"test.op"() <{prop2 = 1 : i32}> : () -> ()',
    )
    assert "test.pureop" not in out and '"a"' in out


def test_a_use_that_goes_away_makes_a_match(rewrite):
    # The relu has two uses until the other user is erased, further down.
    patterns = """
    pdl.pattern @single : benefit(1) {
      %x = pdl.operand
      %t = pdl.type
      %relu = pdl.operation "toy.relu" (%x : !pdl.value) -> (%t : !pdl.type)
      %r = pdl.result 0 of %relu
      pdl.apply_native_constraint "has_one_use" (%r : !pdl.value)
      %op = pdl.operation "toy.reshape" (%r : !pdl.value) -> (%t : !pdl.type)
      pdl.rewrite %op { pdl.replace %op with (%x : !pdl.value) }
    }
    pdl.pattern @drop : benefit(1) {
      %x = pdl.operand
      %op = pdl.operation "test.op" (%x : !pdl.value)
      pdl.rewrite %op { pdl.erase %op }
    }"""
    out = rewrite(
        patterns,
        """func.func @f(%x: f32) -> f32 {
          %0 = "toy.relu"(%x) : (f32) -> f32
          %1 = "toy.reshape"(%0) : (f32) -> f32
          "test.op"(%0) : (f32) -> ()
          func.return %1 : f32
        }""",
    )
    assert '"func.return"(%x)' in out and "toy." not in out


CONV_RELU = """pdl.pattern @p : benefit(1) {
  %x = pdl.operand
  %y = pdl.operand
  %t = pdl.type
  %add = pdl.operation "toy.add" (%x, %y : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  %a = pdl.result 0 of %add
  %op = pdl.operation "toy.relu" (%a : !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %op { pdl.replace %op with (%x : !pdl.value) }
}"""


def test_dead_ops_of_the_rewrite_are_removed(rewrite):
    out = rewrite(
        CONV_RELU,
        """func.func @f(%x: f32) -> f32 {
          %c = "toy.const"() {value = 0 : i32} : () -> f32
          %d = "toy.reshape"(%c) : (f32) -> f32
          %other = "toy.const"() {value = 1 : i32} : () -> f32
          %0 = "toy.add"(%x, %d) : (f32, f32) -> f32
          %1 = "toy.relu"(%0) : (f32) -> f32
          func.return %1 : f32
        }""",
    )
    assert '"func.return"(%x)' in out
    assert "toy.add" not in out and "toy.reshape" not in out and "value = 0" not in out
    # It was dead before, so it is none of the rewrite's business.
    assert "value = 1" in out


@native_rewrite("test_bypass")
def bypass(ctx: PatternContext, op, value):
    op.operands[0] = value
    ctx.rewriter.notify_op_modified(op)


def test_a_matched_op_that_lost_its_user_is_removed(rewrite):
    out = rewrite(
        """pdl.pattern @p : benefit(1) {
          %x = pdl.operand
          %t = pdl.type
          %relu = pdl.operation "toy.relu" (%x : !pdl.value) -> (%t : !pdl.type)
          %r = pdl.result 0 of %relu
          %op = pdl.operation "test.op" (%r : !pdl.value)
          pdl.rewrite %op with "test_bypass"(%x : !pdl.value)
        }""",
        """func.func @f(%x: f32) {
          %0 = "toy.relu"(%x) : (f32) -> f32
          "test.op"(%0) : (f32) -> ()
          func.return
        }""",
    )
    assert '"test.op"(%x)' in out and "toy.relu" not in out


def test_a_matched_op_with_another_user_stays(rewrite):
    out = rewrite(
        CONV_RELU,
        """func.func @f(%x: f32) -> (f32, f32) {
          %0 = "toy.add"(%x, %x) : (f32, f32) -> f32
          %1 = "toy.relu"(%0) : (f32) -> f32
          func.return %1, %0 : f32, f32
        }""",
    )
    assert '"func.return"(%x, %0)' in out and "toy.add" in out


def test_patterns_without_an_end_are_stopped(rewrite):
    endless = """
    pdl.pattern @calm : benefit(1) {
      %op = pdl.operation "test.termop"
      pdl.rewrite %op { pdl.erase %op }
    }
    pdl.pattern @endless : benefit(1) {
      %t = pdl.types
      %op = pdl.operation "test.op" -> (%t : !pdl.range<type>)
      pdl.rewrite %op {
        %new = pdl.operation "test.op" -> (%t : !pdl.range<type>)
        pdl.replace %op with %new
      }
    }"""
    with pytest.raises(PatternError) as error:
        rewrite(endless, OP + '\n"test.termop"() : () -> ()')
    assert str(error.value) == (
        "<text>:6: pattern @endless: still matches after 1061 rewrites; "
        "1061 rewrites of a module of 3 ops came to no end"
    )
