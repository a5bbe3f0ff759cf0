"""Tensors from files: every format, and files that do not fit."""

import io
import re
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, numpy_helper
from PIL import Image

from autodeploy.codegen.bundle.tensor_entry import TensorEntry
from autodeploy.diagnostics import UserError
from autodeploy.tools.pictures import Preparation, read_picture
from autodeploy.tools.tensor_files import read_inputs, read_tensor, write_outputs

X = TensorEntry("x", "float32", (2, 3))
VALUES = np.arange(6, dtype=np.float32).reshape(2, 3)


def proto(array):
    return numpy_helper.from_array(array).SerializeToString()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def npz(save=np.savez, **arrays):
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.bin", VALUES.tobytes()),
        ("x.raw", VALUES.tobytes()),
        ("x.npy", npy(VALUES)),
        ("X.NPY", npy(VALUES)),
        ("big_endian.npy", npy(VALUES.astype(">f4"))),
        ("columns_first.npy", npy(np.asfortranarray(VALUES))),
        ("x.pb", proto(VALUES)),
        ("one.npz", npz(y=VALUES)),
        ("named.npz", npz(a=VALUES[0], x=VALUES)),
        ("small.NPZ", npz(np.savez_compressed, x=VALUES)),
    ],
)
def test_formats(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    array = read_tensor(tmp_path / name, X)
    assert array.dtype == np.dtype(np.float32)
    np.testing.assert_array_equal(array, VALUES)


@pytest.mark.parametrize(
    ("name", "write"), [("x.npy", npy), ("x.pb", proto), ("x.bin", lambda array: array.tobytes())]
)
@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float64", "int8", "uint64", "bool"])
def test_element_types(tmp_path, name, write, dtype):
    array = np.array([0, 1, 1], ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    (tmp_path / name).write_bytes(write(array))
    found = read_tensor(tmp_path / name, TensorEntry("x", dtype, (3,)))
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)


def test_a_scalar_has_no_extents(tmp_path):
    (tmp_path / "x.npy").write_bytes(npy(np.float32(2.5)))
    assert read_tensor(tmp_path / "x.npy", TensorEntry("x", "float32", ())) == 2.5


def broken_proto(**changes):
    tensor = numpy_helper.from_array(VALUES)
    for field, content in changes.items():
        setattr(tensor, field, content)
    return tensor.SerializeToString()


def external_proto():
    tensor = TensorProto(data_type=TensorProto.FLOAT, dims=[2, 3])
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="x.bin")
    return tensor.SerializeToString()


def headed(header):
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(64)


def huge_npy():
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999,), }"
    return b"\x93NUMPY\x01\x00\x76\x00" + header.ljust(117) + b"\n"


def packed(method):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("x.npy", npy(VALUES))
    return file.getvalue()


