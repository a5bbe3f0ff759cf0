"""The order of rules, derived from what they match and make."""

import re
import shutil
from itertools import combinations
from pathlib import Path

import pytest
from xdsl.context import Context

from autodeploy.dialects.registry import new_context
from autodeploy.passes.fusion.natives import PatternContext, native_rewrite
from autodeploy.passes.fusion.order import derive_order, explain_order, pass_order
from autodeploy.passes.fusion.pdl.executor import load_patterns
from autodeploy.passes.fusion.pdl.source import PatternError
from autodeploy.passes.fusion.registry import PATTERN_FOLDER


@native_rewrite("test_into_kernel", makes=("toy.kernel",))
def into_kernel(_ctx: PatternContext, *_arguments):
    return None


@native_rewrite("test_makes_bias", makes=("toy.conv(bias){activation}",))
def makes_bias(_ctx: PatternContext, *_arguments):
    return None


@native_rewrite("test_makes_unknown", makes=("toy.kernal",))
def makes_unknown(_ctx: PatternContext, *_arguments):
    return None


@native_rewrite("test_makes_nonsense", makes=("toy.conv[bias]",))
def makes_nonsense(_ctx: PatternContext, *_arguments):
    return None


def values(*names: str) -> str:
    types = ", ".join("!pdl.range<value>" if n == "%bias" else "!pdl.value" for n in names)
    return f"({', '.join(names)} : {types})"


def rule(match: str, rewrite: str) -> str:
    """Return a pattern that declares the operands which it mentions."""
    text = match + rewrite
    declared = [f"%{n} = pdl.operand" for n in ("x", "w", "b", "b2") if re.search(rf"%{n}\b", text)]
    if "%bias" in text:
        declared.append("%bias = pdl.operands")
    lines = "\n".join(declared)
    return f"""pdl.pattern @p : benefit(1) {{
      %t = pdl.type
      {lines}
      {match}
      pdl.rewrite %root {rewrite}
    }}"""


def conv(*operands: str, attributes: str = '{"stride" = %s}') -> str:
    stride = "%s = pdl.attribute" if "%s" in attributes else ""
    return f"""{stride}
      %conv = pdl.operation "toy.conv" {values(*operands)} {attributes} -> (%t : !pdl.type)
      %c = pdl.result 0 of %conv
      """


def op(name: str, *operands: str) -> str:
    return f'%root = pdl.operation "{name}" {values(*operands)} -> (%t : !pdl.type)\n'


def by(name: str, *operands: str, attributes: str = "", before: str = "") -> str:
    return f"""{{
        {before}
        %new = pdl.operation "{name}" {values(*operands)} {attributes}
        pdl.replace %root with %new
      }}"""


NO_ACTIVATION = """%name = pdl.attribute = "activation"
      pdl.apply_native_constraint "attribute_absent" (%conv, %name : !pdl.operation, !pdl.attribute)
      """
STRIDE = '{"stride" = %s}'
RELU = {
    "attributes": '{"stride" = %s, "activation" = %act}',
    "before": '%act = pdl.attribute = "r"',
}

