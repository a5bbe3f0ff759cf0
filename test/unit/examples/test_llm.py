"""The language model in C: its tokenizer, and the text that it generates."""

import ctypes
import json
import random
import threading
import unicodedata
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import pytest
from example_programs import EXAMPLES, STRICT, built_with
from onnxruntime import InferenceSession
from open_decoders import greedy, kept_greedy
from packed_decoder import packed_decoder
from small_tokenizer import PATTERNS, characters, small_tokenizer

from autodeploy import CompileOptions, compile_model
from autodeploy.frontend.open_sizes import OpenSpec
from autodeploy.toolchain.compiler import find_c_compiler, run
from autodeploy.toolchain.session import load_bundle

pytestmark = pytest.mark.xdist_group("llm")
"""All tests share a decoder."""

ROOT = Path(__file__).parents[3]
EXAMPLE = EXAMPLES / "llm"
SOURCES = [str(EXAMPLE / name) for name in ("tokenizer.c", "tokenizer_file.c", "json.c")]
WORDS, ROWS = 300, 127
PROMPT = "<|im_start|>they know 1234 others"

needs_tokenizers = pytest.mark.skipif(
    find_spec("tokenizers") is None, reason="PyPI's tokenizers is missing: pip install tokenizers"
)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    made = tmp_path_factory.mktemp("tokenizer") / "tokenizer.so"
    run([*find_c_compiler(), *STRICT, "-O2", "-shared", "-fPIC", *SOURCES, "-o", str(made)], ROOT)
    found = ctypes.CDLL(str(made))
    found.tokenizer_load.restype = found.tokenizer_text.restype = ctypes.c_void_p
    found.tokenizer_encode.restype = ctypes.c_size_t
    return found


class Tokenizer:
    def __init__(self, library, path):
        message = ctypes.create_string_buffer(512)
        self.library = library
        self.handle = ctypes.c_void_p(library.tokenizer_load(str(path).encode(), message, 512))
        assert self.handle, message.value

    def encode(self, text):
        raw = text.encode()
        ids = (ctypes.c_int64 * (len(raw) + 1))()
        return list(ids[: self.library.tokenizer_encode(self.handle, raw, ids)])

    def text(self, ids):
        size, found = ctypes.c_size_t(), b""
        for one in ids:
            at = self.library.tokenizer_text(self.handle, ctypes.c_int64(one), ctypes.byref(size))
            found += ctypes.string_at(at, size.value)
        return found


@pytest.fixture(scope="module")
def tokenizer_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("json") / "tokenizer.json"
    path.write_text(json.dumps(small_tokenizer(count=WORDS)))
    return path


def texts():
    """Yield texts of all that the patterns tell apart."""
    parts = [
        "the", "They", "don't", "WE'RE", "'s", "'x", "'", " ", "  ", "\t", "\n", "\r\n", "\n \n",
        "1", "12", "12345", "²", "Ⅷ", "ñandú", "日本", "кот", "e\u0301", "!", "?!", "…", "\u00a0",
        "\u3000", "😀", "<|im_end|>", "<|im", "_", "known", "\x7f", "\u0600", "\U0001d7d8",
    ]  # fmt: skip
    draw = random.Random(0)
    yield from parts
    for _ in range(400):
        yield "".join(draw.choices(parts, k=draw.randint(2, 12)))


@needs_tokenizers
@pytest.mark.parametrize("kind", PATTERNS)
def test_tokens_are_those_of_the_tokenizers_of_pypi(library, tmp_path, kind):
    import tokenizers

    path = tmp_path / "tokenizer.json"
    content = small_tokenizer(kind, pairs=kind == "llama3")
    path.write_text(json.dumps(content, ensure_ascii=kind == "gpt2"))
    ours, theirs = Tokenizer(library, path), tokenizers.Tokenizer.from_file(str(path))
    for written in texts():
        # The program takes text in normal form C, to which two of the tokenizers bring it.
        text = written if kind == "gpt2" else unicodedata.normalize("NFC", written)
        ids = theirs.encode(text, add_special_tokens=False).ids
        assert ours.encode(text) == ids, text
        assert ours.text(ids) == text.encode()


def test_merges_and_special_tokens_are_found(library, tokenizer_file):
    content, tokens = small_tokenizer(count=WORDS), Tokenizer(library, tokenizer_file)
    assert tokens.encode("<|im_end|><|im_start|>") == [WORDS - 2, WORDS - 1]
    found = 0
    for text, place in content["model"]["vocab"].items():
        word = text.removeprefix(characters()[32])
        if place > 255 and word.isascii() and word.isalpha():
            assert tokens.encode(f" {word}" if word != text else word) == [place]
            found += 1
    assert found > 20


