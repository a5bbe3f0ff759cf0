"""Programs that keep outputs as the inputs of the next run: caches, states of recurrent layers."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import TensorProto, helper, numpy_helper
from open_decoders import attention, gpt2, greedy, kept_greedy, llama
from open_inner import Inner
from packed_decoder import packed_decoder

import autodeploy
from autodeploy.diagnostics import ModelError, UnsupportedError, UserError
from autodeploy.toolchain.profile import profile_bundle
from autodeploy.toolchain.session import load_bundle

DIMS = {"batch_size": 1}
OPEN = {"past_sequence_length": (0, 31), "sequence_length": [1, (2, 8)]}
PACKED = {**OPEN, "total_sequence_length": "past_sequence_length+sequence_length"}
WORDS = [3, 5, 2, 7]


def by_onnxruntime(model, words, count):
    session = onnxruntime.InferenceSession(model.SerializeToString())
    names = [output.name for output in session.get_outputs()]
    return greedy(
        lambda values: dict(zip(names, session.run(None, values), strict=True)), model, words, count
    )


def text_of(bundle):
    return "".join(file.read_text() for file in bundle.glob("*.mlir"))


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("make", "dynamic", "level"),
    [
        (gpt2, OPEN, 3),
        (llama, OPEN, 3),
        (attention, OPEN, 0),
        (packed_decoder, PACKED, 3),
        (lambda: packed_decoder(zeros=True, block=32, half=True), PACKED, 3),
    ],
)
def test_a_decoder_that_keeps_its_cache_gives_the_same_tokens(make, dynamic, level, tmp_path):
    model = make()
    right = by_onnxruntime(model, WORDS, 24)
    given = {"dims": DIMS, "dynamic": dynamic, "level": level}
    with autodeploy.compile(model, tmp_path / "b", **given, state="auto") as session:
        assert [entry.name for entry in session.inputs] == ["input_ids", "attention_mask"]
        assert len(session.outputs) == 1 and len(session.states) == 4
        for _ in range(2):
            assert kept_greedy(session, WORDS, 24) == right
            session.reset()


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("states") / "b"
    with autodeploy.compile(gpt2(), folder, dims=DIMS, dynamic=OPEN, state="auto", threads=2):
        return folder


def test_only_new_rows_are_copied(bundle):
    joins = [line for line in text_of(bundle).split("\n") if "driver.join" in line]
    assert len(joins) == 8  # two caches of two layers, in two programs
    assert all("from 31 on 2 behind" in line for line in joins)


def test_a_saved_state_continues_with_the_same_bits(bundle):
    with load_bundle(bundle) as one, load_bundle(bundle, threads=2) as other:
        kept_greedy(one, WORDS, 3)
        saved = one.save_state()
        given = {"input_ids": np.array([[9]]), "attention_mask": np.ones((1, 7), np.int64)}
        (right,) = one.run(given).values()
        with pytest.raises(UserError, match="'attention_mask' takes shape 1x1, found 1x7"):
            other.run(given)
        other.load_state(saved)
        (found,) = other.run(given).values()
        assert np.array_equal(found, right)
        assert other.save_state() == one.save_state()
        one.load_state(saved)
        assert one.save_state() == saved


def test_a_full_state_stays_as_it_is(bundle):
    with load_bundle(bundle) as session:
        kept_greedy(session, WORDS, 29)  # 32 rows, more than a run may find
        saved = session.save_state()
        given = {"input_ids": np.array([[9]]), "attention_mask": np.ones((1, 33), np.int64)}
        with pytest.raises(UserError, match="the state is full: extent 'past_sequence_length'"):
            session.run(given)
        assert session.save_state() == saved
        session.reset()
        assert kept_greedy(session, WORDS, 2) == by_onnxruntime(gpt2(), WORDS, 2)


def test_arrays_are_not_bound_to_extents_of_a_state(bundle):
    with load_bundle(bundle) as session, pytest.raises(UserError, match="depend on its state"):
        session.bind()


def test_what_is_no_saved_state_changes_nothing(bundle):
    with load_bundle(bundle) as session:
        kept_greedy(session, WORDS, 1)
        saved = session.save_state()
        damaged = bytearray(saved)
        damaged[16] = 200  # rows
        for wrong, text in (
            (b"", "no saved state of this network"),
            (bytes(len(saved)), "no saved state of this network"),
            (saved[:-1], "another size"),
            (saved + b"x", "another size"),
            (bytes(damaged), "no valid number of rows"),
        ):
            with pytest.raises(UserError, match=text):
                session.load_state(wrong)
            assert session.save_state() == saved


def test_group_query_attention_appends_to_its_cache_for_full_masks(tmp_path):
    """The operator finds rows by the mask; a program that appends checks that none is left out."""
    dynamic = {
        "past_sequence_length": (0, 31),
        "total_sequence_length": "past_sequence_length+1",
    }
    dims = {**DIMS, "sequence_length": 1}
    given = {"dims": dims, "dynamic": dynamic, "state": "auto"}
    with autodeploy.compile(packed_decoder(), tmp_path / "b", **given) as session:
        joins = [line for line in text_of(tmp_path / "b").split("\n") if "driver.join" in line]
        assert len(joins) == 4 and all("from 31 on 2 behind" in line for line in joins)
        right = by_onnxruntime(packed_decoder(), WORDS[:1], 8)
        assert kept_greedy(session, WORDS[:1], 8) == right
        saved = session.save_state()
        mask = np.ones((1, 9), np.int64)
        mask[0, 2] = 0
        with pytest.raises(UserError, match="an input has another value"):
            session.run({"input_ids": np.array([[9]]), "attention_mask": mask})
        assert session.save_state() == saved
    # The timed runs have full masks, and a state with the most rows.
    assert any("scaled" in time.name for time in profile_bundle(tmp_path / "b", 2))


@pytest.mark.exhaustive
def test_caches_of_several_samples_are_found_by_their_masks():
    dynamic = {
        "past_sequence_length": (0, 15),
        "total_sequence_length": "past_sequence_length+1",
    }
    model, dims = packed_decoder(), {"batch_size": 2, "sequence_length": 1}
    theirs = onnxruntime.InferenceSession(model.SerializeToString())
    names = [output.name for output in theirs.get_outputs()]
    past = {
        value.name: np.zeros((2, 1, 0, 16), np.float32)
        for value in theirs.get_inputs()
        if value.name.startswith("past")
    }
    with autodeploy.compile(model, dims=dims, dynamic=dynamic, state="auto") as session:
        for step in range(4):
            mask = np.ones((2, step + 1), np.int64)
            given = {"input_ids": np.array([[step], [step + 7]]), "attention_mask": mask}
            made = dict(zip(names, theirs.run(None, {**given, **past}), strict=True))
            past = {name: made[name.replace("past_key_values", "present")] for name in past}
            for name, found in session.run(given).items():
                assert_close(found, made[name])


@pytest.mark.exhaustive
def test_parts_of_the_number_of_rows_share_the_state(tmp_path):
    dynamic = {"past_sequence_length": [(0, 7), (8, 31)], "sequence_length": (1, 8)}
    with autodeploy.compile(
        gpt2(), tmp_path / "b", dims=DIMS, dynamic=dynamic, state="auto"
    ) as session:
        assert kept_greedy(session, WORDS, 24) == by_onnxruntime(gpt2(), WORDS, 24)


def lstm():
    """A layer of torch's form, one step a run, with its state as inputs and outputs."""
    random = np.random.default_rng(0)
    weights = [
        numpy_helper.from_array(random.standard_normal(shape).astype(np.float32) / 3, name)
        for name, shape in (("w", (1, 32, 6)), ("r", (1, 32, 8)), ("b", (1, 64)))
    ]
    node = helper.make_node(
        "LSTM", ["x", "w", "r", "b", "", "h_0", "c_0"], ["y", "h_n", "c_n"], hidden_size=8
    )
    shapes = {"x": (1, 1, 6), "h_0": (1, 1, 8), "c_0": (1, 1, 8), "y": (1, 1, 1, 8)}
    values = {
        name: helper.make_tensor_value_info(name, TensorProto.FLOAT, shapes[name.replace("n", "0")])
        for name in ("x", "h_0", "c_0", "y", "h_n", "c_n")
    }
    inputs, outputs = [
        [values[n] for n in names] for names in (("x", "h_0", "c_0"), ("y", "h_n", "c_n"))
    ]
    graph = helper.make_graph([node], "lstm", inputs, outputs, weights)
    return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 18)])


