"""Strings: moved, compared, joined, cut, looked up, against Python's own; what is refused."""

from __future__ import annotations

import math
import re
from decimal import Decimal, localcontext

import numpy as np
import onnx.parser
import pytest
from onnx import TensorProto, helper
from sanitized_program import check_sanitized

import autodeploy
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.diagnostics import UserError

WORDS = ["b", "", "äöü ß", "a", "b", "z" * 30, "Ünï", "a b  c "]


def _model(graph):
    header = '<ir_version: 9, opset_import: ["" : 20, "ai.onnx.ml" : 4]>'
    return onnx.parser.parse_model(f"{header} g {graph}").SerializeToString()


def _texts(values):
    return np.array(values, object)


def _run(graph, level=2, string_bytes=64, **inputs):
    with autodeploy.compile(_model(graph), level=level, string_bytes=string_bytes) as session:
        return [array.tolist() for array in session.run(inputs).values()]


@pytest.mark.parametrize("level", [0, 2])
def test_movements(level):
    x, i = _texts(WORDS).reshape(2, 4), np.array([3, 0])
    found = _run(
        """(string[2,4] x, int64[2] i, bool[2,4] c)
        => (string[4,2] t, string[2,2] g, string[2,5] k, string[2,4] w, string[2,1] s, string[N] d)
        { p = Constant<value_strings = ["new", "long constant"]>()
          q = Constant<value = int64[2] {2, 1}>()
          t = Transpose<perm = [1, 0]>(x)
          g = Gather<axis = 1>(x, i)
          r = Reshape(p, q)
          k = Concat<axis = 1>(x, r)
          e = Constant<value_string = "other">()
          w = Where(c, x, e)
          s = Reshape(p, q)
          f = Cast<to = 9>(i)
          d = Compress<axis = 0>(p, f) }""",
        level,
        x=x,
        i=i,
        c=np.arange(8).reshape(2, 4) % 3 == 0,
    )
    new = _texts(["new", "long constant"])
    assert found == [
        x.T.tolist(),
        x[:, i].tolist(),
        np.concatenate([x, new[:, None]], 1).tolist(),
        np.where(np.arange(8).reshape(2, 4) % 3 == 0, x, "other").tolist(),
        new[:, None].tolist(),
        ["new"],
    ]


@pytest.mark.parametrize("level", [0, 2])
def test_comparisons(level):
    x = _texts(WORDS)
    found = _run(
        """(string[8] x, string[1] y) => (bool[8] e, string[N] u, int64[N] f, int64[8] i,
        int64[N] n, string[M] v)
        { e = Equal(x, y)  u, f, i, n = Unique(x)  v = Unique<sorted = 0>(x) }""",
        level,
        x=x,
        y=_texts(["b"]),
    )
    unique, first, inverse, counts = np.unique(
        np.array(WORDS), return_index=True, return_inverse=True, return_counts=True
    )
    assert found[0] == (x == "b").tolist()
    assert found[1:5] == [a.tolist() for a in (unique, first, inverse, counts)]
    assert found[5] == list(dict.fromkeys(WORDS))


def test_concatenation():
    x, y = _texts(WORDS[:3]).reshape(3, 1), _texts([".com", "", "ß"])
    graph = "(string[3,1] x, string[3] y) => (string[3,3] z) { z = StringConcat(x, y) }"
    assert _run(graph, x=x, y=y, string_bytes=13) == [(x + y).tolist()]


SPLITS = [
    "a.b", "", ".", "..a..", "a b", "  a\u3000b\u00a0 c  ", "\t\x1c\n", "ab.ab.ab", "a\x85b", "..",
]  # fmt: skip


@pytest.mark.parametrize("attributes", ["", 'delimiter = ""', 'delimiter = "."',
                                        'delimiter = "a"', 'delimiter = "ab."'])  # fmt: skip
@pytest.mark.parametrize("most", [None, 0, 1, 2, 99])
def test_splits(attributes, most):
    given = re.search('"(.*)"', attributes)
    separator = (given[1] if given else "") or None
    parts = [text.split(separator, -1 if most is None else most) for text in SPLITS]
    widest = max(map(len, parts))
    written = ", ".join(filter(None, [attributes, "" if most is None else f"maxsplit = {most}"]))
    graph = f"""(string[10] x) => (string[10, N] y, int64[10] n)
        {{ y, n = StringSplit<{written}>(x) }}""".replace("<>", "")
    found = _run(graph, x=_texts(SPLITS), string_bytes=20)
    assert found == [
        [[*part, *[""] * (widest - len(part))] for part in parts],
        [len(part) for part in parts],
    ]