RULES = {
    "conv-add": rule(
        conv("%x", "%w") + op("toy.add", "%c", "%b") + NO_ACTIVATION,
        by("toy.conv", "%x", "%w", "%b", attributes=STRIDE),
    ),
    "conv-norm": rule(
        conv("%x", "%w", "%bias") + op("toy.norm", "%c", "%b") + NO_ACTIVATION,
        by("toy.conv", "%x", "%w", "%b", attributes=STRIDE),
    ),
    "a-conv-relu": rule(
        conv("%x", "%w", "%bias") + op("toy.relu", "%c") + NO_ACTIVATION,
        by("toy.conv", "%x", "%w", "%bias", **RELU),
    ),
    "a-conv-mul": rule(  # competes with conv-relu for the activation
        conv("%x", "%w", "%bias") + op("toy.mul", "%c", "%c") + NO_ACTIVATION,
        by("toy.conv", "%x", "%w", "%bias", **RELU),
    ),
    "norm-mul": rule(
        """%norm = pdl.operation "toy.norm" (%x, %w : !pdl.value, !pdl.value) -> (%t : !pdl.type)
        %n = pdl.result 0 of %norm
        """
        + op("toy.mul", "%n", "%b"),
        by("toy.norm", "%x", "%b"),
    ),
    "reshaped-add": rule(
        """%reshape = pdl.operation "toy.reshape" (%w : !pdl.value) -> (%t : !pdl.type)
        %r = pdl.result 0 of %reshape
        """
        + op("toy.add", "%x", "%r"),
        by("toy.add", "%x", "%w"),
    ),
    "remove-reshape": rule(op("toy.reshape", "%x"), "{ pdl.replace %root with (%x : !pdl.value) }"),
    "a-anchor": rule(
        """%any = pdl.operation (%bias : !pdl.range<value>) -> (%t : !pdl.type)
        %r = pdl.result 0 of %any
        %root = pdl.operation (%r : !pdl.value) -> (%t : !pdl.type)
        """,
        'with "test_into_kernel"(%any : !pdl.operation)',
    ),
    "a-grow": rule(
        """%kernel = pdl.operation "toy.kernel" (%bias : !pdl.range<value>) -> (%t : !pdl.type)
        %r = pdl.result 0 of %kernel
        %root = pdl.operation (%r : !pdl.value) -> (%t : !pdl.type)
        """,
        'with "test_into_kernel"(%kernel : !pdl.operation)',
    ),
}


def order_of(ctx: Context, rules: dict[str, str]):
    return derive_order(ctx, {name: load_patterns(ctx, text) for name, text in rules.items()})


def reasons(ctx: Context, rules: dict[str, str]) -> set[str]:
    return {f"{d.after} {d.reason} {d.before}" for d in order_of(ctx, rules).dependencies}


def test_the_whole(ctx):
    names = order_of(ctx, RULES).names
    assert names == (
        "remove-reshape",
        "norm-mul",
        "reshaped-add",
        "conv-add",
        "conv-norm",
        "a-conv-mul",
        "a-conv-relu",
        "a-anchor",
        "a-grow",
    )


def test_the_order_does_not_depend_on_the_order_given(ctx):
    expected = order_of(ctx, RULES)
    assert order_of(ctx, dict(reversed(RULES.items()))) == expected


def only(*names: str) -> dict[str, str]:
    return {name: RULES[name] for name in names}


def test_a_feature_needed_absent(ctx):
    assert reasons(ctx, only("conv-add", "conv-norm")) == {
        "conv-norm adds toy.conv(bias), needed absent by conv-add"
    }
    assert reasons(ctx, only("conv-norm", "a-conv-relu")) == {
        "a-conv-relu adds toy.conv{activation}, needed absent by conv-norm"
    }


def test_competing_rules_are_not_ordered(ctx):
    assert reasons(ctx, only("a-conv-mul", "a-conv-relu")) == set()


def test_a_value_that_is_passed_on_is_not_added(ctx):
    # The range of the bias goes through, so a rule that needs none does not care.
    assert reasons(ctx, only("conv-add", "a-conv-relu")) == {
        "a-conv-relu adds toy.conv{activation}, needed absent by conv-add"
    }


def test_a_needed_operand(ctx):
    needs = rule(
        conv("%x", "%w", "%b") + op("toy.relu", "%c"),
        by("toy.reshape", "%c"),
    )
    assert reasons(ctx, {**only("conv-add"), "a-needs": needs}) == {
        "a-needs needs toy.conv(bias), added by conv-add"
    }


def needing(attribute: str) -> dict[str, str]:
    match = conv("%x", "%w", attributes=f'{{"{attribute}" = %v}}') + op("toy.reshape", "%c")
    rewrite = by("toy.add", "%x", "%c")
    return {
        "a-any": rule("%v = pdl.attribute\n" + match, rewrite),
        "a-two": rule("%v = pdl.attribute = 2 : i64\n" + match, rewrite),
        "a-three": rule("%v = pdl.attribute = 3 : i64\n" + match, rewrite),
        "a-one": rule("%v = pdl.attribute = 1 : i64\n" + match, rewrite),
    }