@pytest.mark.parametrize("level", [0, 3])
def test_a_recurrent_layer_keeps_its_state(level):
    model = lstm()
    theirs = onnxruntime.InferenceSession(model.SerializeToString())
    random = np.random.default_rng(1)
    with autodeploy.compile(model, level=level, state="auto") as session:
        assert {state.input: state.output for state in session.states} == {
            "h_0": "h_n",
            "c_0": "c_n",
        }
        for _ in range(2):
            state = [np.zeros((1, 1, 8), np.float32)] * 2
            for _ in range(4):
                x = random.standard_normal((1, 1, 6)).astype(np.float32)
                right, *state = theirs.run(None, {"x": x, "h_0": state[0], "c_0": state[1]})
                assert_close(session.run(x)["y"], right)
            session.reset()


def moving(rows):
    """Values that move on from state to state, and rows whose places a run changes."""
    net = Inner()
    x = net.takes("x", *rows)
    a, b = net.takes("a", *rows), net.takes("b", *rows)
    past = net.takes("past", 2, "n", 4)
    net.gives(net.add("Add", a, b), *rows)
    for name, value in (("an", x), ("bn", a)):
        net.add("Identity", value)
        net.nodes[-1].output[0] = name
        net.gives(name, *rows)
    new = net.takes("new", 2, 1, 4)
    net.nodes.append(helper.make_node("Concat", [new, past], ["present"], "front", axis=1))
    net.gives("present", 2, "n + 1", 4)
    net.gives(net.add("ReduceSum", "present", net.integers(1)), 2, 1, 4)
    return net.model("moving")