def _normalised(words, stop, action, sensitive):
    def same(word):
        return word if sensitive else "".join(map(str.lower, word))

    kept = [word for word in words if same(word) not in set(map(same, stop))] or [""]
    change = {"NONE": str, "UPPER": str.upper, "LOWER": str.lower}[action]
    return ["".join(map(change, word)) for word in kept]


@pytest.mark.parametrize("action", ["NONE", "LOWER", "UPPER"])
@pytest.mark.parametrize("sensitive", [0, 1])
@pytest.mark.parametrize("stop", [[], ["b", "ÜNÏ"], ["", "zz"]])
def test_normalisation(action, sensitive, stop):
    words = [*WORDS, "ŉΐ", "İ", "ⱥȺ", "Straße"]
    listed = ", ".join(f'"{word}"' for word in stop)
    graph = f"""(string[12] x) => (string[N] y) {{ y = StringNormalizer<is_case_sensitive =
        {sensitive}, case_change_action = "{action}", stopwords = [{listed}]>(x) }}"""
    graph = graph.replace(", stopwords = []", "")
    assert _run(graph, x=_texts(words)) == [_normalised(words, stop, action, sensitive)]


def test_normalisation_that_leaves_nothing():
    graph = """(string[1,2] x) => (string[1,N] y)
        { y = StringNormalizer<stopwords = ["A"], case_change_action = "UPPER">(x) }"""
    assert _run(graph, x=_texts([["a", "A"]])) == [[[""]]]


def test_patterns_match_characters():
    graph = """(string[4] x) => (bool[4] y) { y = RegexFullMatch<pattern = "[a-ü ]+ß?">(x) }"""
    broken = _texts([b"a\xff", b"\xc3", "ä ß", ""])
    assert _run(graph, x=broken) == [[False, False, True, False]]


def test_labels():
    found = _run(
        """(string[8] x, float[6] f, int64[2] i)
        => (int64[8] a, string[8] b, string[6] c, float[2] d, float[2, 3] o, string[2] h)
        { a = ai.onnx.ml.LabelEncoder<keys_strings = ["a", "b", "a", "äöü ß"],
            values_int64s = [1, 2, 3, 4], default_int64 = -7>(x)
          b = ai.onnx.ml.LabelEncoder<keys_strings = ["a"], values_strings = ["first"]>(x)
          c = ai.onnx.ml.LabelEncoder<keys_floats = [0.0, 2.5, 1.5],
            values_strings = ["zero", "some", "much"], default_string = "ß">(f)
          d = ai.onnx.ml.LabelEncoder<keys_int64s = [-5, 7], values_floats = [0.5, 1.5]>(i)
          o = ai.onnx.ml.OneHotEncoder<cats_int64s = [7, 1, 8]>(i)
          h = ai.onnx.ml.CategoryMapper<cats_int64s = [7], cats_strings = ["seven"]>(i) }""",
        x=_texts(WORDS),
        f=np.array([-0.0, 2.5, np.nan, 1.5, np.inf, 1e-45], np.float32),
        i=np.array([7, -6]),
    )
    keys = {"a": 3, "b": 2, "äöü ß": 4}
    assert found == [
        [keys.get(word, -7) for word in WORDS],
        ["first" if word == "a" else "_Unused" for word in WORDS],
        ["zero", "some", "ß", "much", "ß", "ß"],
        [1.5, 0.0],
        [[1, 0, 0], [0, 0, 0]],
        ["seven", "_Unused"],
    ]