def adding(attribute: str) -> str:
    attributes = '{"stride" = %s}' if attribute == "stride" else '{"stride" = %s, "groups" = %g}'
    created = attributes.replace(f'"{attribute}" = %{attribute[0]}', f'"{attribute}" = %two')
    return rule(
        "%g = pdl.attribute\n"
        + conv("%x", "%w", attributes='{"stride" = %s, "groups" = %g}')
        + op("toy.norm", "%c", "%x"),
        by("toy.conv", "%x", "%w", attributes=created, before="%two = pdl.attribute = 2 : i64"),
    )


def test_a_needed_value_of_an_attribute_with_a_default(ctx):
    # groups is always there and 1 by default: any value is no need, 1 means "absent".
    found = reasons(ctx, {**needing("groups"), "adds": adding("groups")})
    assert {reason for reason in found if "groups" in reason} == {
        "a-two needs toy.conv{groups}, added by adds",
        "adds adds toy.conv{groups}, needed absent by a-one",
    }


def test_a_default_that_is_set_is_not_added(ctx):
    resets = adding("groups").replace("pdl.attribute = 2", "pdl.attribute = 1")
    found = reasons(ctx, {**needing("groups"), "resets": resets})
    assert not any("groups" in reason for reason in found)


def test_a_needed_value_of_a_required_attribute(ctx):
    # stride is always there and has no default: only a value can be a need.
    found = reasons(ctx, {**needing("stride"), "adds": adding("stride")})
    assert {reason for reason in found if "stride" in reason} == {
        "a-two needs toy.conv{stride}, added by adds"
    }


def test_a_file_that_copes_with_both_needs_neither(ctx):
    with_bias = rule(
        conv("%x", "%w", "%b") + op("toy.add", "%c", "%b2"),
        by("toy.conv", "%x", "%w", "%b2", attributes=STRIDE),
    )
    rules = {"both": RULES["conv-add"] + with_bias.replace("@p", "@q"), **only("conv-norm")}
    assert reasons(ctx, rules) == set()


def test_ops_that_are_made(ctx):
    makes = rule(op("toy.mul", "%x", "%w"), by("toy.norm", "%x", "%w"))
    assert reasons(ctx, {"z-makes": makes, **only("conv-norm")}) == {
        "conv-norm matches toy.norm, made by z-makes"
    }


def test_constants_that_are_made_enable_nothing(ctx):
    constant = """%v = pdl.attribute = 1 : i32
        %k = pdl.operation "toy.const" {"value" = %v} -> (%t : !pdl.type)"""
    makes = rule(op("toy.mul", "%x", "%w"), by("toy.norm", "%x", "%w", before=constant))
    matches = rule(
        """%v = pdl.attribute
        %k = pdl.operation "toy.const" {"value" = %v} -> (%t : !pdl.type)
        %r = pdl.result 0 of %k
        """
        + op("toy.relu", "%r"),
        by("toy.relu", "%r"),
    )
    assert reasons(ctx, {"z-makes": makes, "matches": matches}) == set()


def test_natives_state_the_ops_that_they_create(ctx):
    assert reasons(ctx, only("a-anchor", "a-grow")) == {
        "a-grow matches toy.kernel, made by a-anchor"
    }
    native = rule(conv("%x", "%w", "%bias") + op("toy.reshape", "%c"), 'with "test_makes_bias"')
    found = reasons(ctx, {"a-native": native, **only("conv-add", "a-conv-relu")})
    assert "a-native adds toy.conv(bias), needed absent by conv-add" in found
    assert "a-native adds toy.conv{activation}, needed absent by a-conv-relu" in found


@pytest.mark.parametrize(
    ("native", "message"),
    [
        (
            "test_makes_unknown",
            "native rewrite 'test_makes_unknown' declares to make 'toy.kernal': unknown operation; "
            "did you mean 'toy.kernel'?",
        ),
        (
            "test_makes_nonsense",
            "native rewrite 'test_makes_nonsense' declares to make 'toy.conv[bias]': expected an "
            "op name, then (operands), then {attributes}",
        ),
    ],
)
def test_declarations_of_natives_are_checked(ctx, native, message):
    with pytest.raises(PatternError) as error:
        order_of(ctx, {"rule": rule(op("toy.relu", "%x"), f'with "{native}"')})
    assert message in str(error.value)


