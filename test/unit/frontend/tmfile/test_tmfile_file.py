"""Reading tmfiles: places, counts and sizes are checked, names may be missing."""

import re
import struct
import tracemalloc
import warnings
from pathlib import Path

import numpy as np
import pytest
from fuzz_bytes import change_words
from tmfile_cases import imported
from tmfile_writer import TmfileWriter, small_network

from autodeploy.diagnostics import ModelError, UserError
from autodeploy.dialects.registry import new_context
from autodeploy.frontend.models import import_any_model
from autodeploy.frontend.tmfile.file import (
    fields_of,
    is_tmfile,
    letter_bytes,
    open_tmfile,
    operator_names,
    parse_tmfile,
)
from autodeploy.frontend.tmfile.importer import import_tmfile
from autodeploy.weights import WeightStore

WEIGHT = np.arange(400, dtype=np.float32).reshape(4, 100)
"""The second weight of the small network."""


def test_the_content_decides():
    assert is_tmfile(small_network())
    assert is_tmfile(b"\1\0\0\0\0\0")
    assert not is_tmfile(b"")
    assert not is_tmfile(b"\x08\x07\x12\x00\x00\x00")  # an ONNX model
    assert not is_tmfile(b"\x1c\0\0\0TFL3")


def test_any_name(tmp_path: Path):
    path = tmp_path / "model.onnx"
    path.write_bytes(small_network())
    module = import_any_model(new_context(), path)
    assert module.attributes["nn.model"].data == "model"
    assert str(import_any_model(new_context(), path.read_bytes()).body.block.first_op)


def test_weights_are_views_of_the_file(tmp_path: Path):
    path = tmp_path / "model.tmfile"
    path.write_bytes(small_network())
    data = open_tmfile(path).tensors[-4].data
    ctx = new_context()
    import_tmfile(ctx, path)
    (weight,) = [a for a in WeightStore.of(ctx)._arrays.values() if a.shape == WEIGHT.shape]
    assert not weight.flags.owndata
    assert not weight.flags.writeable
    assert np.array_equal(weight, WEIGHT)
    assert data is None or data.readonly


def test_version_1_is_named():
    data = b"\1\0" + small_network()[2:]
    with pytest.raises(
        ModelError, match=r"'f' is a tmfile of version 1, expected version 2, which"
    ):
        parse_tmfile(data, "'f'")


def test_no_file(tmp_path: Path):
    with pytest.raises(ModelError, match=r"model '.*none\.tmfile' does not exist"):
        open_tmfile(tmp_path / "none.tmfile")


def constraint_error(place: int, value: int) -> str:
    """Return the error of the network with 32 bits at a place behind its root changed."""
    data = bytearray(small_network())
    root = struct.unpack_from("<I", data, 8)[0]
    graph = struct.unpack_from("<I", data, struct.unpack_from("<I", data, root + 8)[0] + 4)[0]
    struct.pack_into("<I", data, graph + place, value)
    with pytest.raises(ModelError) as raised:
        parse_tmfile(bytes(data), "'f'")
    return str(raised.value)


def test_places_outside_of_the_file():
    size = len(small_network())
    assert constraint_error(20, size) == (
        f"'f' is not a valid tmfile: bytes {size} to {size + 4} of the nodes are beyond its {size} "
        "bytes"
    )


def test_layout():
    assert "its layout is 7, expected 0 (NCHW) or 1 (NHWC)" in constraint_error(4, 7)


def test_a_count_beyond_the_file():
    data = bytearray(small_network())
    data += struct.pack("<I", 1 << 30)
    assert "of the nodes are beyond its" in broken_list(data, 20)


def broken_list(data: bytearray, place: int) -> str:
    root = struct.unpack_from("<I", data, 8)[0]
    graph = struct.unpack_from("<I", data, struct.unpack_from("<I", data, root + 8)[0] + 4)[0]
    struct.pack_into("<I", data, graph + place, len(data) - 4)
    with pytest.raises(ModelError) as raised:
        parse_tmfile(bytes(data), "'f'")
    return str(raised.value)


def test_one_list_named_often():
    """A long list that each of many nodes names takes no more memory than the file allows."""
    file = TmfileWriter()
    x = file.input("x", [1, 4])
    for _ in range(3000):
        out = file.node(8, [x])
    data = bytearray(file.bytes(out))
    place = len(data)
    data += struct.pack("<I", 200_000) + bytes(800_000)
    for node in file.nodes[1:]:
        struct.pack_into("<I", data, node + 4, place)
    tracemalloc.start()
    with pytest.raises(ModelError, match="its tables take more memory than the file"):
        parse_tmfile(bytes(data), "'f'")
    assert tracemalloc.get_traced_memory()[1] < 4 * len(data) + (32 << 20)
    tracemalloc.stop()


def test_one_constant_named_often():
    """Copies of a constant are counted, too."""
    file = TmfileWriter()
    out = file.input("x", [4, 1000])
    file.constant("q", np.zeros((4, 1000), np.int8), [(0.5, 0)])
    for index in range(20):
        constant = file._tensor(f"q{index}", 2, [4, 1000], 2, [(0.1 * index, 0)])
        out = file.node(9, [out, constant], "Ii", 2, 1)
    with pytest.raises(ModelError, match=r"constant 'q.*' shares its bytes with others"):
        imported(file, out)


def test_names_may_be_missing():
    file = TmfileWriter()
    x = file.input("", [1, 4])
    _, module = imported(file, file.node(21, [x]))
    assert '{nn.name = "tensor_0"}' in str(module)


def test_names_that_are_not_utf_8():
    data = small_network().replace(b"node4", b"no\xffe4")
    assert any(node.name == "no\\xffe4" for node in parse_tmfile(data, "'f'").nodes)


def test_structs_have_the_sizes_that_the_format_gives():
    sizes = {"Convolution": 56, "Deconvolution": 60, "Pooling": 44, "Eltwise": 20, "Clip": 8,
             "Reshape": 16, "Interp": 20, "Permute": 20, "Slice": 40, "Split": 16,
             "StridedSlice": 48, "Reduction": 24, "Pad": 40, "Scale": 12, "Flatten": 8}  # fmt: skip
    for name, size in sizes.items():
        last = fields_of(operator_names()[name])[-1]
        assert last.start + letter_bytes(last.letter) == size, name
    assert len(operator_names()) == 108


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files(seed):
    """A file with a few bytes changed imports, or ends in one error of ours."""
    random, good = np.random.default_rng(seed), small_network()
    ends = set()
    for _ in range(250):
        data = change_words(good, random)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                import_tmfile(new_context(), data).verify()
                ends.add("good")
            except UserError as error:
                text = str(error)
                assert not re.match(r"[A-Z]", text), text
                assert "\n" not in text or "cannot be converted\n" in text, text
                ends.add(type(error).__name__)
    assert ends == {"good", "ModelError", "UnsupportedError"}