@pytest.mark.parametrize("level", [0, 2])
def test_pieces_are_looked_up(level):
    texts = ["a b c", "", "b", "zz  a"]
    found = _run(
        """(string[4] x, int64[4] k)
        => (int64[4, N] i, bool[4, N] m, string[4, N] j, float[4, N, 2] o, string[K] s)
        { p, n = StringSplit(x)
          i = ai.onnx.ml.LabelEncoder<keys_strings = ["a", "b", ""], values_int64s = [1, 2, 0]>(p)
          m = RegexFullMatch<pattern = "[a-b]*">(p)
          e = Constant<value_string = "!">()
          j = StringConcat(p, e)
          o = ai.onnx.ml.OneHotEncoder<cats_strings = ["b", "c"]>(p)
          c = Cast<to = 9>(k)
          u = Compress<axis = 0>(k, c)
          s = ai.onnx.ml.CategoryMapper<cats_int64s = [5, 6], cats_strings = ["five", "six"]>(u)
        }""",
        level,
        x=_texts(texts),
        k=np.array([5, 0, 0, 7]),
    )
    pieces = [[*text.split(), "", "", ""][:3] for text in texts]
    assert found == [
        [[{"a": 1, "b": 2, "": 0}.get(p, -1) for p in row] for row in pieces],
        [[re.fullmatch("[a-b]*", p) is not None for p in row] for row in pieces],
        [[f"{p}!" for p in row] for row in pieces],
        [[[p == "b", p == "c"] for p in row] for row in pieces],
        ["five", "_Unused"],
    ]


def test_classes_are_strings():
    x = np.array([[1, 0], [0, 1], [-1, -1]], np.float32)
    found = _run(
        """(float[3,2] x) => (string[3] y, float[3,3] z)
        { y, z = ai.onnx.ml.LinearClassifier<coefficients = [2.0, 0.0, 0.0, 3.0, -1.0, -1.0],
            intercepts = [0.0, 0.0, 0.5], classlabels_strings = ["left", "ß", ""]>(x) }""",
        x=x,
    )
    scores = x @ np.array([[2, 0, -1], [0, 3, -1]]) + [0, 0, 0.5]
    assert found == [["left", "ß", ""], scores.tolist()]


def test_nan_is_a_key():
    node = helper.make_node(
        "LabelEncoder", ["x"], ["y"], domain="ai.onnx.ml", keys_floats=[1.0, float("nan")],
        values_int64s=[1, 2],
    )  # fmt: skip
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [3])
    y = helper.make_tensor_value_info("y", TensorProto.INT64, [3])
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("ai.onnx.ml", 2)]
    model = helper.make_model(helper.make_graph([node], "g", [x], [y]), opset_imports=opsets)
    other_nan = np.array([0xFFC12345, 0x3F800000, 0], np.uint32).view(np.float32)
    with autodeploy.compile(model.SerializeToString()) as session:
        assert session.run(other_nan)["y"].tolist() == [2, 1, -1]


def _halfway(number):
    """Return all digits of the number halfway between a double and the next one above."""
    return str(Decimal(number) + Decimal(math.ulp(number)) / 2)


with localcontext(prec=1100):
    HALVES = [_halfway(number) for number in (1.0, 1e22, 5e-324, 1.2345678901234567e-300, 1e300)]
READ_FLOATS = [
    *(
        "3.14",
        "1000",
        "-1e-5",
        "1E8",
        "+INF",
        "inf",
        "-Inf",
        "infinity",
        " .5\t",
        "5.",
        "-0",
        "0e9",
    ),
    *("1e400", "-1e-400", "4.9e-324", "2.4703282292062327208e-324", "2.4703282292062328e-324"),
    *("1.7976931348623158e308", "1.7976931348623159e308", f"0.{'0' * 400}1e401", "9" * 310),
    *(f"1.{'0' * 1000}1", f"1{'0' * 900}.5e-900", "1e99999999999", "0.1e-99999999999"),
    *(text for half in HALVES for text in (half, f"{half.replace('E', '0' * 800 + '1E')}")),
]


