"""The types of the weight store."""

import numpy as np
import pytest
from xdsl.dialects.builtin import bf16

from autodeploy.dialects.nn.types import tensor
from autodeploy.weights import LARGE_BYTES, WeightStore, dense, element_type, numpy_dtype


def test_element_types_of_numpy():
    assert element_type(numpy_dtype(bf16)) == bf16
    with pytest.raises(KeyError):
        element_type(np.complex64)


def _store():
    store = WeightStore()
    array = np.random.default_rng(0).integers(0, 256, (2, LARGE_BYTES // 2), np.uint8)
    return store, array, store.attribute(array)


def test_a_large_array_is_made_when_it_is_asked_for():
    store, array, value = _store()
    calls = []

    def turned():
        calls.append(1)
        return store.array(value).T.copy()

    made = store.made("turned", turned)
    assert store.made("turned", turned) == made
    assert (len(calls), store.bytes, len(store)) == (1, array.nbytes, 2)
    first = store.array(made)
    assert np.array_equal(first, array.T)
    assert np.array_equal(store.array(made), first)
    assert len(calls) == 2
    del first
    assert np.array_equal(store.array(made), array.T)
    assert len(calls) == 3


def test_what_is_made_is_told_by_its_elements(tmp_path):
    store, array, value = _store()
    assert store.made("same", lambda: array.copy()) == value
    small = store.made("small", lambda: array[:, :99])
    assert store.attribute(array[:, :99].copy()) == small
    assert store.bytes == array.nbytes + 198
    made = store.made("turned", lambda: store.array(value).T)
    store.save(tmp_path / "w")
    other = WeightStore()
    other.load(tmp_path / "w")
    assert np.array_equal(other.array(made), array.T)
    # An array that is kept has the place of one that is made.
    assert store.attribute(array.T) == made
    assert store.bytes == 2 * array.nbytes + 198
    assert len(store) == 3


def test_a_derived_array_is_named_after_its_way_until_its_content_names_it():
    store, array, value = _store()
    made = []

    def turned(given):
        made.append(given)
        return given.T

    type_ = tensor(element_type(np.uint8), array.shape[::-1])
    derived = store.derived(value, "turned", type_, turned)
    assert store.derived(value, "turned", type_, turned) == derived != value
    assert not made
    named = store.named(derived)
    assert named == store.attribute(array.T.copy()) == store.named(named)
    assert len(made) == 1
    assert np.array_equal(store.array(derived), array.T)
    assert len(made) == 2
    kept = store.derived(value, "kept", type_, turned, keep=True)
    assert np.array_equal(store.array(kept), array.T)
    assert store.named(kept) == named
    assert len(made) == 3


def test_a_small_derived_array_has_the_name_of_its_content():
    store, array, value = _store()
    type_ = tensor(element_type(np.uint8), (3, 99))
    small = store.derived(value, "cut", type_, lambda given: given[:, :99].repeat(2, 0)[:3])
    assert small == store.attribute(array[[0, 0, 1], :99]) == store.named(small)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_dense_arrays_have_the_elements_in_their_order(order):
    array = np.arange(40 * 3 * 70).reshape(40, 3, 70).transpose(order)
    assert dense(array).flags.c_contiguous
    assert np.array_equal(dense(array), array)