def test_preferences(ctx):
    assert reasons(ctx, only("norm-mul", "conv-norm")) == {
        "conv-norm uses up toy.norm, rebuilt by norm-mul"
    }
    assert reasons(ctx, only("reshaped-add", "remove-reshape")) == {
        "reshaped-add does not only remove operations, unlike remove-reshape"
    }
    assert reasons(ctx, only("reshaped-add", "a-anchor")) == {
        "a-anchor matches operations of any name, unlike reshaped-add"
    }
    assert all(d.preferred for d in order_of(ctx, only("norm-mul", "conv-norm")).dependencies)


def test_a_preference_gives_way(ctx):
    # Both name their ops, but work on the kernels that the general rule makes, one through the
    # other.
    on_kernels = rule(
        """%kernel = pdl.operation "toy.kernel" (%x : !pdl.value) -> (%t : !pdl.type)
        %r = pdl.result 0 of %kernel
        """
        + op("toy.reshape", "%r"),
        by("toy.concat", "%r"),
    )
    on_concat = rule(op("toy.concat", "%x"), by("toy.mul", "%x", "%x"))
    rules = {"b-concat": on_concat, "c-kernels": on_kernels, **only("a-anchor", "conv-add")}
    assert order_of(ctx, rules).names == ("conv-add", "a-anchor", "c-kernels", "b-concat")


CYCLE = {
    "mul-to-norm": rule(op("toy.mul", "%x", "%w"), by("toy.norm", "%x", "%w")),
    "norm-to-add": rule(op("toy.norm", "%x", "%w"), by("toy.add", "%x", "%w")),
    "add-to-mul": rule(op("toy.add", "%x", "%w"), by("toy.mul", "%x", "%w")),
    # Follows the cycle without being part of it.
    "add-to-concat": rule(op("toy.add", "%x", "%w"), by("toy.concat", "%x", "%w")),
}


def test_a_cycle_is_printed_with_its_reasons(ctx):
    with pytest.raises(PatternError) as error:
        order_of(ctx, CYCLE)
    assert str(error.value) == (
        "the fusion rules have no order: add-to-mul -> mul-to-norm -> norm-to-add -> add-to-mul\n"
        "  mul-to-norm matches toy.mul, made by add-to-mul\n"
        "  norm-to-add matches toy.norm, made by mul-to-norm\n"
        "  add-to-mul matches toy.add, made by norm-to-add"
    )


def test_a_rule_may_feed_itself(ctx):
    assert order_of(ctx, only("conv-add")).dependencies == ()


@pytest.fixture
def folder(tmp_path):
    for name, text in only("conv-add", "conv-norm", "norm-mul", "a-conv-relu").items():
        (tmp_path / f"{name.replace('-', '_')}.pdl.mlir").write_text(text)
    return tmp_path


def test_the_order_of_a_folder(ctx, folder):
    assert pass_order(ctx, folder) == ["conv-add", "norm-mul", "conv-norm", "a-conv-relu"]
    assert explain_order(ctx, folder) == [
        "conv-add",
        "norm-mul",
        "conv-norm",
        "  adds toy.conv(bias), needed absent by conv-add",
        "  preferably, as it uses up toy.norm, rebuilt by norm-mul",
        "a-conv-relu",
        "  adds toy.conv{activation}, needed absent by conv-add, conv-norm",
    ]


def test_a_malformed_rule_of_a_folder_is_named(ctx, folder):
    (folder / "norm_mul.pdl.mlir").write_text("pdl.pattern")
    with pytest.raises(PatternError, match=r"norm_mul\.pdl\.mlir:1: "):
        pass_order(ctx, folder)


def test_every_rule_that_ships_has_a_place():
    from autodeploy.passes.fusion.registry import pattern_files

    assert sorted(pass_order(new_context())) == sorted(pattern_files())


def test_every_dependency_holds_in_every_part(ctx):
    rules = {name: load_patterns(ctx, text) for name, text in RULES.items()}
    for part in combinations(rules, 4):
        order = derive_order(ctx, {name: rules[name] for name in part})
        place = {name: order.names.index(name) for name in part}
        for dependency in order.dependencies:
            assert place[dependency.before] < place[dependency.after], dependency


