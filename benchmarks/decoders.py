"""Compare decoders of text with onnxruntime and llama.cpp, by the processor's time of a token.

All keep the cache in place; they take turns, on one thread. llama.cpp has a process of its own.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

import autodeploy
from benchmarks.machine_info import choose_cores, describe_machine, pinned
from benchmarks.make_decoders import FORMS, SHAPES, Shape, write_decoder
from benchmarks.options import positive, words

PRECISIONS = {"u4": ("f32", "rows=s8"), "f32": ("f32",), "int8": ("f32",)}
"""Those of our programs, by the form of the model."""
ROWS = 512
LLAMA = Path("build/node/node_modules/node-llama-cpp")
"""The folder into which ``INSTALL`` puts Node's package of llama.cpp."""
INSTALL = "npm install --prefix build/node --omit=optional node-llama-cpp @node-llama-cpp/linux-x64"
Scores = npt.NDArray[Any]
Run = Callable[[Sequence[int], int], tuple[float, Scores | None]]
"""Reads tokens that follow those in the cache, whose number it is given.

Returns milliseconds, and the scores of the last token.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table; returns 1 where scores are not those of onnxruntime."""
    given = _parser().parse_args(arguments)
    level = given.accuracy if given.form == "u4" else given.form
    folder = given.output / f"{given.shape}-{level}"
    folder.mkdir(parents=True, exist_ok=True)
    shape, path = SHAPES[given.shape], folder / "decoder.onnx"
    if not path.exists():
        write_decoder(path, shape, given.accuracy, given.form)
    print(json.dumps(describe_machine(), indent=2))
    engines = {"onnxruntime": _timed(_onnxruntime(path, shape))}
    given.precision = given.precision or PRECISIONS[given.form]
    for precision in given.precision:
        ours = _ours(path, folder / precision.replace("=", "_"), precision, given)
        engines[precision] = _timed(ours)
    with pinned(choose_cores(1)), ExitStack() as stack:
        if given.form != "u4" or shape.window or shape.turned:
            print("llama.cpp is skipped: no model of this form and shape is made for it")
        elif (node := shutil.which("node")) and LLAMA.is_dir():
            command = _llama_command(node, folder / "decoder.gguf", shape)
            engines["llama.cpp"] = _llama(stack.enter_context(_lines_of(command)))
        else:
            print(f"llama.cpp is skipped: not installed: {INSTALL}")
        prompts, tokens, wrong = _measured(engines, given, shape.words)
    print("| | ms a token | of onnxruntime | ms a prompt | of onnxruntime |\n|-|-:|-:|-:|-:|")
    for name in engines:
        token, prompt = median(tokens[name]), min(prompts[name])
        ratios = token / median(tokens["onnxruntime"]), prompt / min(prompts["onnxruntime"])
        print(f"| {name} | {token:.1f} | {ratios[0]:.2f} | {prompt:.0f} | {ratios[1]:.2f} |")
    for name, distance in wrong.items():
        print(f"largest difference of a score, {name}: {distance:.1e} of the largest score")
    # Floats that round to another code of a row differ more.
    return int(given.form != "int8" and wrong.get("f32", 0) > 1e-4)


def _measured(
    engines: dict[str, Run], given: argparse.Namespace, vocabulary: int
) -> tuple[dict[str, list[float]], dict[str, list[float]], dict[str, float]]:
    """Return milliseconds of prompts and tokens, and the largest difference of scores."""
    prompts, tokens = ({name: list[float]() for name in engines} for _ in range(2))
    wrong = dict.fromkeys(given.precision, 0.0)
    read = np.random.default_rng(0).integers(0, vocabulary, ROWS)

    def turn(first: int, count: int, times: dict[str, list[float]]) -> None:
        found: dict[str, Scores] = {}
        for name, run in engines.items():
            milliseconds, scores = run(read[first : first + count].tolist(), first)
            times[name].append(milliseconds)
            if scores is not None:
                found[name] = scores
        right = found["onnxruntime"]
        for name in wrong:
            distance = np.abs(found[name] - right).max() / np.abs(right).max()
            wrong[name] = max(wrong[name], float(distance))

    for _ in range(2):
        turn(0, given.prompt, prompts)
    for step in range(given.tokens):
        turn(given.prompt + step, 1, tokens)
    return prompts, tokens, wrong


def _timed(run: Callable[[Sequence[int], int], Scores]) -> Run:
    """Return a run in this process that says how long it took."""

    def timed(ids: Sequence[int], past: int) -> tuple[float, Scores]:
        start = time.process_time()
        scores = run(ids, past)
        return (time.process_time() - start) * 1e3, scores

    return timed


def _llama_command(node: str, path: Path, shape: Shape) -> list[str]:
    """Return the command of llama.cpp's process, whose model is written unless it is there."""
    if not path.exists():
        from benchmarks.make_gguf import write_gguf

        write_gguf(path, shape)
    script = Path(__file__).parent / "peers" / "llama_cpp.mjs"
    return [node, str(script), str(LLAMA.resolve()), str(path), str(ROWS)]


@contextmanager
def _lines_of(command: Sequence[str]) -> Iterator[Callable[[str], str]]:
    """Run a process that is ready; what is yielded sends it a line and returns the answer."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        sent, said = process.stdin, process.stdout
        if said.readline() != "ready\n":
            raise SystemExit(f"{' '.join(command)} does not start")

        def answer(line: str) -> str:
            sent.write(line + "\n")
            return said.readline()

        yield answer
        sent.close()


def _llama(answer: Callable[[str], str]) -> Run:
    """Return a run of llama.cpp, whose scores are not read: it rounds rows to 8 bits."""

    def run(ids: Sequence[int], past: int) -> tuple[float, None]:
        return float(answer(" ".join(map(str, (past, *ids))))), None

    return run


def _ours(
    path: Path, folder: Path, precision: str, given: argparse.Namespace
) -> Callable[[Sequence[int], int], Scores]:
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

    def run(ids: Sequence[int], past: int) -> Scores:
        if not past:
            session.reset()
        mask = np.ones((1, past + len(ids)), np.int64)
        found = session.run({"input_ids": np.array([ids]), "attention_mask": mask})
        return found["logits"].reshape(-1)

    return run


def _onnxruntime(path: Path, shape: Shape) -> Callable[[Sequence[int], int], Scores]:
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

    def run(ids: Sequence[int], past: int) -> Scores:
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
        prog="python -m benchmarks.decoders", description="Compare decoders with other engines."
    )
    parser.add_argument(
        "--shape", choices=SHAPES, default="qwen2.5-0.5b", help="the model whose sizes it has"
    )
    parser.add_argument("--form", choices=FORMS, default="u4", help="the form of the weights")
    parser.add_argument(
        "--accuracy", type=int, choices=(0, 4), default=0, help="accuracy_level of the form u4"
    )
    parser.add_argument("--precision", type=words, help="of our programs; two for u4, else f32")
    parser.add_argument("--prompt", type=positive, default=128, help="tokens of the prompt")
    parser.add_argument("--tokens", type=positive, default=48, help="tokens that follow")
    parser.add_argument("--output", type=Path, default=Path("build/decoders"), help="for models")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