MISFITS = {
    "missing.npy": (None, "cannot read '{}': No such file or directory"),
    "short.bin": (b"123", r"'{}' has 3 bytes, input 'x' of float32 2x3 takes 24"),
    "long.bin": (bytes(25), r"'{}' has 25 bytes, input 'x' of float32 2x3 takes 24"),
    "type.npy": (npy(VALUES.astype(float)), "'{}' holds float64 2x3, input 'x' takes float32 2x3"),
    "shape.npy": (npy(VALUES.T), "'{}' holds float32 3x2, input 'x' takes float32 2x3"),
    "shape.pb": (proto(VALUES[0]), "'{}' holds float32 3, input 'x' takes float32 2x3"),
    "two_bytes.npy": (
        npy(np.zeros((2, 3), "V2")),
        r"'{}' holds \|V2 2x3, input 'x' takes float32 2x3",
    ),
    "none.npz": (npz(), r"'{}' holds nothing, expected an array 'x'"),
    "others.npz": (npz(a=VALUES, b=VALUES), r"'{}' holds 'a', 'b', expected an array 'x'"),
    "many.npz": (
        npz(**{f"a{i}": VALUES for i in range(9)}),
        "'{}' holds 'a0', 'a1', 'a2', 'a3', 'a4' and 4 more, expected an array 'x'",
    ),
    "name.npz": (
        npz(é=VALUES).replace("é".encode(), b"\xff\xfe"),
        r"'{}' is not a valid \.npz file: 'utf-8' codec .*",
    ),
    "lzma.npz": (packed(zipfile.ZIP_LZMA), r"'{}' is not a valid \.npz file: it is compressed .*"),
    "shape.npz": (npz(x=VALUES.T), "'{}' holds float32 3x2, input 'x' takes float32 2x3"),
    "large.npz": (
        npz(np.savez_compressed, x=np.zeros(1 << 27, np.uint8)),
        "'{}' has 134217856 bytes, input 'x' of float32 2x3 takes 24",
    ),
    "no.npz": (npy(VALUES), r"'{}' is not a valid \.npz file: .*"),
    "cut.npz": (npz(x=VALUES)[:-30], r"'{}' is not a valid \.npz file: .*"),
    "twisted.npz": (
        npz(x=VALUES).replace(VALUES.tobytes(), bytes(24)),
        r"'{}' is not a valid \.npz file: Bad CRC-32 .*",
    ),
    "words.npz": (npz(x=np.array([{}])), r"'{}' is not a valid \.npy file: Object arrays .*"),
    "x.gif": (VALUES.tobytes(), r"'{}' cannot be an input: \.gif files are not read; inputs .*"),
    "x.CSV": (VALUES.tobytes(), r"'{}' cannot be an input: \.csv files are not read; inputs .*"),
    "zip.npy": (
        npz(x=VALUES),
        r"'{}' is not a valid \.npy file: the magic string is not correct.*",
    ),
    "empty.npy": (b"", r"'{}' is not a valid \.npy file: EOF.*"),
    "cut.npy": (npy(VALUES)[:-4], r"'{}' is not a valid \.npy file: .*"),
    "objects.npy": (npy(np.array([{}])), r"'{}' is not a valid \.npy file: Object arrays .*"),
    "open_header.npy": (
        headed(b"{'descr': (\n"),
        r"'{}' is not a valid \.npy file: (unexpected )?EOF in multi-line statement",
    ),
    "odd_header.npy": (headed(b"{'descr': 0x}"), r"'{}' is not a valid \.npy file: .*"),
    "deep_header.npy": (headed(b"(" * 5000), r"'{}' is not a valid \.npy file: .*"),
    "odd_type.npy": (
        headed(b"{'descr': [('a', '<f4', (1, 'x'))], 'fortran_order': False, 'shape': (2, 3)}"),
        r"'{}' is not a valid \.npy file: .*",
    ),
    "huge.npy": (huge_npy(), r"'{}' is not a valid \.npy file: .*"),
    "no.pb": (b"\xff\xff\xff", r"'{}' is not a valid \.pb file: .*"),
    "empty.pb": (b"", r"'{}' is not a valid \.pb file: .*UNDEFINED"),
    "short.pb": (broken_proto(raw_data=b"12"), r"'{}' is not a valid \.pb file: .*"),
    "type.pb": (broken_proto(data_type=99), "'{}' has elements of the unknown type 99"),
    "elsewhere.pb": (
        external_proto(),
        r"'{}' is not a valid \.pb file: its data is in another file",
    ),
    "no.png": (b"no", "input 'x' of float32 2x3 takes no picture; pictures are .*"),
}


@pytest.mark.parametrize(("name", "entry"), MISFITS.items(), ids=MISFITS)
def test_a_file_that_does_not_fit_is_an_error(tmp_path, name, entry):
    content, message = entry
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError) as error:
        read_tensor(path, X)
    assert re.fullmatch(message.format(re.escape(str(path))), str(error.value)), error.value


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(UserError, match=r"cannot read .*: Is a directory"):
        read_tensor(tmp_path, X)


FLOAT = np.dtype(np.float32)