HEAD = '#include "nn.pdll"\n'
QUICK_GELU = """Pattern QuickGelu {
  let sigmoid = op<nn.sigmoid>(Product(x: Value<type: Type>, _: Slope)) -> (type);
  let product = op<nn.mul>(x, sigmoid) -> (type);
  HasOneUse(sigmoid);
  replace product with op<nn.gelu>(x);
}
"""
SLOPE = 'Constraint Slope(value: Value) => IsNumber(value, attr<"{} : f64">);\n'


def rules_of(folder: Path, **texts: str):
    ctx = new_context()
    for name, text in texts.items():
        (folder / f"{name}.pdll").write_text(HEAD + text, encoding="utf-8")
    return derive_order(ctx, {name: load_patterns(ctx, folder / f"{name}.pdll") for name in texts})


@pytest.mark.parametrize("name", ["fuse_very_quick_gelu", "a", "zzz"])
def test_a_rule_that_contains_another_one_is_first_under_any_name(name, tmp_path):
    for file in PATTERN_FOLDER.glob("*.pdll"):
        shutil.copy(file, tmp_path)
    text = HEAD + SLOPE.format(1.702) + QUICK_GELU
    (tmp_path / f"{name}.pdll").write_text(text, encoding="utf-8")
    ctx = new_context()
    names = pass_order(ctx, tmp_path)
    assert names.index(name.replace("_", "-")) < names.index("fuse-swish")
    lines = [line for line in explain_order(ctx, tmp_path) if "part of the operations" in line]
    assert any(name.replace("_", "-") in line for line in lines)


GENERAL = """Pattern Slope {
  let product = op<nn.mul>(x: Value, _: Slope);
  replace product with op<nn.relu>(x);
}
"""
NEGATED = """Pattern Varies {{
  let conv = op<nn.conv>(x: Value, w: Value) -> (type: Type);
  let sum = op<nn.{}>(conv, y: Value) -> (type);
  {}
  replace sum with op<nn.relu>(conv);
}}
"""
CONV_ADD = NEGATED.format("add", "not IsConstant(y);")
CONV_ADD_CONSTANT = NEGATED.format("add", "IsConstant(y); HasOneUse(conv);")
CONV_ADD_ANY = NEGATED.format("add", "")
CONV_SUB = NEGATED.format("sub", "")
CONV_SUB_ALONE = NEGATED.format("sub", "HasOneUse(conv);")


@pytest.mark.parametrize(
    ("before", "after", "first"),
    [
        (SLOPE.format(1.702) + QUICK_GELU, SLOPE.format(1.702) + GENERAL, True),
        (SLOPE.format(1.702) + QUICK_GELU, SLOPE.format(2) + GENERAL, False),
        (CONV_ADD_CONSTANT, CONV_ADD_ANY, True),
        (CONV_ADD_CONSTANT, CONV_ADD, False),
        (CONV_ADD, CONV_SUB, False),
        (CONV_ADD_ANY, CONV_ADD_ANY, False),
    ],
)
def test_a_pattern_that_contains_another_one(before, after, first, tmp_path):
    # The names would say the opposite.
    order = rules_of(tmp_path, b=before, a=after)
    found = {(d.before, d.after) for d in order.dependencies if "part of" in d.reason}
    assert found == ({("b", "a")} if first else set())


@pytest.mark.parametrize(
    ("one", "other", "undecided"),
    [
        (CONV_ADD_ANY, CONV_ADD_ANY, True),
        (CONV_ADD, CONV_SUB, True),  # a convolution that both read
        (CONV_ADD_CONSTANT, CONV_SUB, False),  # whose only user is the sum
        (CONV_ADD_CONSTANT, CONV_SUB_ALONE, False),
        (CONV_ADD_CONSTANT, CONV_ADD, False),
        (CONV_ADD_CONSTANT, CONV_ADD_ANY, False),  # decided
    ],
)
def test_rules_that_may_match_the_same_op_are_undecided(one, other, undecided, tmp_path):
    assert rules_of(tmp_path, a=one, b=other).undecided == (("a", "b"),) * undecided
