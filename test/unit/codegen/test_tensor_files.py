"""Tensor files as the demo program reads and writes them, well-formed and not."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from c_program import CHECKS, STRICT, execute, new_folder
from onnx import TensorProto, helper, numpy_helper

from autodeploy.codegen.bundle.build_files import DEMO_SOURCES
from autodeploy.toolchain.compiler import find_c_compiler, run

# reads DTYPE SHAPE FILE... and prints for each file "ok" and the elements, or the message; a string
# lies in 6 bytes
READER = r"""
#include "autodeploy_tensor_file.h"
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int64_t shape[8];
    autodeploy_tensor tensor = {"x", 0, 0, NULL, 0, NULL};
    char message[512];
    void *data;
    size_t count = 1, i;
    char *at = argv[2];
    int file;
    tensor.dtype = atoi(argv[1]);
    while (*at != '\0') {
        shape[tensor.rank] = strtol(at, &at, 10);
        count *= (size_t)shape[tensor.rank++];
        at += *at == 'x';
    }
    tensor.shape = shape;
    tensor.bytes = count * autodeploy_find_type(tensor.dtype)->bytes *
                   (tensor.dtype == AUTODEPLOY_STRING ? 6 : 1);
    data = malloc(tensor.bytes);
    for (file = 3; file < argc; ++file) {
        if (strncmp(argv[file], "write:", 6) == 0) {
            puts(autodeploy_write_tensor(argv[file] + 6, &tensor, data, message, sizeof message)
                     ? message : "ok");
            continue;
        }
        if (autodeploy_read_tensor(argv[file], &tensor, data, message, sizeof message) != 0) {
            puts(message);
            continue;
        }
        printf("ok");
        for (i = 0; i < count; ++i) {
            printf(" ");
            autodeploy_print_element(stdout, &tensor, data, i);
        }
        printf("\n");
    }
    free(data);
    return 0;
}
"""

ARRAY = np.arange(6, dtype=np.float32).reshape(2, 3)

TYPES = {
    TensorProto.FLOAT: np.float32, TensorProto.DOUBLE: np.float64, TensorProto.FLOAT16: np.float16,
    TensorProto.BFLOAT16: ml_dtypes.bfloat16, TensorProto.INT8: np.int8,
    TensorProto.INT16: np.int16, TensorProto.INT32: np.int32, TensorProto.INT64: np.int64,
    TensorProto.UINT8: np.uint8, TensorProto.UINT16: np.uint16, TensorProto.UINT32: np.uint32,
    TensorProto.UINT64: np.uint64, TensorProto.BOOL: np.bool_,
}  # fmt: skip


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = new_folder(tmp_path_factory.mktemp("reader"))
    source = folder.write("reader.c", READER)
    command = [*find_c_compiler(), "-std=c99", *STRICT, *CHECKS, source, *DEMO_SOURCES, "-lm"]
    run([*command, "-o", "reader"], folder.path)
    return folder.path / "reader"


def read(
    reader: Path, files: Sequence[Path | str], dtype: int = 1, shape: str = "2x3"
) -> list[str]:
    """Return what the program says of each file; a sanitizer's finding fails the test."""
    result = execute(reader, str(dtype), shape, *files)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def npy(array: np.ndarray, version: tuple[int, int] | None = None) -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=version)
    return file.getvalue()


def values(dtype: type) -> np.ndarray:
    """Return numbers at the ends of a type's range."""
    kind = np.dtype(dtype)
    if kind == np.bool_:
        return np.array([True, False, True])
    if kind.kind in "iu":
        return np.array([np.iinfo(kind).min, 7, np.iinfo(kind).max], dtype)
    return np.array([-1.5, float("inf"), 2.0**-14], dtype)


def printed(array: np.ndarray) -> str:
    numbers = array.tolist() if array.dtype.kind in "iub" else array.astype(np.float64).tolist()
    return " ".join(str(int(n)) if array.dtype.kind in "iub" else f"{n:.8g}" for n in numbers)