class TestPictures:
    @pytest.fixture
    def picture(self, tmp_path):
        path = tmp_path / "p.PNG"
        pixels = np.array([[[255, 0, 0], [0, 51, 0]]], np.uint8)
        Image.fromarray(pixels).save(path)
        return path

    def test_floats_are_0_to_1_channels_first(self, picture):
        array = read_tensor(picture, TensorEntry("x", "float32", (1, 3, 1, 2)))
        assert array.dtype == np.float32
        np.testing.assert_allclose(array, [[[[1, 0]], [[0, 0.2]], [[0, 0]]]])

    def test_bytes_are_as_they_are(self, picture):
        array = read_tensor(picture, TensorEntry("x", "uint8", (1, 3, 1, 2)))
        np.testing.assert_array_equal(array, [[[[255, 0]], [[0, 51]], [[0, 0]]]])

    def test_channels_may_be_last(self, picture):
        array = read_tensor(picture, TensorEntry("x", "uint8", (1, 1, 2, 3)))
        assert array.shape == (1, 1, 2, 3)  # one channel first, as both may be
        array = read_tensor(picture, TensorEntry("x", "uint8", (1, 2, 2, 3)))
        np.testing.assert_array_equal(array, [[[[255, 0, 0], [0, 51, 0]]] * 2])
        array = read_tensor(picture, TensorEntry("x", "float32", (1, 4, 5, 1)))
        assert array.shape == (1, 4, 5, 1)

    def test_one_channel_is_gray_and_sizes_are_adapted(self, picture):
        array = read_tensor(picture, TensorEntry("x", "float16", (1, 1, 4, 4)))
        assert array.shape == (1, 1, 4, 4)
        assert array.dtype == np.float16

    @pytest.mark.parametrize("suffix", ["webp", "bmp", "jpg"])
    def test_other_formats(self, tmp_path, suffix):
        Image.new("RGB", (2, 2), (255, 255, 255)).save(tmp_path / f"p.{suffix}")
        array = read_tensor(tmp_path / f"p.{suffix}", TensorEntry("x", "uint8", (1, 3, 2, 2)))
        np.testing.assert_array_equal(array, np.full((1, 3, 2, 2), 255))

    @pytest.mark.parametrize("channels", [1, 3])
    def test_16_bits_are_scaled_and_not_clipped(self, tmp_path, channels):
        pixels = np.array([[0, 257, 1000, 32768, 65535]], np.uint16)
        Image.fromarray(pixels).save(tmp_path / "p.png")
        shape = (1, channels, 1, 5)
        array = read_tensor(tmp_path / "p.png", TensorEntry("x", "float32", shape))
        np.testing.assert_allclose(array, np.broadcast_to(pixels / 65535, shape), rtol=1e-6)
        array = read_tensor(tmp_path / "p.png", TensorEntry("x", "uint8", shape))
        np.testing.assert_array_equal(array, np.broadcast_to([0, 1, 4, 128, 255], shape))

    def test_16_bits_of_another_size_stay_within_0_and_1(self, tmp_path):
        pixels = np.array([[0, 65535] * 4] * 8, np.uint16)
        Image.fromarray(pixels).save(tmp_path / "p.png")
        array = read_tensor(tmp_path / "p.png", TensorEntry("x", "float32", (1, 1, 29, 31)))
        assert array.min() == 0 and array.max() == 1 and 0.3 < array.mean() < 0.7

    def test_decoding_does_not_depend_on_a_name(self, tmp_path):
        Image.new("L", (2, 2)).save(tmp_path / "p.gif")
        (tmp_path / "p.gif").rename(tmp_path / "p.png")
        with pytest.raises(UserError, match="is not a picture that can be read"):
            read_tensor(tmp_path / "p.png", TensorEntry("x", "uint8", (1, 1, 2, 2)))

    def test_mean_and_std_are_of_values_from_0_to_1(self, picture):
        given = read_picture(picture, (1, 3, 1, 2), FLOAT, Preparation((0.5, 0.25, 0), (0.5,)))
        expected = [[[1, -1]], [[-0.5, -0.1]], [[0, 0]]]
        np.testing.assert_allclose(given[0], expected, atol=1e-6)

    @pytest.mark.parametrize("dtype", [FLOAT, np.dtype(np.uint8)])
    def test_bgr_reverses_channels_wherever_they_are(self, picture, dtype):
        for shape, axis in (((1, 3, 1, 2), 1), ((1, 2, 2, 3), 3)):
            straight = read_picture(picture, shape, dtype)
            reverse = read_picture(picture, shape, dtype, Preparation(bgr=True))
            np.testing.assert_array_equal(reverse, np.flip(straight, axis))

    def test_the_channel_axis_follows_from_an_option_or_the_shape(self, picture):
        first, last = (
            read_picture(picture, (1, 3, 5, 3), FLOAT, Preparation(nhwc=nhwc))
            for nhwc in (False, True)
        )
        np.testing.assert_array_equal(read_picture(picture, (1, 3, 5, 3), FLOAT), first)
        expected = read_picture(picture, (1, 3, 3, 5), FLOAT)
        np.testing.assert_array_equal(last[0], expected[0].transpose(1, 2, 0))
        with pytest.raises(UserError, match="pictures are 1 x height x width x 1 or 3 channels"):
            entry = TensorEntry("x", "float32", (1, 3, 5, 5))
            read_tensor(picture, entry, Preparation(nhwc=True))

    @pytest.mark.parametrize(
        ("shape", "dtype", "prepare", "message"),
        [
            ((1, 3, 1, 2), FLOAT, Preparation((1, 2)), "mean has 2 numbers, expected 1 or 3"),
            ((1, 1, 1, 2), FLOAT, Preparation((), (1, 2, 3)), "std has 3 numbers, expected 1 or 1"),
            ((1, 1, 1, 2), FLOAT, Preparation(bgr=True), "a picture of one channel has no blue"),
            ((1, 3, 1, 2), np.dtype(np.uint8), Preparation((1,)), "a picture of unsigned bytes"),
        ],
    )
    def test_wrong_preparations_of_pictures(self, picture, shape, dtype, prepare, message):
        with pytest.raises(UserError, match=message):
            read_picture(picture, shape, dtype, prepare)

    @pytest.mark.parametrize("shape", [(3, 1, 2), (2, 3, 1, 2), (1, 4, 1, 2)])
    def test_other_shapes_take_no_picture(self, picture, shape):
        with pytest.raises(UserError, match="takes no picture; pictures are 1 x 1 or 3 channels"):
            read_tensor(picture, TensorEntry("x", "float32", shape))

    def test_other_integers_take_no_picture(self, picture):
        with pytest.raises(UserError, match="takes no picture; pictures are floating-point"):
            read_tensor(picture, TensorEntry("x", "int64", (1, 3, 1, 2)))

    @pytest.mark.parametrize("kept", [0, 20, 45])
    def test_a_broken_picture_is_an_error(self, picture, kept):
        picture.write_bytes(picture.read_bytes()[:kept])
        with pytest.raises(UserError, match=r"picture that can be read|cannot read"):
            read_tensor(picture, TensorEntry("x", "float32", (1, 3, 1, 2)))