@pytest.mark.parametrize("level", [0, 2])
def test_numbers_of_strings(level):
    texts = [text for text in READ_FLOATS if len(text) < 2000]
    pieces = ["1,-2.75,+3", "100, 7 ,0"]
    found = _run(
        f"""(string[{len(texts)}] x, string[2] p, string[2] w, string[2] q) => (double[N] d,
        float16[N] h, int8[2, 3] i, string[2, 3] t, uint64[2] u, int64[2] l, float z)
        {{ d = Cast<to = 11>(x)  h = Cast<to = 10>(x)
          c = Constant<value_string = ",">()  s, n = StringSplit<delimiter = ",">(p)
          i = Cast<to = 3>(s)  t = CastLike(i, p)
          u = Cast<to = 13>(w)  l = Cast<to = 7>(q)
          k = Constant<value_string = "-1.5">()  z = Cast<to = 1>(k) }}""",
        level,
        string_bytes=2000,
        x=_texts(texts),
        p=_texts(pieces),
        w=_texts([str(2**64 - 1), "-0"]),
        q=_texts([str(-(2**63)), str(2**63 - 1)]),
    )
    right = [*map(float, texts)]
    assert np.array_equal(np.array(found[0]).view(np.int64), np.array(right).view(np.int64))
    with np.errstate(over="ignore"):
        assert np.array_equal(found[1], np.array(right).astype(np.float16))
    assert found[2:4] == [[[1, -2, 3], [100, 7, 0]], [["1", "-2", "3"], ["100", "7", "0"]]]
    assert found[4:] == [[2**64 - 1, 0], [-(2**63), 2**63 - 1], -1.5]


@pytest.mark.parametrize("level", [0, 2])
def test_strings_of_numbers(level):
    doubles = [
        *(1 / 3, 100.0, -0.0, 99999999.5, 123456785.0, 0.00012345678, 9.99999999e-5, 1e16, 2.5e-7),
        *(
            5e-324,
            -1.7976931348623157e308,
            1e100,
            99999998.5,
            12.0,
            *(10.0**k for k in range(-9, 12)),
        ),
        *(math.nan, math.inf, -math.inf),
    ]
    halves = np.array([0.1, 65504, 6e-8, -2], np.float16)
    found = _run(
        f"""(double[{len(doubles)}] d, float16[4] h, int64[2] l, uint64[1] u, bool[2] b, float[0] e)
        => (string[N] s, string[4] g, string[2] m, string[1] v, string[2] c, string[0] o,
        string[2] k)
        {{ s = Cast<to = 8>(d)  g = Cast<to = 8>(h)  m = Cast<to = 8>(l)  v = Cast<to = 8>(u)
          c = Cast<to = 8>(b)  o = Cast<to = 8>(e)
          q = Constant<value = float[2] {{0.1, 16777216.0}}>()  k = Cast<to = 8>(q) }}""",
        level,
        d=np.array(doubles),
        h=halves,
        l=np.array([-(2**63), 7]),
        u=np.array([2**64 - 1], np.uint64),
        b=np.array([True, False]),
        e=np.zeros(0, np.float32),
    )
    assert found[0] == [*(f"{number:.8g}" for number in doubles[:-3]), "NaN", "INF", "-INF"]
    assert found[1:3] == [[f"{number:.8g}" for number in halves], [str(-(2**63)), "7"]]
    assert found[3:] == [[str(2**64 - 1)], ["1", "0"], [], ["0.1", "16777216"]]


def test_strings_that_hold_no_number():
    graph = """(string[1] x, string[1] i) => (float[1] y, int8[1] z, uint64[1] u)
        { y = Cast<to = 1>(x)  z = Cast<to = 3>(i)  u = Cast<to = 13>(i) }"""
    with autodeploy.compile(_model(graph)) as session:

        def run(x, i):
            return [v.tolist() for v in session.run({"x": _texts([x]), "i": _texts([i])}).values()]

        assert run("1", "127.9") == [[1], [127], [127]]
        for text in (
            "",
            " ",
            "a",
            "1x",
            ".",
            "-",
            "+ 1",
            "1e",
            "0x10",
            "1_0",
            "nan(1)",
            "1 2",
            "i",
        ):
            with pytest.raises(UserError, match="a string that is cast to a number is none"):
                run(text, "1")
        for text in ("", "-", "128", "-129", "-1", "1e1", ".5", "1 2", "inf", str(2**64 + 1)):
            with pytest.raises(UserError, match="a string that is cast to an integer is none of"):
                run("1", text)


def test_counts_of_words():
    graph = """(string[2,5] x) => (float[2,3] y) { y = TfIdfVectorizer<mode = "TF",
        min_gram_length = 1, max_gram_length = 2, max_skip_count = 1, ngram_counts = [0, 2],
        ngram_indexes = [0, 1, 2], pool_strings = ["a", "bc", "bc", "a"]>(x) }"""
    x = _texts([["a", "bc", "x", "a", "bc"], ["", "a", "a", "bca", "b"]])
    assert _run(graph, x=x) == [[[2, 2, 1], [2, 0, 0]]]