@pytest.mark.parametrize("dtype", TYPES)
def test_types(reader: Path, tmp_path: Path, dtype: int) -> None:
    array = values(TYPES[dtype])
    listed = helper.make_tensor("x", dtype, [3], array)
    files = [
        write(tmp_path, "x.bin", array.tobytes()),
        write(tmp_path, "x.npy", npy(array)),
        write(tmp_path, "raw.pb", numpy_helper.from_array(array).SerializeToString()),
        write(tmp_path, "listed.pb", listed.SerializeToString()),
    ]
    assert read(reader, files, dtype, "3") == [f"ok {printed(array)}"] * 4


def test_subnormal_halves(reader: Path, tmp_path: Path) -> None:
    array = np.array([2.0**-24, -(2.0**-15), np.nan], np.float16)
    assert read(reader, [write(tmp_path, "x.bin", array.tobytes())], 10, "3") == [
        "ok 5.9604645e-08 -3.0517578e-05 nan"
    ]


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_npy_versions(reader: Path, tmp_path: Path, version: tuple[int, int]) -> None:
    assert read(reader, [write(tmp_path, "x.npy", npy(ARRAY, version))]) == ["ok 0 1 2 3 4 5"]


def test_scalar(reader: Path, tmp_path: Path) -> None:
    scalar = np.float32(2.5)
    files = [
        write(tmp_path, "x.npy", npy(np.array(scalar))),
        write(tmp_path, "x.pb", numpy_helper.from_array(np.array(scalar)).SerializeToString()),
    ]
    assert read(reader, files, 1, "") == ["ok 2.5", "ok 2.5"]


def test_written_files_read_back(reader: Path, tmp_path: Path) -> None:
    source = write(tmp_path, "x.bin", ARRAY.tobytes())
    for name in ("y.npy", "y.bin"):
        assert read(reader, [source, f"write:{tmp_path / name}"])[1] == "ok"
    assert np.array_equal(np.load(tmp_path / "y.npy"), ARRAY)
    assert (tmp_path / "y.npy").stat().st_size % 64 == ARRAY.nbytes
    assert (tmp_path / "y.bin").read_bytes() == ARRAY.tobytes()


def test_files_that_cannot_be_written(reader: Path, tmp_path: Path) -> None:
    found = read(reader, ["write:x.txt", f"write:{tmp_path}/none/x.npy"])
    assert found == [
        "'x.txt' ends neither in .bin nor in .npy",
        f"'{tmp_path}/none/x.npy' cannot be opened for writing",
    ]