class TestArguments:
    @pytest.fixture
    def file(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "v.npy").write_bytes(npy(VALUES))
        (tmp_path / "a=v.npy").write_bytes(npy(VALUES + 1))

    def test_one_input_needs_no_name(self, file):
        for text, first in (("v.npy", 0), ("x=v.npy", 0), ("a=v.npy", 1), ("x=a=v.npy", 1)):
            assert read_inputs([X], [text])["x"][0, 0] == first

    def test_names_may_hold_anything(self, file):
        names = ["a", "a=v", "image:0"]
        entries = [TensorEntry(name, "float32", (2, 3)) for name in names]
        arrays = read_inputs(entries, ["a=v=v.npy", "image:0=v.npy", "a=a=v.npy"])
        assert {name: array[0, 0] for name, array in arrays.items()} == {
            "a": 1.0, "a=v": 0.0, "image:0": 0.0,
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("texts", "message"),
        [
            ([], "no file for input 'x', 'y'; give --input NAME=FILE"),
            (["x=v.npy"], "no file for input 'y'; give --input NAME=FILE"),
            (
                ["v.npy"],
                "'v.npy' names no input; give NAME=FILE, the inputs of the network are 'x', 'y'",
            ),
            (["x=v.npy", "x=v.npy"], "input 'x' is given twice"),
            (["x2=v.npy"], "the network has no input 'x2', its inputs are 'x', 'y'.*"),
        ],
    )
    def test_mistakes(self, file, texts, message):
        with pytest.raises(UserError) as error:
            read_inputs([X, TensorEntry("y", "float32", (2, 3))], texts)
        assert re.fullmatch(message, str(error.value))

    def test_a_network_without_inputs_takes_none(self):
        assert read_inputs([], []) == {}
        with pytest.raises(UserError, match="the inputs of the network are none"):
            read_inputs([], ["v.npy"])


def test_outputs_are_numbered_and_their_names_safe(tmp_path):
    write_outputs(tmp_path / "new/out", {"a/b:0": VALUES, "a_b_0": VALUES + 1})
    names = sorted(path.name for path in (tmp_path / "new/out").iterdir())
    assert names == ["0-a_b_0.npy", "1-a_b_0.npy"]
    np.testing.assert_array_equal(np.load(tmp_path / "new/out/1-a_b_0.npy"), VALUES + 1)


def test_outputs_that_cannot_be_written_are_an_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"cannot write outputs to '.*file': File exists"):
        write_outputs(tmp_path / "file", {"y": VALUES})


def test_a_device_that_holds_too_little():
    with pytest.raises(
        UserError, match=r"^'/dev/null' has 0 bytes, input 'x' of float32 2x3 takes"
    ):
        read_tensor(Path("/dev/null"), X)


WORDS = TensorEntry("w", "string8", (2,))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("w.bin", "é".encode().ljust(8, b"\0") + b"ab".ljust(8, b"\0")),
        ("w.npy", npy(np.array(["é", "ab"]))),
        ("bytes.npy", npy(np.array(["é".encode(), b"ab"]))),
        ("w.npz", npz(w=np.array(["é", "ab"]))),
        ("w.pb", proto(np.array(["é", "ab"], object))),
    ],
)
def test_strings(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    array = read_tensor(tmp_path / name, WORDS)
    texts = [text.decode() if isinstance(text, bytes) else text for text in array.tolist()]
    assert texts == ["é", "ab"]


def test_strings_do_not_fit_numbers(tmp_path):
    (tmp_path / "w.npy").write_bytes(npy(np.array([1, 2])))
    with pytest.raises(UserError, match="holds int64 2, input 'w' takes string8 2"):
        read_tensor(tmp_path / "w.npy", WORDS)


def test_strings_are_written_as_bytes(tmp_path):
    write_outputs(tmp_path, {"w": np.array([["é"], [""]], object)})
    found = np.load(tmp_path / "0-w.npy")
    assert found.tolist() == [["é".encode()], [b""]]