def test_sequences():
    graph = """(string[2] x, string[2] y) => (string[2] z) {
        s = SequenceConstruct(x, y)  k = Constant<value_int = 1>()  z = SequenceAt(s, k) }"""
    assert _run(graph, x=_texts(["a", "b"]), y=_texts(["c", "d"])) == [["c", "d"]]


IDENTITY = "(string[2] x) => (string[2] y) { y = Identity(x) }"


def test_inputs_of_numpy():
    for x in (np.array(["é", "b"]), np.array(["é".encode(), b"b"]), _texts([b"\xc3\xa9", "b"])):
        assert _run(IDENTITY, x=x) == [["é", "b"]]
    assert _run(IDENTITY, x=_texts([b"\xff", "abcdefg"]), string_bytes=8) == [["\udcff", "abcdefg"]]


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (["abcdefgh", ""], "takes strings of 7 bytes at most, found one of 8"),
        (["a\0b", ""], "has a string with a zero in it"),
        ([1, "a"], "takes strings, found int"),
    ],
)
def test_inputs_that_do_not_fit(x, message):
    with pytest.raises(UserError, match=message):
        _run(IDENTITY, x=_texts(x), string_bytes=8)


def test_types_that_do_not_fit():
    with pytest.raises(UserError, match="takes string64, found int64"):
        _run(IDENTITY, x=np.array([1, 2]))


REFUSED = {
    "(float[2] x) => (complex64[2] y) { y = Cast<to = 14>(x) }": "a cast to elements of type",
    '(string[2] x) => (bool[2] y) { y = RegexFullMatch<pattern = "(">(x) }': r"pattern '\('",
    """(bool c, string[2] x) => (string[2] y) { y = If(c) <then_branch = t () => (string[2] a)
       { a = Identity(x) }, else_branch = e () => (string[2] b) { b = Identity(x) }> }""":
       "a subgraph that reads strings",
    """(bool c) => (string y) { y = If(c) <then_branch = t () => (string a)
       { a = Constant<value_string = "a">() }, else_branch = e () => (string b)
       { b = Constant<value_string = "b">() }> }""": "a subgraph that hands out strings",
    """(string[2] x) => (int64[2] y) { y = ai.onnx.ml.LabelEncoder<keys_int64s = [1],
       values_int64s = [1]>(x) }""": "keys that are numbers do not fit",
    """(int32[3,2] x) => (int32[3,2] y) { y = ai.onnx.ml.Imputer<
       imputed_value_int64s = [2147483648]>(x) }""": "do not fit elements of type i32",
    """(float[3,2] x) => (float[3,2] y) { y = ai.onnx.ml.Imputer<
       imputed_value_floats = [1.0, 2.0, 3.0]>(x) }""": "1 or 2 numbers",
    """(float[3,2] x, float[2] z) => (float[3,4] y) { y = ai.onnx.ml.FeatureVectorizer<
       inputdimensions = [2, 2]>(x, z) }""": "the same number of rows",
    """(float[3,2] x) => (float[3,4] y) { y = ai.onnx.ml.FeatureVectorizer<
       inputdimensions = [2, 2]>(x) }""": "must have 1 entries",
    '(string[2] x) => (string[2] y) { y = StringNormalizer<locale = "tr_TR">(x) }': "locale",
    """(string[2] x) => (float[1] y) { y = TfIdfVectorizer<mode = "IDF", min_gram_length = 1,
       max_gram_length = 1, max_skip_count = 0, ngram_counts = [0], ngram_indexes = [0, 0],
       pool_strings = ["a", "b"], weights = [1.0, 2.0]>(x) }""": "counted together have different",
    """(string[2] x) => (float[1] y) { y = TfIdfVectorizer<mode = "IDF", min_gram_length = 1,
       max_gram_length = 1, max_skip_count = 0, ngram_counts = [0], ngram_indexes = [0, 0],
       pool_strings = ["a", "b"], weights = [1.0]>(x) }""": "must have 2 entries, found 1",
    "(string[2] x, int64[2] p) => (string[4] y) { y = Pad(x, p) }": "elements of type !onnx.string",
}  # fmt: skip


