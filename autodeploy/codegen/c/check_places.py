"""Whether what is alive at one call of a planned program has bytes of its own."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr

from autodeploy.analysis.live_ranges import live_ranges, scratch_blocks
from autodeploy.analysis.memory_planner import Block, distances_of, kept_from
from autodeploy.analysis.overlaps import overlaps_of
from autodeploy.diagnostics import UserError
from autodeploy.dialects.driver import ProgramOp
from autodeploy.dialects.memref import aligned


def check_places(program: ProgramOp) -> None:
    """Raise ``UserError`` if two blocks share bytes that are alive at one call.

    They are buffers and the scratch of calls, in the arena or in an output. A call may fill one
    buffer over the part of another that it has read.
    """
    ranges, scratch = live_ranges(program), scratch_blocks(program)
    distances = distances_of(overlaps_of(program, ranges))
    blocks = [*ranges.values(), *scratch.values()]
    places = [(op.offset, op.output) for op in ranges]
    places += [(op.scratch, op.scratch_output) for op in scratch]
    sizes = [aligned(block.bytes) for block in blocks]
    for (offset, region), size, block in zip(places, sizes, blocks, strict=True):
        if offset is not None and region is None:
            begin = offset.value.data
            if any(begin < start < begin + size for _, start in program.pools):
                raise UserError(f"{_text(block, offset)} are in two pools")
    live: list[int] = []
    for i in sorted(range(len(blocks)), key=lambda i: blocks[i].first):
        live = [j for j in live if blocks[j].last >= blocks[i].first]
        for j in live:
            (offset, region), (other, beside) = places[i], places[j]
            if offset is None or other is None or region != beside:
                continue
            start, end = kept_from(i, j, sizes, distances)
            begin = offset.value.data - other.value.data
            if begin + sizes[i] > start and begin < end:
                raise UserError(
                    f"{_text(blocks[i], offset)} and {_text(blocks[j], other)} share bytes that "
                    "are alive at one call"
                )
        if sizes[i]:
            live.append(i)


def _text(block: Block, offset: IntegerAttr) -> str:
    return f"{block.bytes} bytes at offset {offset.value.data}"
