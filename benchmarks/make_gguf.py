"""Decoders for llama.cpp of the shapes of ``make_decoders``, with random weights in Q4_0."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

from benchmarks.make_decoders import BLOCK, PLACES, Shape


def write_gguf(path: Path, shape: Shape) -> None:
    """Write a decoder of Qwen2's structure; words and head share their codes.

    Q4_0 has the blocks of the ONNX file, with scales of 16 bits. The words have names alone: they
    are read by number.
    """
    random = np.random.default_rng(0)
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_context_length(PLACES)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.shared)
    writer.add_rope_freq_base(1e6)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_0)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(_words(shape.words))
    writer.add_token_types([gguf.TokenType.NORMAL] * shape.words)
    writer.add_token_merges(["! !"])
    writer.add_eos_token_id(shape.words - 1)

    def codes(name: str, columns: int, inner: int) -> None:
        blocks = np.empty((columns, inner // BLOCK, 2 + BLOCK // 2), np.uint8)
        scales = random.uniform(0.5, 1, blocks.shape[:2]) / (4 * inner**0.5)
        blocks[..., :2] = scales.astype(np.float16)[..., None].view(np.uint8)
        blocks[..., 2:] = random.integers(0, 256, (*blocks.shape[:2], BLOCK // 2), np.uint8)
        kind = gguf.GGMLQuantizationType.Q4_0
        writer.add_tensor(f"{name}.weight", blocks.reshape(columns, -1), raw_dtype=kind)

    def floats(name: str, count: int, value: float) -> None:
        writer.add_tensor(name, np.full(count, value, np.float32))

    codes("token_embd", shape.words, shape.width)
    floats("output_norm.weight", shape.width, 1)
    shared = shape.shared * shape.size
    for layer in range(shape.layers):
        at = f"blk.{layer}"
        for norm in ("attn_norm", "ffn_norm"):
            floats(f"{at}.{norm}.weight", shape.width, 1)
        for name, columns in (("q", shape.width), ("k", shared), ("v", shared)):
            codes(f"{at}.attn_{name}", columns, shape.width)
            floats(f"{at}.attn_{name}.bias", columns, 0)
        codes(f"{at}.attn_output", shape.width, shape.width)
        codes(f"{at}.ffn_gate", shape.inner, shape.width)
        codes(f"{at}.ffn_up", shape.inner, shape.width)
        codes(f"{at}.ffn_down", shape.width, shape.inner)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _words(count: int) -> list[str]:
    """Return names of words: first those of single bytes, which the tokenizer must have."""
    bytes_ = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = [chr(byte) for byte in bytes_]
    return [*letters, *(f"t{n}" for n in range(len(letters), count))]
