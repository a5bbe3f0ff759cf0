"""Reading model files and external data: what is not well formed is a ModelError."""

import os
import random
import re
from pathlib import Path

import numpy as np
import pytest
from imported_models import import_model_proto
from onnx import ModelProto, TensorProto, helper

from autodeploy.diagnostics import ModelError
from autodeploy.frontend.onnx.file import open_model, parse_model
from autodeploy.frontend.onnx.importer import import_model
from autodeploy.weights import WeightStore, constant_array

from .onnx_models import context, floats, main_of, model, ops_of, relu, reparsed, weight, written

LARGE = np.arange(4096, dtype=np.float32).reshape(64, 64)


def with_weight(tensor: TensorProto) -> ModelProto:
    node = helper.make_node("MatMul", ["x", "w"], ["y"])
    return model([node], [floats("x", [1, 64])], [floats("y", [1, 64])], [tensor])


def external(location: str, offset: str | None = None, length: str | None = None) -> ModelProto:
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=LARGE.shape)
    tensor.data_location = TensorProto.EXTERNAL
    entries = {"location": location, "offset": offset, "length": length}
    for key, value in entries.items():
        if value is not None:
            tensor.external_data.add(key=key, value=value)
    return with_weight(tensor)


def test_no_such_file(tmp_path: Path):
    with pytest.raises(ModelError, match=r"model '.*none\.onnx' does not exist"):
        import_model(context(), tmp_path / "none.onnx")


def test_folder(tmp_path: Path):
    with pytest.raises(ModelError, match="is a folder, expected a file"):
        import_model(context(), tmp_path)


def test_pipe(tmp_path: Path):
    """Opening one would wait for somebody to write."""
    os.mkfifo(tmp_path / "model.onnx")
    with pytest.raises(ModelError, match=r"model '.*model\.onnx' is not a regular file"):
        import_model(context(), tmp_path / "model.onnx")


def test_pipe_for_external_data(tmp_path: Path):
    os.mkfifo(tmp_path / "data.bin")
    path = written(tmp_path, external("data.bin"))
    with pytest.raises(ModelError, match=r"tensor 'w' in 'data\.bin' is not a regular file"):
        import_model(context(), path)


def test_unreadable_name(tmp_path: Path):
    with pytest.raises(ModelError, match="cannot be read: "):
        import_model(context(), tmp_path / ("n" * 300))


@pytest.mark.parametrize("data", [b"\x93NUMPY\x01\x00v\x00{'descr': '<f4'}", b"hello, world"])
def test_other_file(tmp_path: Path, data: bytes):
    path = tmp_path / "model.onnx"
    path.write_bytes(data)
    with pytest.raises(ModelError, match=re.escape(f"'{path}' is not an ONNX model")):
        import_model(context(), path)


def test_empty_file(tmp_path: Path):
    path = tmp_path / "model.onnx"
    path.touch()
    with pytest.raises(ModelError, match="is empty"):
        import_model(context(), str(path))


def test_empty_bytes():
    with pytest.raises(ModelError, match="the model is not an ONNX model"):
        import_model(context(), b"")


def test_empty_graph():
    with pytest.raises(ModelError, match="its graph is empty: it has no outputs"):
        import_model_proto(context(), model([], [], []))


def test_name_that_is_not_utf8():
    data = relu().SerializeToString().replace(b"test", b"te\xff\xfe")
    with pytest.raises(ModelError, match="holds a name that is not UTF-8"):
        import_model(context(), data)


@pytest.mark.parametrize("kept", [1, 10, 4000, -200, -1])
def test_truncated(kept: int):
    data = with_weight(weight("w", LARGE)).SerializeToString()
    with pytest.raises(ModelError):
        import_model(context(), data[:kept])


def field(number: int, body: bytes) -> bytes:
    """A field of protobuf's wire format that holds a message or bytes."""
    size, length = len(body), bytearray()
    while size > 0x7F:
        length.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes([number << 3 | 2]) + bytes([*length, size]) + body


def test_messages_nested_too_deep():
    graph = field(10, bytes(5000))
    for _ in range(600):  # a graph in an attribute of a node of a graph
        graph = field(1, field(5, field(6, graph)))
    with pytest.raises(ModelError, match="the model is not an ONNX model"):
        import_model(context(), field(7, graph))


def test_flipped_bits_never_show_anything_but_model_errors():
    chance = random.Random(0)
    sound = with_weight(weight("w", LARGE[:8])).SerializeToString()
    ctx, errors = context(), set[str]()
    for _ in range(300):
        data = bytearray(sound)
        for _ in range(chance.randint(1, 3)):
            data[chance.randrange(120) - chance.choice((0, 120))] ^= 1 << chance.randrange(8)
        try:
            import_model(ctx, bytes(data)).verify()
        except ModelError as error:
            errors.add(str(error))
    assert len(errors) > 20
    assert not [error for error in errors if "\n" in error or error.endswith(".")]


def test_large_raw_data_is_a_view_of_the_file(tmp_path: Path):
    path = written(tmp_path, with_weight(weight("w", LARGE)))
    file = open_model(path)
    assert [len(span) for span in file.spans] == [LARGE.nbytes]
    assert file.proto.ByteSize() < 400
    ctx = context()
    constant = ops_of(reparsed(ctx, import_model(ctx, path)))[0]
    found = constant_array(ctx, constant.results[0])
    assert found is not None
    assert not found.flags.owndata
    assert not found.flags.writeable
    np.testing.assert_array_equal(found, LARGE)