NPY_ERRORS = {
    "type": (npy(ARRAY.astype(np.float64)), "of type '<f8', but 'x' takes float32"),
    "shape": (npy(ARRAY.reshape(3, 2)), "has shape 3x2, but 'x' has shape 2x3"),
    "rank": (npy(ARRAY[None]), "has shape 1x2x3, but 'x' has shape 2x3"),
    "scalar": (npy(np.float32(1)), "has shape scalar, but 'x' has shape 2x3"),
    "byte order": (npy(ARRAY.astype(">f4")), "of type '>f4', of the other byte order"),
    "order": (npy(np.asfortranarray(ARRAY)), "is in Fortran order; save it in C order"),
    "version": (npy(ARRAY).replace(b"NUMPY\x01", b"NUMPY\x09"), "NumPy file of version 9"),
    "no npy": (b"hello world, this is text", "is not a NumPy file"),
    "empty": (b"", "is not a NumPy file"),
    "long": (npy(ARRAY) + b"\0", "holds 25 bytes of elements, but 'x' takes 24"),
    "key": (npy(ARRAY).replace(b"'descr'", b"'describ'"[:7]), "malformed header"),
    "extent": (npy(ARRAY).replace(b"(2, 3), }  ", b"(2, -3), } "), "no tuple of numbers"),
    "huge": (
        npy(ARRAY).replace(b"(2, 3), }" + b" " * 18, b"(2, " + b"9" * 19 + b"), }"),
        "an extent is too large",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NPY_ERRORS)
def test_npy_errors(reader: Path, tmp_path: Path, name: str) -> None:
    data, message = NPY_ERRORS[name]
    (found,) = read(reader, [write(tmp_path, "x.npy", data)])
    assert found.startswith(f"'{tmp_path}/x.npy' ") and message in found


def proto(**changes: object) -> bytes:
    fields: dict[str, object] = {"dims": [2, 3], "data_type": 1, "float_data": range(6)}
    return TensorProto(**{**fields, **changes}).SerializeToString()


PB_ERRORS = {
    "type": (proto(data_type=7, float_data=[], int64_data=range(6)), "holds int64, but 'x' takes"),
    "unknown type": (proto(data_type=99, float_data=[]), "holds unknown type, but 'x' takes"),
    "shape": (proto(dims=[3, 2]), "has shape 3x2, but 'x' has shape 2x3"),
    "few": (proto(float_data=range(5)), "holds 5 elements, but 'x' takes 6"),
    "many": (proto(float_data=range(7)), "more elements than its shape says"),
    "other field": (proto(float_data=[], int32_data=range(6)), "numbers of another type"),
    "twice": (proto(raw_data=ARRAY.tobytes()), "holds its elements twice"),
    "raw": (proto(float_data=[], raw_data=b"123"), "holds 3 bytes of elements, but 'x' takes 24"),
    "external": (proto(data_location=1), "keeps its elements in another file"),
    "no type": (proto(data_type=0), "holds unknown type"),
    "empty": (b"", "is not an ONNX TensorProto"),
    "text": (b"hello world", "is not an ONNX TensorProto"),
    "rank": (proto(dims=[1] * 40), "is not an ONNX TensorProto"),
    "negative": (proto(dims=[-2, -3]), "is not an ONNX TensorProto"),
    "model": (
        onnx.helper.make_model(onnx.helper.make_graph([], "g", [], [])).SerializeToString(),
        "",
    ),
}


@pytest.mark.parametrize("name", PB_ERRORS)
def test_pb_errors(reader: Path, tmp_path: Path, name: str) -> None:
    data, message = PB_ERRORS[name]
    (found,) = read(reader, [write(tmp_path, "x.pb", data)])
    assert found.startswith(f"'{tmp_path}/x.pb' ") and message in found


@pytest.mark.parametrize(
    ("dtype", "number"), [(3, 128), (3, -129), (2, 256), (2, -1), (5, 40000), (9, 2), (10, 65536)]
)
def test_pb_numbers_out_of_range(reader: Path, tmp_path: Path, dtype: int, number: int) -> None:
    data = TensorProto(dims=[1], data_type=dtype, int32_data=[number]).SerializeToString()
    (found,) = read(reader, [write(tmp_path, "x.pb", data)], dtype, "1")
    assert "out of the range of its type" in found


def test_pb_numbers_one_by_one(reader: Path, tmp_path: Path) -> None:
    """Repeated numbers may also come each with its own key."""
    single = b"\x08\x03" + b"\x10\x06" + b"\x28\x05\x28\x06\x28\x07"
    (found,) = read(reader, [write(tmp_path, "x.pb", single)], 6, "3")
    assert found == "ok 5 6 7"


def test_bool_is_zero_or_one(reader: Path, tmp_path: Path) -> None:
    (found,) = read(reader, [write(tmp_path, "x.bin", b"\0\1\2")], 9, "3")
    assert "holds the byte 2 where a bool is 0 or 1" in found


def test_other_errors(reader: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder.bin"
    folder.mkdir()
    files = [
        write(tmp_path, "short.bin", bytes(23)),
        write(tmp_path, "x.txt", b""),
        tmp_path / "none.bin",
        folder,
        write(tmp_path, "big.bin", bytes(3 << 20)),
    ]
    assert [line.removeprefix(f"'{tmp_path}/") for line in read(reader, files)] == [
        "short.bin' holds 23 bytes of elements, but 'x' takes 24",
        "x.txt' ends neither in .bin nor in .npy nor in .pb",
        "none.bin' cannot be opened",
        "folder.bin' cannot be read",
        "big.bin' is larger than any file that holds 'x'",
    ]


@pytest.mark.parametrize("kind", ["npy", "raw.pb", "listed.pb"])
def test_damaged_files_are_refused_or_read(reader: Path, tmp_path: Path, kind: str) -> None:
    """Cut after every byte, then with every byte of the header changed, under the sanitizers."""
    data = {
        "npy": npy(ARRAY),
        "raw.pb": numpy_helper.from_array(ARRAY, "name").SerializeToString(),
        "listed.pb": proto(doc_string="text"),
    }[kind]
    cut = [write(tmp_path, f"cut{n}.{kind}", data[:n]) for n in range(len(data))]
    found = read(reader, cut)
    # The text at the end of the last one is no part of the tensor.
    assert sum(line.startswith("ok") for line in found) == (kind == "listed.pb")
    random = np.random.default_rng(2)
    changed: list[Path] = []
    for at in range(min(len(data), 100)):
        for byte in {0, 0xFF, data[at] ^ 0x80, data[at] ^ 1, int(random.integers(256))}:
            name = f"changed{at}_{byte}.{kind}"
            changed.append(write(tmp_path, name, data[:at] + bytes([byte]) + data[at + 1 :]))
    assert len(read(reader, changed)) == len(changed)


WORDS = np.array(["a", "", 'd\u00e9 "', "x\ty"])
WORD_BYTES = np.array([word.encode() for word in WORDS.tolist()])


def test_strings(reader: Path, tmp_path: Path) -> None:
    cells = b"".join(word.ljust(6, b"\0") for word in WORD_BYTES.tolist())
    listed = numpy_helper.from_array(WORDS.astype(object)).SerializeToString()
    files = [
        write(tmp_path, "x.bin", cells),
        write(tmp_path, "x.npy", npy(WORD_BYTES)),
        write(tmp_path, "wide.npy", npy(WORD_BYTES.astype("S9"))),
        write(tmp_path, "x.pb", listed),
        f"write:{tmp_path / 'y.npy'}",
    ]
    text = 'ok "a" "" "d\u00e9 \\"" "x\\011y"'
    assert read(reader, files, TensorProto.STRING, "4") == [text] * 4 + ["ok"]
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), WORD_BYTES)