@pytest.mark.parametrize("level", [0, 3])
def test_states_that_are_read_and_moved_are_copied(level):
    state = {"an": "a", "bn": "b", "present": "past"}
    with autodeploy.compile(
        moving((2, 3)), dynamic={"n": (0, 9)}, level=level, state=state
    ) as session:
        sent, rows = [np.zeros((2, 3), np.float32)] * 2, np.zeros((2, 0, 4), np.float32)
        for step in range(6):
            x = np.full((2, 3), step + 1, np.float32)
            new = np.full((2, 1, 4), 2.0**step, np.float32)
            total, summed = session.run({"x": x, "new": new}).values()
            assert np.array_equal(total, sent[-1] + sent[-2])
            sent.append(x)
            rows = np.concatenate([new, rows], 1)
            assert np.array_equal(summed, rows.sum(1, keepdims=True))


@pytest.mark.parametrize(
    ("state", "dynamic", "error", "text"),
    [
        ({"present": "pst"}, {"n": (0, 9)}, ModelError, "'pst' is no input.*did you mean 'past'"),
        ({"prsent": "past"}, {"n": (0, 9)}, ModelError, "'prsent' is no output"),
        ({"present": "a", "an": "a"}, {"n": (0, 9)}, ModelError, "'a' is to be two outputs"),
        (
            {"an": "new"},
            {"n": (0, 9)},
            UnsupportedError,
            "'new' cannot be a state: .* another shape",
        ),
        ({"present": "past"}, {"n": (1, 9)}, UnsupportedError, "no number 'n' from 0 in steps"),
        ({"present": "past"}, {"n": (0, 9, 3)}, UnsupportedError, "no number 'n' from 0 in steps"),
        ({"present": "past"}, {"n": [0, (1, 9)]}, UnsupportedError, "another shape than"),
    ],
)
def test_what_cannot_be_a_state_is_refused(state, dynamic, error, text, tmp_path):
    with pytest.raises(error, match=text):
        autodeploy.compile(moving((2, 3)), tmp_path / "b", dynamic=dynamic, state=state)
    assert not (tmp_path / "b").exists()


def test_a_model_without_such_names_has_no_automatic_state():
    net = Inner()
    net.gives(net.add("Neg", net.takes("x", 3)), 3)
    with pytest.raises(ModelError, match="state the pairs by '--state OUTPUT=INPUT'"):
        autodeploy.compile(net.model("plain"), state="auto")


def test_a_session_without_a_state_has_none_to_reset():
    net = Inner()
    net.gives(net.add("Neg", net.takes("x", 3)), 3)
    with autodeploy.compile(net.model("plain")) as session:
        for call in (session.reset, session.save_state, lambda: session.load_state(b"")):
            with pytest.raises(UserError, match="'plain' has no state"):
                call()