def test_skeleton_keeps_all_but_the_raw_data():
    proto = with_weight(weight("w", LARGE))
    proto.graph.node[0].doc_string = "long" * 2000
    file = parse_model(proto.SerializeToString(), None, "the model")
    raw = file.raw(file.proto.graph.initializer[0], LARGE.nbytes)
    assert raw == LARGE.tobytes()
    file.proto.graph.initializer[0].raw_data = bytes(raw)
    file.proto.graph.initializer[0].ClearField("external_data")
    assert file.proto == proto


def test_a_model_cannot_name_a_span_itself():
    small = weight("small", np.zeros(2, np.float32))
    small.external_data.add(key="", value="0")
    proto = with_weight(weight("w", LARGE))
    proto.graph.initializer.append(small)
    file = parse_model(proto.SerializeToString(), None, "the model")
    assert file.raw(file.proto.graph.initializer[1], 8) == bytes(8)


def test_external_data(tmp_path: Path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "w.bin").write_bytes(b"skip" + LARGE.tobytes() + b"more")
    path = written(tmp_path, external("data/w.bin", "4", str(LARGE.nbytes)))
    ctx = context()
    module = import_model(ctx, path)
    found = constant_array(ctx, ops_of(module)[0].results[0])
    np.testing.assert_array_equal(found, LARGE)


def test_external_data_of_a_model_in_memory(tmp_path: Path):
    (tmp_path / "w.bin").write_bytes(LARGE.tobytes())
    ctx = context()
    module = import_model(ctx, written(tmp_path, external("w.bin")))
    np.testing.assert_array_equal(constant_array(ctx, ops_of(module)[0].results[0]), LARGE)
    with pytest.raises(ModelError, match="but the model comes from none; give its path"):
        import_model_proto(context(), external("w.bin"))


def test_small_external_data_serves_shape_inference(tmp_path: Path):
    (tmp_path / "shape.bin").write_bytes(np.array([2, 2], np.int64).tobytes())
    shape = TensorProto(name="shape", data_type=TensorProto.INT64, dims=[2])
    shape.data_location = TensorProto.EXTERNAL
    shape.external_data.add(key="location", value="shape.bin")
    node = helper.make_node("Reshape", ["x", "shape"], ["y"])
    proto = model([node], [floats("x", [4])], [floats("y", None)], [shape])
    module = import_model(context(), written(tmp_path, proto))
    assert str(main_of(module).function_type.outputs.data[0]) == "tensor<2x2xf32>"


@pytest.mark.parametrize(
    "location",
    ["/etc/hostname", "../w.bin", "a/../../w.bin", "", "C:\\w.bin", "..\\w.bin", "C:w.bin"],
)
def test_external_data_outside_of_the_folder(tmp_path: Path, location: str):
    (tmp_path / "w.bin").write_bytes(LARGE.tobytes())
    (tmp_path / "model").mkdir()
    path = written(tmp_path / "model", external(location))
    with pytest.raises(ModelError, match="expected a path below the model's folder"):
        import_model(context(), path)


@pytest.mark.parametrize("whole_folder", [False, True])
def test_external_data_through_a_link(tmp_path: Path, whole_folder: bool):
    for name in ("outside", "model"):
        (tmp_path / name).mkdir()
    (tmp_path / "outside" / "w.bin").write_bytes(LARGE.tobytes())
    link = tmp_path / "model" / ("sub" if whole_folder else "w.bin")
    link.symlink_to(tmp_path / "outside" / ("" if whole_folder else "w.bin"))
    location = "sub/w.bin" if whole_folder else "w.bin"
    with pytest.raises(ModelError, match="is a link that leaves the model's folder"):
        import_model(context(), written(tmp_path / "model", external(location)))


def test_external_data_through_a_link_within_the_folder(tmp_path: Path):
    (tmp_path / "blob").write_bytes(LARGE.tobytes())
    (tmp_path / "w.bin").symlink_to(tmp_path / "blob")
    ctx = context()
    import_model(ctx, written(tmp_path, external("w.bin")))
    assert len(WeightStore.of(ctx)) == 1


def test_external_data_that_is_missing(tmp_path: Path):
    with pytest.raises(ModelError, match=r"tensor 'w' in 'w\.bin' does not exist"):
        import_model(context(), written(tmp_path, external("w.bin")))


def test_external_data_in_a_folder(tmp_path: Path):
    (tmp_path / "w.bin").mkdir()
    with pytest.raises(ModelError, match="is a folder"):
        import_model(context(), written(tmp_path, external("w.bin")))


def test_external_data_in_a_loop_of_links(tmp_path: Path):
    (tmp_path / "w.bin").symlink_to(tmp_path / "w.bin")
    with pytest.raises(ModelError, match="external data of tensor 'w'"):
        import_model(context(), written(tmp_path, external("w.bin")))


@pytest.mark.parametrize(
    ("offset", "length", "message"),
    [
        ("4", None, "is at bytes 4 to 16388 of 'w.bin', which has 16384"),
        ("0", "16380", "has length 16380, its type takes 16384 bytes"),
        ("-1", None, "has offset '-1', expected a number that is not negative"),
        ("0", "many", "has length 'many', expected a number that is not negative"),
        ("99999999999999999999", None, "has offset '99999999999999999999', expected a number"),
    ],
)
def test_external_data_that_does_not_fit(
    tmp_path: Path, offset: str, length: str | None, message: str
):
    (tmp_path / "w.bin").write_bytes(LARGE.tobytes())
    with pytest.raises(ModelError, match=re.escape(message)):
        import_model(context(), written(tmp_path, external("w.bin", offset, length)))