@pytest.fixture(scope="module")
def model():
    return packed_decoder(words=WORDS, places=2 * ROWS)


@pytest.fixture(scope="module")
def bundle(model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("llm")
    onnx.save(model, folder / "decoder.onnx")
    dynamic = {
        "past_sequence_length": (0, ROWS),
        "sequence_length": [1, (2, 8)],
        "total_sequence_length": "past_sequence_length+sequence_length",
    }
    options = CompileOptions(
        dims={"batch_size": 1},
        dynamic=OpenSpec.of(dynamic),
        state="auto",
        last={model.graph.output[-1].name: 1},
    )
    compile_model(folder / "decoder.onnx", folder / "decoder", options)
    return folder / "decoder"


@pytest.fixture(scope="module")
def program(bundle):
    """Build the example and the driver with sanitizers; kernels are objects."""
    return built_with(bundle, [EXAMPLE / "llm.c", *SOURCES], bundle.parent / "llm")


@pytest.mark.exhaustive
def test_the_text_is_that_of_the_tokens_of_onnxruntime(
    program, bundle, model, library, tokenizer_file
):
    tokens, theirs = Tokenizer(library, tokenizer_file), InferenceSession(model.SerializeToString())
    names = [output.name for output in theirs.get_outputs()]
    prompt = tokens.encode(PROMPT)
    assert len(prompt) > 8  # two runs
    found = greedy(
        lambda values: dict(zip(names, theirs.run(None, values), strict=True)), model, prompt, 60
    )
    made = found[len(prompt) :]
    ends = [place for place, one in enumerate(made) if one >= WORDS - 2]
    made = made[: ends[0]] if ends else made
    out, error = program(bundle / "decoder.weights", tokenizer_file, PROMPT, "--tokens", "60")
    assert len(made) > 8 and out == tokens.text(made) + b"\n"
    assert f"prompt: {len(prompt)} tokens" in error and f"text: {len(made)} tokens" in error


@pytest.mark.exhaustive
def test_a_seed_determines_the_text(program, bundle, tokenizer_file):
    weights = bundle / "decoder.weights"
    words = (weights, tokenizer_file, PROMPT, "--tokens", "12")
    one, *others = (
        program(*words, "--temperature", "2", "--top-k", "50", "--top-p", "0.9", "--seed", seed)[0]
        for seed in ("3", "3", "4", "5")
    )
    assert others[0] == one and len({one, *others}) > 1
    assert program(*words, "--temperature", "1", "--top-k", "1")[0] == program(*words)[0]


@pytest.mark.exhaustive
def test_a_full_cache_and_other_mistakes_end_with_one_line(
    program, bundle, tokenizer_file, tmp_path
):
    weights = bundle / "decoder.weights"
    given = (weights, tokenizer_file, "no " * (ROWS + 10))
    _, error = program(*given, status=1)
    assert "the state is full: extent 'past_sequence_length' is from 0 to 127" in error
    assert "no tokens" in program(weights, tokenizer_file, "", status=1)[1]
    assert "expected WEIGHTS" in program(weights, tokenizer_file, status=1)[1]
    assert "cannot be opened" in program(tmp_path / "x", tokenizer_file, "a", status=1)[1]
    assert "cannot be read" in program(weights, tmp_path / "x", "a", status=1)[1]


@pytest.mark.exhaustive
def test_a_damaged_tokenizer_is_refused(program, bundle, tokenizer_file, tmp_path):
    text, path, draw = tokenizer_file.read_text(), tmp_path / "t.json", random.Random(1)
    damaged = [text[: draw.randrange(len(text))] for _ in range(25)]
    damaged += [
        text.replace(*pair) for pair in (("BPE", "WordPiece"), ("NFC", "NFKC"), ("\\\\p{L}", "x"))
    ]
    damaged += [
        "",
        "[" * 1000,
        "{}",
        '{"model": 1}',
        text.replace('"merges": [', '"merges": ["a", '),
    ]
    for content in damaged:
        path.write_text(content)
        _, error = program(bundle / "decoder.weights", path, "a", status=1)
        assert error.startswith("llm: error: tokenizer '") and error.count("\n") == 1, content[-80:]


@pytest.mark.exhaustive
def test_two_contexts_in_two_threads_give_the_same_tokens(bundle):
    with load_bundle(bundle) as one:
        right = kept_greedy(one, [3, 5, 2, 7], 60)
    found = {}

    def decode(number, session):
        found[number] = kept_greedy(session, [3, 5, 2, 7], 60)

    with load_bundle(bundle) as one, load_bundle(bundle) as other:
        threads = [threading.Thread(target=decode, args=pair) for pair in enumerate((one, other))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {0: right, 1: right}
    assert len(set(np.array(right))) > 3
