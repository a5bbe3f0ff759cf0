"""The program of a network as an ES module that runs on WebGPU, with the text of its kernels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from xdsl.ir import SSAValue

from autodeploy.codegen.bundle.manifest import WASM_FOLDER
from autodeploy.codegen.bundle.weight_file import HEADER_BYTES
from autodeploy.codegen.c.device import DeviceProgram, DeviceStart
from autodeploy.codegen.c.names import c_comment
from autodeploy.codegen.c.program import Program
from autodeploy.codegen.halide.device_code import DeviceCode
from autodeploy.codegen.halide.wgsl_text import SIZES
from autodeploy.codegen.halide.wgsl_vectors import with_vector_buffers
from autodeploy.codegen.js.page import page_files, rows
from autodeploy.diagnostics import UserError
from autodeploy.dialects.driver import CallOp, TransferOp

_FUNCTION = re.compile(r"^fn (\w+)\(", re.M)


def web_files(program: Program, codes: Sequence[DeviceCode], *, with_wasm: bool) -> dict[str, str]:
    """Return the files of a page by name: the module, its types, kernels, and the page itself.

    ``codes`` are the kernels of the program, which are all on the device. With ``with_wasm`` the
    folder also has a program in WebAssembly.
    """
    device = program.device
    if device is None:
        raise UserError(f"network '{program.name}' computes nothing, and so needs no device")
    kernels = _Kernels(codes)
    starts = [
        [kernels.name(start), list(start.launch.blocks), kernels.blocks(start)]
        for start in device.starts
    ]
    sections = {
        "folder": WASM_FOLDER,
        "weights_bytes": str(HEADER_BYTES + program.data_bytes),
        "weights_header": str(HEADER_BYTES),
        "fingerprint": program.fingerprint().hex(),
        "blocks": rows([int(b.is_weight), b.offset, b.bytes] for b in device.blocks),
        "starts": rows(starts),
        "steps": rows(_steps(program, device)),
        "arena": str(device.arena_bytes),
        "computes": "WebGPU, and the name of its device",
    }
    flags = {"device", "both" if with_wasm else "single"}
    return {
        **page_files(program, "template_model.js", sections, flags),
        f"{program.prefix}.wgsl": kernels.text(c_comment(program.name)),
    }


def _steps(program: Program, device: DeviceProgram) -> Iterator[list[str | int]]:
    """Yield what a run does in order, kernels that follow each other as one step."""
    op, pipelines, count = program.op, program.op.pipelines(), 0
    inputs, outputs = _places(op.inputs), _places(op.outputs)
    for one in op.body.block.ops:
        if isinstance(one, CallOp):
            launches = pipelines[one.callee.string_value()].launches
            count += 0 if launches is None else len(launches)
        elif isinstance(one, TransferOp):
            if count:
                yield ["start", count]
                count = 0
            if one.source in inputs:
                yield ["write", inputs[one.source], device.numbers[one.target]]
            else:
                yield ["read", outputs[one.target], device.numbers[one.source]]
    if count:
        yield ["start", count]


def _places(values: Sequence[SSAValue]) -> dict[SSAValue, int]:
    return {value: place for place, value in enumerate(values)}


class _Kernels:
    """The texts of kernels by name, each for one size of a block.

    WebGPU binds no part of memory twice in one start of a kernel. If a kernel takes a block of
    memory several times, its text is written for that.
    """

    def __init__(self, codes: Sequence[DeviceCode]):
        self._sources: dict[str, str] = {}
        for code in codes:
            for text in re.split(r"^(?=@group\(0\) @binding\(0\) )", code.source, flags=re.M):
                for name in _FUNCTION.findall(text):
                    self._sources[name] = text
        self._texts: dict[str, str] = {}

    def name(self, start: DeviceStart) -> str:
        """Return the name of the text that a start runs."""
        entry, first = start.launch.entry.data, _first_places(start.blocks)
        same = [place for place in range(len(first)) if first[place] != place]
        name = "_".join([entry, *(f"{first[place]}is{place}" for place in same)])
        text = self._sources[entry]
        for place in same:
            element = re.search(rf"\bb{place} : array<(\w+)>;", text)
            if element is None or f"b{first[place]} : array<{element[1]}>;" not in text:
                raise UserError(f"kernel '{entry}' reads one block as two types")
            text = re.sub(rf"^@group\(0\) @binding\({place}\) .*\n", "", text, flags=re.M)
            text = re.sub(rf"\bb{place}\b", f"b{first[place]}", text)
        for number, place in enumerate(sorted(set(first))):
            text = text.replace(f"@binding({place}) ", f"@binding({number}) ")
        sizes = ", ".join(map(str, start.launch.threads))
        text = text.replace(SIZES, sizes).replace(f"fn {entry}(", "fn main(")
        text = with_vector_buffers(text)
        if self._texts.setdefault(name, text) != text:
            raise UserError(f"kernel '{entry}' has blocks of several sizes")
        return name

    def blocks(self, start: DeviceStart) -> list[int]:
        """Return the blocks of memory that a start takes, each once."""
        return list(dict.fromkeys(start.blocks))

    def text(self, title: str) -> str:
        """Return the file with all texts, each after a line with its name."""
        kernels = (f"// kernel {name}\n{text}" for name, text in self._texts.items())
        return f"// The kernels of the network {title}.\n" + "".join(kernels)


def _first_places(blocks: Sequence[int]) -> list[int]:
    """Return for each place where its block is first."""
    return [blocks.index(block) for block in blocks]
