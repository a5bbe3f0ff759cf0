"""Products of matrices on tensor cores, as text in PTX.

A block of four warps computes a tile of a product. For ``WORDS`` words of each row of both factors
at a time, its threads read their elements, round them, and write them to the memory that they
share. Each warp then multiplies a quarter of the tile. The next elements are read meanwhile.

A word has one factor of 19 bits (tf32), or two neighbours of 16 bits along the sums. Counted in
words, ``mma.sync`` has the same layout of its operands for all types: thread t of a group g of four
has words t and t + 4 of rows g and g + 8 of the left factor, and of column g of the right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from autodeploy.dialects.halide.tensor_cores import PACKED, Factor, Product

WORDS = 16
"""Words of each row that the threads of a block share."""

THREADS = 128
_STEP = 8
"""Words of each row that one instruction multiplies."""

_MMA = {
    "tf32": "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
    "f16": "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    "bf16": "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
}


def tensor_text(
    entry: str, product: Product, element: str, tile: tuple[int, int], before: tuple[int, int]
) -> tuple[str, tuple[int, int, int]]:
    """Return a kernel that computes a product in tiles of columns by rows, and its blocks.

    It takes both factors and the result, which is dense, with columns innermost. ``before`` are the
    elements before the first one of each factor in its memory.
    """
    columns, rows = tile
    rank = len(product.extents) - product.summed
    counts = product.extents[0], prod(product.extents[1 : 1 + product.row_count])
    stack = prod(product.extents[1 + product.row_count : rank])
    grid = (-(-counts[1] // rows), -(-counts[0] // columns), stack)
    return _Writer(entry, product, element, tile, before).text(), grid


class _Side:
    """A factor as a block reads it: ``size`` rows of the tile, or columns of the right factor.

    If ``is_along``, neighbours along the sums are side by side in memory, and a thread reads them
    at once: ``lanes`` of them. Then a row is contiguous in shared memory, else a word of all rows.
    A little room after each keeps threads of a warp out of each other's banks.
    """

    def __init__(
        self, factor: Factor, size: int, axes: range, product: Product, pack: int, before: int
    ):
        steps, extents = factor.steps, product.extents
        inner = len(extents) - product.summed
        self.size, self.axes, self.factor = size, axes, factor
        self.first = factor.first + before
        self.count = prod(extents[axis] for axis in axes)
        self.inner_step = steps[inner]
        own = axes[0]
        single = len([a for a in axes if extents[a] > 1]) <= 1
        self.is_along = self.inner_step == 1 or steps[own] != 1
        if self.is_along:
            vector, length = (inner, extents[inner]) if self.inner_step == 1 else (None, 1)
        else:
            vector, length = (own, extents[own]) if single else (None, 1)
        # A vector begins at a multiple of its length, whatever the variables.
        others = [s for a, s in enumerate(steps) if a != vector and extents[a] > 1]
        self.lanes = next(
            n for n in (4, 2, 1) if not any(x % n for x in (length, self.first, *others))
        )
        self.taken = max(self.lanes, pack) if self.is_along else pack
        """Elements along the sums that a thread reads for a row."""
        self.pitch = WORDS + 4 if self.is_along else size + 8
        self.words = self.pitch * (size if self.is_along else WORDS)
        across = WORDS * pack // self.taken if self.is_along else size // self.lanes
        self.across = across
        """Threads along the contiguous axis of shared memory."""
        units = WORDS * across if not self.is_along else size * across
        self.units = units // THREADS

    def place(self, row: int, word: int) -> int:
        """Return the byte of shared memory at which a word of a row is."""
        return 4 * (row * self.pitch + word if self.is_along else word * self.pitch + row)


class _Writer:
    """Writes the text of one kernel."""

    def __init__(
        self,
        entry: str,
        product: Product,
        element: str,
        tile: tuple[int, int],
        before: tuple[int, int],
    ):
        self.entry, self.product, self.element = entry, product, element
        self.pack = PACKED[element]
        self.depth = WORDS * self.pack
        columns, rows = tile
        row_axes = range(1, 1 + product.row_count)
        self.left = _Side(product.left, rows, row_axes, product, self.pack, before[0])
        self.right = _Side(product.right, columns, range(1), product, self.pack, before[1])
        self.inner = product.extents[-product.summed :]
        """Extents of the sums, that of the innermost one first."""
        self.lines: list[str] = []
        self.counts: dict[str, int] = {}

    def new(self, kind: str = "b32") -> str:
        """Return a new register."""
        number = self.counts.get(kind, 0)
        self.counts[kind] = number + 1
        return f"%{kind}_{number}"

    def do(self, line: str) -> None:
        """Write an instruction."""
        self.lines.append(f"\t{line};")

    def made(self, line: str, *operands: object, kind: str = "b32") -> str:
        """Write an instruction, and return the register of its result."""
        result = self.new(kind)
        self.do(f"{line} {', '.join(map(str, (result, *operands)))}")
        return result

    def sum(self, x: str, *terms: object) -> str:
        """Return a register plus further terms; those that are 0 cost nothing."""
        for term in terms:
            x = x if term == 0 else self.made("add.u32", x, term)
        return x

    def times(self, x: str, factor: int) -> str:
        """Return a register multiplied by a constant."""
        return x if factor == 1 else self.made("mul.lo.u32", x, factor)

    def divided(self, x: str, by: int) -> tuple[str, str]:
        """Return a quotient and a remainder by a power of two."""
        high = self.made("shr.u32", x, by.bit_length() - 1)
        return high, self.made("and.b32", x, by - 1)

    def text(self) -> str:
        """Return the kernel."""
        size = 4 * (self.left.words + self.right.words)
        self._write()
        parameters = ",\n".join(f"\t.param .u64 {self.entry}_param_{n}" for n in range(3))
        registers = [
            f"\t.reg .{kind} \t%{kind}_<{count}>;" for kind, count in sorted(self.counts.items())
        ]
        shared = f"\t.shared .align 16 .b8 shared_words[{size}];"
        head = [f".visible .entry {self.entry}(", parameters, ")", "{", *registers, shared]
        return "\n".join([*head, *self.lines, "}", ""])

    def _write(self) -> None:
        pointers = [
            self.made("cvta.to.global.u64", self._parameter(n), kind="b64") for n in range(3)
        ]
        thread, *block = (
            self.made("mov.u32", name) for name in ("%tid.x", "%ctaid.x", "%ctaid.y", "%ctaid.z")
        )
        shared = self.made("mov.u32", "shared_words")
        left = _Reader(self, self.left, pointers[0], thread, block[0], block[2])
        left.store_at(shared, 0)
        right = _Reader(self, self.right, pointers[1], thread, block[1], block[2])
        right.store_at(shared, 4 * self.left.words)
        sums = _Sums(self, thread, shared)
        steps = _Steps(self, (left, right))
        left.load()
        right.load()
        steps.advance()
        self.lines.append("$NEXT:")
        left.store()
        right.store()
        self.do("bar.sync 0")
        last = steps.count_down()
        self.do(f"@{last} bra $MULTIPLY")
        left.load()
        right.load()
        steps.advance()
        self.lines.append("$MULTIPLY:")
        sums.add_products()
        self.do("bar.sync 0")
        self.do(f"@!{last} bra $NEXT")
        sums.write(pointers[2], block)
        self.do("ret")

    def _parameter(self, number: int) -> str:
        return self.made("ld.param.u64", f"[{self.entry}_param_{number}]", kind="b64")


class _Reader:
    """Reads the elements of a side, and writes their words to shared memory."""

    def __init__(
        self, writer: _Writer, side: _Side, pointer: str, thread: str, block: str, stack: str
    ):
        self.writer, self.side, self.pointer = writer, side, pointer
        do = writer
        extents, steps = do.product.extents, side.factor.steps
        down, self.across = do.divided(thread, side.across)
        self.downs = [do.sum(down, n * (THREADS // side.across)) for n in range(side.units)]
        first = do.made("mov.u32", side.first)
        rank = len(extents) - do.product.summed
        for axis in range(1 + do.product.row_count, rank):
            stack, index = self._split(stack, extents[axis], axis == rank - 1)
            first = do.sum(first, do.times(index, steps[axis])) if steps[axis] else first
        begin = do.times(block, side.size)
        rows = (
            self.downs if side.is_along else [do.times(self.across, side.lanes)] * len(self.downs)
        )
        self.places: list[str] = []
        self.inside: list[str | None] = []
        self.alongs: list[str] = []
        """The first step along the sums of each unit."""
        known: dict[str, tuple[str, str | None]] = {}
        for row, word in zip(rows, self.downs, strict=True):
            if row not in known:
                known[row] = self._row(do.sum(begin, row), first)
            place, inside = known[row]
            along = do.times(self.across if side.is_along else word, side.taken)
            self.alongs.append(along)
            self.places.append(do.sum(place, do.times(along, side.inner_step)))
            self.inside.append(inside)
        self.offset = do.made("mov.u32", 0)
        """The elements between those of the first step and those of the next one."""
        self.step = do.made("mov.u32", 0)
        """The step along the innermost sum of the elements that are read next."""
        self.values: list[str] = [do.new() for _ in range(side.units * side.taken * self._rows)]

    @property
    def _rows(self) -> int:
        return 1 if self.side.is_along else self.side.lanes

    def _split(self, number: str, extent: int, is_last: bool) -> tuple[str, str]:
        """Return the quotient and the remainder by an extent."""
        if extent == 1:
            return number, self.writer.made("mov.u32", 0)
        if is_last:
            return number, number
        index = self.writer.made("rem.u32", number, extent)
        return self.writer.made("div.u32", number, extent), index

    def _row(self, row: str, first: str) -> tuple[str, str | None]:
        """Return the place of the first element of a row, and whether there is such a row."""
        do, side = self.writer, self.side
        inside = None
        if side.count % side.size:
            inside = do.made("setp.lt.u32", row, side.count, kind="pred")
        place, rest = first, row
        axes = [axis for axis in side.axes if do.product.extents[axis] > 1]
        for axis in axes:
            rest, index = self._split(rest, do.product.extents[axis], axis == axes[-1])
            place = do.sum(place, do.times(index, side.factor.steps[axis]))
        return place, inside

    def store_at(self, shared: str, start: int) -> None:
        """Compute where the words of a thread are in shared memory, which begins at ``start``."""
        do, side = self.writer, self.side
        long = side.taken // do.pack if side.is_along else side.lanes
        inner = do.times(self.across, 4 * long)
        self.stores = [
            do.sum(shared, start, inner, do.times(down, 4 * side.pitch)) for down in self.downs
        ]

    def load(self) -> None:
        """Read the elements of the next step."""
        do, side = self.writer, self.side
        limit = do.inner[0]
        for unit, (place, inside) in enumerate(zip(self.places, self.inside, strict=True)):
            at = do.made("add.u32", place, self.offset)
            address = do.made("mad.wide.u32", at, 4, self.pointer, kind="b64")
            begin = do.made("add.u32", self.alongs[unit], self.step) if limit % do.depth else ""
            values = self._values(unit)
            loads = side.taken // side.lanes if side.is_along else side.taken
            for number in range(loads):
                own = values[number * side.lanes : (number + 1) * side.lanes]
                ahead = number * (side.lanes if side.is_along else 1)
                guard = inside
                if begin:
                    step = do.sum(begin, ahead)
                    guard = do.made("setp.lt.u32", step, limit, kind="pred")
                    if inside is not None:
                        guard = do.made("and.pred", guard, inside, kind="pred")
                for value in own if guard else ():
                    do.do(f"mov.b32 {value}, 0")
                self._load(own, guard, address, 4 * ahead * side.inner_step)

    def _load(self, values: Sequence[str], guard: str | None, address: str, ahead: int) -> None:
        vector = f".v{len(values)}" if len(values) > 1 else ""
        listed = f"{{{', '.join(values)}}}" if vector else values[0]
        condition = f"@{guard} " if guard else ""
        self.writer.do(f"{condition}ld.global.nc{vector}.b32 {listed}, [{address}+{ahead}]")

    def _values(self, unit: int) -> list[str]:
        """Return the elements of a unit, in the order in which they are read."""
        size = self.side.taken * self._rows
        return self.values[unit * size : (unit + 1) * size]

    def store(self) -> None:
        """Round the elements that were read, and write their words."""
        do, side, pack = self.writer, self.side, self.writer.pack
        for unit, place in enumerate(self.stores):
            values = self._values(unit)
            # Neighbours along the sums are a word.
            step = 1 if side.is_along else side.lanes
            count = side.taken // pack if side.is_along else side.lanes
            words = [
                self._word([values[number * (pack if side.is_along else 1) + step * n]
                            for n in range(pack)])
                for number in range(count)
            ]  # fmt: skip
            vector = f".v{count}" if count > 1 else ""
            listed = f"{{{', '.join(words)}}}" if vector else words[0]
            do.do(f"st.shared{vector}.b32 [{place}], {listed}")

    def _word(self, values: Sequence[str]) -> str:
        """Return factors as a word; the first of two is the lower half."""
        kind = self.writer.element
        if len(values) == 1:
            return self.writer.made(f"cvt.rna.{kind}.f32", *values)
        return self.writer.made(f"cvt.rn.{kind}x2.f32", *reversed(values))


class _Steps:
    """The loop over the sums: over depths of the innermost one, within loops over the others."""

    def __init__(self, writer: _Writer, readers: Sequence[_Reader]):
        self.writer, self.readers = writer, readers
        self.depths = -(-writer.inner[0] // writer.depth)
        self.others = [(n, writer.made("mov.u32", 0)) for n in writer.inner[1:] if n > 1]
        self.axes = [n for n, extent in enumerate(writer.inner) if n and extent > 1]
        self.left = writer.made("mov.u32", self.depths * prod(writer.inner[1:]))

    def advance(self) -> None:
        """Go on to the next step."""
        do = self.writer
        inner = len(do.product.extents) - do.product.summed
        length = self.depths * do.depth
        for reader in self.readers:
            do.do(f"add.u32 {reader.step}, {reader.step}, {do.depth}")
            ahead = do.depth * reader.side.inner_step
            do.do(f"add.u32 {reader.offset}, {reader.offset}, {ahead}")
        counter, limit, axis = self.readers[0].step, length, 0
        for (extent, own), number in zip(self.others, self.axes, strict=True):
            done = do.made("setp.eq.u32", counter, limit, kind="pred")
            for reader in self.readers:
                steps = reader.side.factor.steps
                moved = steps[inner + number] - limit * steps[inner + axis]
                ahead = do.made("selp.b32", moved, 0, done)
                do.do(f"add.s32 {reader.offset}, {reader.offset}, {ahead}")
                if axis == 0:
                    do.do(f"selp.b32 {reader.step}, 0, {reader.step}, {done}")
            if axis:
                do.do(f"selp.b32 {counter}, 0, {counter}, {done}")
            do.do(f"add.u32 {own}, {own}, {do.made('selp.b32', 1, 0, done)}")
            counter, limit, axis = own, extent, number

    def count_down(self) -> str:
        """Return whether this is the last step."""
        self.writer.do(f"add.s32 {self.left}, {self.left}, -1")
        return self.writer.made("setp.eq.u32", self.left, 0, kind="pred")


class _Sums:
    """The sums of a warp: a quarter of the tile, in the registers of its threads."""

    def __init__(self, writer: _Writer, thread: str, shared: str):
        self.writer = writer
        self.rows, self.columns = writer.left.size // 2, writer.right.size // 2
        warp, lane = writer.divided(thread, 32)
        self.group, self.within = writer.divided(lane, 4)
        down, across = writer.divided(warp, 2)
        self.row = writer.sum(writer.times(down, self.rows), self.group)
        self.column = writer.times(across, self.columns)
        column = writer.sum(self.column, self.group)
        self.starts = [
            self._start(side, own, shared, before)
            for side, own, before in (
                (writer.left, self.row, 0),
                (writer.right, column, 4 * writer.left.words),
            )
        ]
        self.sums = {
            (i, j): [writer.made("mov.f32", "0f00000000", kind="f32") for _ in range(4)]
            for i in range(self.rows // 16)
            for j in range(self.columns // 8)
        }

    def _start(self, side: _Side, own: str, shared: str, before: int) -> str:
        """Return where the first word of a thread is."""
        do = self.writer
        row, word = do.times(own, side.place(1, 0)), do.times(self.within, side.place(0, 1))
        return do.sum(shared, before, row, word)

    def add_products(self) -> None:
        """Add the products of the words in shared memory."""
        do = self.writer
        for word in range(0, WORDS, _STEP):
            left = [
                [self._word(0, 16 * i + 8 * (n % 2), word + 4 * (n // 2)) for n in range(4)]
                for i in range(self.rows // 16)
            ]
            for j in range(self.columns // 8):
                right = [self._word(1, 8 * j, word + 4 * n) for n in range(2)]
                for i, words in enumerate(left):
                    own = f"{{{', '.join(self.sums[i, j])}}}"
                    a, b = (f"{{{', '.join(part)}}}" for part in (words, right))
                    do.do(f"{_MMA[do.element]} {own}, {a}, {b}, {own}")

    def _word(self, number: int, row: int, word: int) -> str:
        side = (self.writer.left, self.writer.right)[number]
        return self.writer.made("ld.shared.b32", f"[{self.starts[number]}+{side.place(row, word)}]")

    def write(self, pointer: str, block: Sequence[str]) -> None:
        """Write all sums of the tile that the result has."""
        do = self.writer
        width, height = do.right.count, do.left.count
        start = do.made("mad.wide.u32", block[2], 4 * width * height, pointer, kind="b64")
        row = do.sum(do.times(block[0], do.left.size), self.row)
        column = do.sum(do.times(block[1], do.right.size), self.column, do.times(self.within, 2))
        at = do.made("mad.lo.u32", row, width, column)
        place = do.made("mad.wide.u32", at, 4, start, kind="b64")
        for i in range(self.rows // 16):
            for half in range(2):
                down = 16 * i + 8 * half
                inside = self._inside(row, down, height, do.left.size)
                for j in range(self.columns // 8):
                    pair = self.sums[i, j][2 * half : 2 * half + 2]
                    self._write_pair(pair, place, down * width + 8 * j, column, 8 * j, inside)

    def _write_pair(
        self,
        pair: Sequence[str],
        place: str,
        ahead: int,
        column: str,
        across: int,
        inside: str | None,
    ) -> None:
        """Write two neighbours, at once where rows of the result have whole pairs."""
        do, width = self.writer, self.writer.right.count
        size = 1 if width % 2 else 2
        for number in range(0, 2, size):
            there = self._inside(column, across + number, width, do.right.size)
            if there and inside:
                there = do.made("and.pred", there, inside, kind="pred")
            guard = there or inside
            condition = f"@{guard} " if guard else ""
            address = f"[{place}+{4 * (ahead + number)}]"
            stored = f".v2.b32 {address}, {{{', '.join(pair)}}}"
            if size == 1:
                stored = f".b32 {address}, {pair[number]}"
            do.do(f"{condition}st.global{stored}")

    def _inside(self, place: str, ahead: int, count: int, tile: int) -> str | None:
        """Return whether a row or a column is one of the result; ``None`` if all are."""
        if count % tile == 0:
            return None
        return self.writer.made("setp.lt.u32", self.writer.sum(place, ahead), count, kind="pred")
