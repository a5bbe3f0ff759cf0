"""Compare decoders of text: ours with onnxruntime, by the processor's time of a token.

Both keep the cache in place; they take turns in one process, on one thread.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

import autodeploy
from benchmarks.machine_info import choose_cores, describe_machine, pinned
from benchmarks.make_decoders import SHAPES, Shape, write_decoder
from benchmarks.options import positive, words

PRECISIONS = ("f32", "rows=s8")
ROWS = 512
Run = Callable[[Sequence[int], int], npt.NDArray[Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table; returns 1 where scores are not those of onnxruntime."""
    given = _parser().parse_args(arguments)
    folder = given.output / f"{given.shape}-{given.accuracy}"
    folder.mkdir(parents=True, exist_ok=True)
    shape, path = SHAPES[given.shape], folder / "decoder.onnx"
    if not path.exists():
        write_decoder(path, shape, given.accuracy)
    print(json.dumps(describe_machine(), indent=2))
    engines: dict[str, Run] = {"onnxruntime": _onnxruntime(path, shape)}
    for precision in given.precision:
        engines[precision] = _ours(path, folder / precision.replace("=", "_"), precision, given)
    with pinned(choose_cores(1)):
        prompts, tokens, wrong = _measured(engines, given, shape.words)
    print("| | ms a token | of onnxruntime | ms a prompt | of onnxruntime |\n|-|-:|-:|-:|-:|")
    for name in engines:
        token, prompt = median(tokens[name]), min(prompts[name])
        ratios = token / median(tokens["onnxruntime"]), prompt / min(prompts["onnxruntime"])
        print(f"| {name} | {token:.1f} | {ratios[0]:.2f} | {prompt:.0f} | {ratios[1]:.2f} |")
    for name, distance in wrong.items():
        print(f"largest difference of a score, {name}: {distance:.1e} of the largest score")
    return int(wrong.get("f32", 0) > 1e-4)


def _measured(
    engines: dict[str, Run], given: argparse.Namespace, vocabulary: int
) -> tuple[dict[str, list[float]], dict[str, list[float]], dict[str, float]]:
    """Return milliseconds of prompts and tokens, and the largest difference of scores."""
    prompts, tokens = ({name: list[float]() for name in engines} for _ in range(2))
    wrong = {name: 0.0 for name in engines if name != "onnxruntime"}
    read = np.random.default_rng(0).integers(0, vocabulary, ROWS)

    def turn(first: int, count: int, times: dict[str, list[float]]) -> None:
        found: dict[str, npt.NDArray[Any]] = {}
        for name, run in engines.items():
            start = time.process_time()
            found[name] = run(read[first : first + count].tolist(), first)
            times[name].append((time.process_time() - start) * 1e3)
        right = found["onnxruntime"]
        for name in wrong:
            distance = np.abs(found[name] - right).max() / np.abs(right).max()
            wrong[name] = max(wrong[name], float(distance))

    for _ in range(2):
        turn(0, given.prompt, prompts)
    for step in range(given.tokens):
        turn(given.prompt + step, 1, tokens)
    return prompts, tokens, wrong


def _ours(path: Path, folder: Path, precision: str, given: argparse.Namespace) -> Run:
    """Return a run of our program, whose cache is its state."""
    if (folder / "manifest.json").exists():
        session = autodeploy.load(folder)
    else:
        session = autodeploy.compile(
            path,
            folder,
            precision=precision,
            dims={"batch_size": 1},
            dynamic={
                "past_sequence_length": (0, ROWS - 1),
                "sequence": [1, (2, given.prompt)],
                "total": "past_sequence_length+sequence",
            },
            state="auto",
            last={"logits": 1},
        )

    def run(ids: Sequence[int], past: int) -> npt.NDArray[Any]:
        if not past:
            session.reset()
        mask = np.ones((1, past + len(ids)), np.int64)
        found = session.run({"input_ids": np.array([ids]), "attention_mask": mask})
        return found["logits"].reshape(-1)

    return run


def _onnxruntime(path: Path, shape: Shape) -> Run:
    """Return a run of onnxruntime, which writes new rows into the cache that it reads."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    room = np.zeros((1, shape.shared, ROWS, shape.size), np.float32)
    cache = {
        value.name: onnxruntime.OrtValue.ortvalue_from_numpy(room.copy())
        for value in session.get_inputs()
        if value.name.startswith("past")
    }

    def run(ids: Sequence[int], past: int) -> npt.NDArray[Any]:
        binding = session.io_binding()
        binding.bind_cpu_input("input_ids", np.array([ids], np.int64))
        binding.bind_cpu_input("attention_mask", np.ones((1, past + len(ids)), np.int64))
        binding.bind_output("logits")
        for name, value in cache.items():
            binding.bind_ortvalue_input(name, value)
            binding.bind_ortvalue_output(name.replace("past_key_values", "present"), value)
        session.run_with_iobinding(binding)
        return binding.get_outputs()[0].numpy()[0, -1]

    return run


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.decoders", description="Compare decoders with onnxruntime."
    )
    parser.add_argument(
        "--shape", choices=SHAPES, default="qwen2.5-0.5b", help="the model whose sizes it has"
    )
    parser.add_argument("--accuracy", type=int, choices=(0, 4), default=0, help="accuracy_level")
    parser.add_argument("--precision", type=words, default=PRECISIONS, help="of our programs")
    parser.add_argument("--prompt", type=positive, default=128, help="tokens of the prompt")
    parser.add_argument("--tokens", type=positive, default=48, help="tokens that follow")
    parser.add_argument("--output", type=Path, default=Path("build/decoders"), help="for models")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