@pytest.mark.parametrize("graph", REFUSED)
def test_refusals(graph):
    with pytest.raises(UserError, match=REFUSED[graph]):
        autodeploy.compile(_model(graph))


@pytest.mark.parametrize("level", [0, 2])
def test_open_extents(level):
    model = _model("""(string[N,2] x, string[N,2] y, bool[N,2] c, float[N] f) =>
        (string[N,2] j, string[M,2] k, bool[N,2] e, string[N,2] w, bool[N,2] r, string[N] t,
         float[N] g, string[N,1] a)
        { o = Constant<value_string = "b">()
          j = StringConcat(x, y)  k = Concat<axis = 0>(x, y)  e = Equal(x, o)  w = Where(c, x, o)
          r = RegexFullMatch<pattern = "a.*">(x)  t = Cast<to = 8>(f)  g = Cast<to = 1>(t)
          i = Constant<value = int64[1] {1}>()  a = ai.onnx.ml.ArrayFeatureExtractor(x, i) }""")
    random = np.random.default_rng(0)
    with autodeploy.compile(model, level=level, dynamic={"N": (1, 5)}) as session:
        for n in (5, *range(1, 6)):
            x, y = random.choice(_texts(WORDS), (2, n, 2))
            c, f = random.random((n, 2)) < 0.5, random.integers(-9, 99, n).astype(np.float32)
            found = session.run({"x": x, "y": y, "c": c, "f": f})
            assert found["j"].tolist() == (x + y).tolist()
            assert found["k"].tolist() == [*x.tolist(), *y.tolist()]
            assert found["e"].tolist() == (x == "b").tolist()
            assert found["w"].tolist() == np.where(c, x, "b").tolist()
            assert found["r"].tolist() == [[text[:1] == "a" for text in row] for row in x]
            assert found["t"].tolist() == [str(int(number)) for number in f]
            assert found["g"].tolist() == f.tolist()
            assert found["a"].tolist() == x[:, 1:].tolist()


def test_a_cell_has_a_size():
    with pytest.raises(UserError, match="the cell of a string has 1 to 65536 bytes, found 0"):
        compile_model(_model(IDENTITY), "unused", CompileOptions(string_bytes=0))


@pytest.mark.exhaustive
def test_sanitizers_find_nothing(tmp_path):
    graph = """(string[8] x, string[8] w) => (string[8] c, string[8, N] p, int64[8] n, string[M] u,
        string[K] s, bool[8] r, int64[8] a, double[8] f, string[8] g, int64[8] i, string[8] j)
        { k = Constant<value_strings = ["."]>()  c = StringConcat(x, k)
          p, n = StringSplit<delimiter = "z">(x)  u = Unique(c)
          s = StringNormalizer<case_change_action = "UPPER", stopwords = ["b"]>(x)
          r = RegexFullMatch<pattern = ".*z">(x)
          a = ai.onnx.ml.LabelEncoder<keys_strings = ["a", "b"], values_int64s = [1, 2]>(x)
          f = Cast<to = 11>(w)  g = Cast<to = 8>(f)  i = Cast<to = 7>(f)  j = Cast<to = 8>(i) }"""
    words = [*WORDS[:5], "z" * 255, "ŉ" * 127, "\u0390" * 127]
    x = np.array([word.encode() for word in words])
    parts = [word.split("z") for word in words]
    numbers = [
        "1" * 18,
        "1e-320",
        f"1.{'9' * 253}",
        f"0.{'0' * 245}1e245",
        *("-7", "+.5e1", " 3", "9."),
    ]
    w = np.array([number.encode() for number in numbers])
    expected = [
        [f"{word}.".encode() for word in words],
        [[w.encode() for w in [*part, *[""] * (256 - len(part))]] for part in parts],
        [len(part) for part in parts],
        sorted({f"{word}.".encode() for word in words}),
        [w.encode() for w in _normalised(words, ["b"], "UPPER", 0)],
        [word.endswith("z") for word in words],
        [{"a": 1, "b": 2}.get(word, -1) for word in words],
        [*map(float, numbers)],
        [b"%.8g" % float(number) for number in numbers],
        [int(float(number)) for number in numbers],
        [b"%d" % float(number) for number in numbers],
    ]

    def check(found, right):
        assert [array.tolist() for array in found] == right

    check_sanitized(_model(graph), tmp_path, [({"x": x, "w": w}, expected)], check)