STRING_ERRORS = {
    "long.npy": (npy(np.array([b"a", b"123456"])), "holds a string of 6 bytes, but 'x' takes 5 at"),
    "unicode.npy": (npy(np.array(["a", "b"])), "of type '<U1', but 'x' takes strings ('|S')"),
    "numbers.npy": (npy(np.zeros(2, np.int32)), "of type '<i4', but 'x' takes strings ('|S')"),
    "zero.npy": (npy(np.array([b"a\0b", b"c"])), "holds a string with a zero byte"),
    "short.npy": (npy(np.array([b"ab", b"cd"]))[:-1], "does not hold as many strings"),
    "strange.npy": (npy(np.array([b"a", b"b"])).replace(b"'|S1'", b"'|Sx'"), "a strange type"),
    "vast.npy": (npy(np.array([b"a", b"b"])).replace(b"'|S1', ", b"'|S99999999999', "), "strange"),
    "long.pb": (
        numpy_helper.from_array(np.array(["a", "123456"], object)).SerializeToString(),
        "holds a string of 6 bytes, but 'x' takes 5 at most",
    ),
    "three.pb": (
        TensorProto(data_type=8, dims=[2], string_data=[b"a"] * 3).SerializeToString(),
        "holds more elements than its shape says",
    ),
    "one.pb": (
        TensorProto(data_type=8, dims=[2], string_data=[b"a"]).SerializeToString(),
        "holds 1 elements, but 'x' takes 2",
    ),
    "raw.pb": (
        TensorProto(data_type=8, dims=[2], raw_data=bytes(12)).SerializeToString(),
        "holds strings as raw data",
    ),
    "numbers.pb": (
        TensorProto(data_type=8, dims=[2], int32_data=[1, 2]).SerializeToString(),
        "holds numbers of another type than string",
    ),
}


@pytest.mark.parametrize("name", STRING_ERRORS)
def test_string_errors(reader: Path, tmp_path: Path, name: str) -> None:
    data, message = STRING_ERRORS[name]
    (found,) = read(reader, [write(tmp_path, name, data)], TensorProto.STRING, "2")
    assert message in found


def test_strings_where_numbers_are_wanted(reader: Path, tmp_path: Path) -> None:
    words = TensorProto(data_type=1, dims=[2], string_data=[b"a", b"b"])
    (found,) = read(reader, [write(tmp_path, "x.pb", words.SerializeToString())], 1, "2")
    assert "holds strings, but 'x' takes float32" in found
