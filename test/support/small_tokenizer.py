"""Tokenizers as byte-level BPE writes them to tokenizer.json, with merges of a few words."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

TEXT = (
    "the then they there other another one on no now know known 12 123 1234 it's don't we're \n\n"
)
SPECIAL = ("<|im_end|>", "<|im_start|>")

_CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|"
_REST = "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
PATTERNS = {
    "gpt2": "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
    "qwen2": f"{_CONTRACTIONS}\\p{{N}}{_REST}",
    "llama3": f"{_CONTRACTIONS}\\p{{N}}{{1,3}}{_REST}",
}


def characters() -> dict[int, str]:
    """Return the character that stands for each byte."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    found = {byte: chr(byte) for byte in plain}
    return found | {byte: chr(256 + number) for number, byte in enumerate(others)}


def small_tokenizer(kind: str = "qwen2", count: int = 300, pairs: bool = False) -> dict[str, Any]:
    """Return the content of a file with ``count`` tokens; the last ones are special.

    Merges are those of the most frequent neighbours of a text, as lists if they are ``pairs``.
    """
    known = characters()
    vocabulary = [known[byte] for byte in range(256)]
    words = [[known[byte] for byte in word.encode()] for word in TEXT.replace(" ", "| ").split("|")]
    merges: list[tuple[str, str]] = []
    while len(vocabulary) < count - len(SPECIAL):
        counted = Counter(pair for word in words for pair in pairwise(word))
        new = next(
            (pair for pair, _ in counted.most_common() if "".join(pair) not in vocabulary), None
        )
        if new is None:
            vocabulary.append(f"unused{len(vocabulary)}")
            continue
        merges.append(new)
        vocabulary.append("".join(new))
        words = [_merged(word, new) for word in words]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
    split = {"type": "Split", "pattern": {"Regex": PATTERNS[kind]}, "behavior": "Isolated"}
    cut: dict[str, Any] = {**byte_level, "use_regex": True}
    if kind != "gpt2":
        steps = [{**split, "invert": False}, {**byte_level, "use_regex": False}]
        cut = {"type": "Sequence", "pretokenizers": steps}
    added = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": place, "content": text, **added, "special": True}
            for place, text in enumerate(SPECIAL, count - len(SPECIAL))
        ],
        "normalizer": None if kind == "gpt2" else {"type": "NFC"},
        "pre_tokenizer": cut,
        "post_processor": None,
        "decoder": {**byte_level, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": kind == "llama3",
            "vocab": {text: place for place, text in enumerate(vocabulary)},
            "merges": [list(pair) if pairs else " ".join(pair) for pair in merges],
        },
    }


def _merged(word: list[str], pair: tuple[str, str]) -> list[str]:
    found: list[str] = []
    for part in word:
        if found and (found[-1], part) == pair:
            found[-1] += part
        else:
            found.append(part)
    return found
