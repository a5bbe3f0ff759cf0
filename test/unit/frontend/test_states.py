"""States that are found by the names of inputs and outputs, and the option that names them."""

import pytest
from open_inner import Inner

from autodeploy.diagnostics import UserError
from autodeploy.dialects.nn.marks import states_of
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.models import import_any_model
from autodeploy.frontend.states import mark_states
from autodeploy.tools.named_options import parse_state


def pairs(inputs, outputs):
    net = Inner()
    taken = [net.takes(name, 2) for name in inputs]
    for index, name in enumerate(outputs):
        net.add("Neg", taken[index % len(taken)])
        net.nodes[-1].output[0] = name
        net.gives(name, 2)
    module = import_any_model(new_context(), net.model("net").SerializeToString())
    mark_states(module, "auto")
    (func,) = module.body.block.ops
    return {outputs[state.result]: inputs[state.argument] for state in states_of(func)}


@pytest.mark.parametrize(
    ("output", "taken"),
    [
        ("present.0.key", "past_key_values.0.key"),
        ("present.0.decoder.value", "past_key_values.0.decoder.value"),
        ("present_key_3", "past_key_3"),
        ("present_1", "past_1"),
        ("stateN", "state"),
        ("hn", "h"),
        ("cn", "c0"),
        ("h_n", "h_0"),
        ("state_out_1", "state_in_1"),
        ("out_cache", "in_cache"),
        ("new_cached_len_0", "cached_len_0"),
        ("next_state", "prev_state"),
        ("hidden_next", "hidden"),
    ],
)
def test_names_of_exporters_are_states(output, taken):
    assert pairs(["x", taken], ["y", output]) == {output: taken}


def test_an_input_is_the_next_value_of_one_output():
    assert pairs(["x", "state"], ["stateN", "new_state"]) == {"stateN": "state"}


def test_the_option_has_pairs_or_one_word():
    assert parse_state(None) is None and parse_state([]) is None
    assert parse_state(["auto"]) == "auto"
    assert parse_state(["a=b", "c=d=e"]) == {"a": "b", "c=d": "e"}


@pytest.mark.parametrize(
    ("texts", "error"),
    [
        (["a"], "malformed state 'a'"),
        (["=b"], "malformed state '=b'"),
        (["a="], "malformed state 'a='"),
        (["auto", "a=b"], "malformed state 'auto'"),
        (["a=b", "a=c"], "gives the output 'a' twice"),
    ],
)
def test_other_forms_of_the_option_are_refused(texts, error):
    with pytest.raises(UserError, match=error):
        parse_state(texts)
