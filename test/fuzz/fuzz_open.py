"""Random chains whose batch stays open, and the inputs of runs with several numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from fuzz_case import FuzzCase, build_model
from fuzz_chains import EXTENTS, Chain
from fuzz_numbers import MOODS, Array
from fuzz_reference import sample

MOST = (6, 11, 19)
"""The largest numbers. No other axis has such an extent."""


def make_open(name: str, random: np.random.Generator, moods: Sequence[str] = MOODS) -> FuzzCase:
    """Return a chain along whose first axis each element is computed by itself."""
    while True:
        chain = OpenChain(name, random, moods)
        steps = int(random.integers(2, 7))
        for _ in range(25):
            if len(chain.nodes) >= steps:
                break
            chain.step_of_any()
        case = chain.open_case()
        if case is not None:
            return case


class OpenChain(Chain):
    """A chain whose tensors begin with the open axis, but for weights."""

    def __init__(self, name: str, random: np.random.Generator, moods: Sequence[str]):
        self.most = int(random.choice(MOST))
        super().__init__(name, random, moods)

    def open_case(self) -> FuzzCase | None:
        """Return the case, or ``None`` where a run of another number fails."""
        case = self.case()
        opened = [name for name, array in case.inputs.items() if array.shape[:1] == (self.most,)]
        if self.x not in self.values or not opened or not case.nodes:
            return None
        least = int(self.random.integers(1, 4))
        numbers = [least, *self.random.integers(least, self.most + 1, 2).tolist()]
        further = [
            {name: self._first(a, n) if name in opened else a for name, a in case.inputs.items()}
            for n in numbers
        ]
        runs = [case.inputs, *further]
        try:
            found = [sample(FuzzCase(self.name, case.model, fed)) for fed in runs]
        except Exception:  # an operator that is for one number only
            return None
        outputs = [{name: run[name] for name in case.outputs} for run in found]
        if any(a.shape[:1] != (n,) for n, run in zip(numbers, outputs[1:], strict=True)
               for a in run.values()):  # fmt: skip
            return None
        model = build_model(
            self.name,
            case.nodes,
            case.inputs,
            case.constants,
            outputs[0],
            further=[{**fed, **run} for fed, run in zip(further, outputs[1:], strict=True)],
        )
        return FuzzCase(self.name, model, case.inputs, further=further)

    def _first(self, array: Array, number: int) -> Array:
        """Return other elements of an input, for a number of them."""
        return np.ascontiguousarray(np.roll(array, number, 0)[:number])

    def step_of_any(self) -> None:
        if self.value.dtype.kind not in "fV" and self.random.random() < 0.8:
            self.cast()
            return
        rank = self.value.ndim
        own: list[tuple[float, Callable[[], None]]] = [
            (1.5, self.unary), (2, self.binary), (0.8, self.select), (0.3, self.clip),
            (0.3, self.cast), (0.4, self.shape), (0.6, self.end), (0.4, self.look),
        ]  # fmt: skip
        if rank > 1:
            own += [(0.5, self.softmax), (0.7, self.reduce), (1.2, self.move), (0.5, self.join),
                    (0.3, self.scan), (1.0, self.matmul), (0.4, self.layer_norm),
                    (0.3, self.look_up), (0.8, self.fold)]  # fmt: skip
        if rank in (3, 4):
            own += [(2, self.conv), (0.8, self.pool), (0.4, self.batch_norm), (0.4, self.resize)]
        if rank > 2:
            own.append((0.6, self.attend))
        weights = np.array([weight for weight, _ in own])
        own[int(self.random.choice(len(own), p=weights / weights.sum()))][1]()

    def known(self, array: Array, constant: bool | None = True) -> str:
        """Return a tensor; one with the open axis is an input."""
        return super().known(array, False if array.shape[:1] == (self.most,) else constant)

    def axis(self) -> int:
        return int(self.random.integers(1, self.value.ndim))

    def _axes(self) -> list[int]:
        rank = self.value.ndim
        number = int(self.random.integers(1, rank))
        return sorted(int(a) for a in 1 + self.random.choice(rank - 1, number, replace=False))

    def _shape(self, rank: int) -> list[int]:
        shape = [self.most, *super()._shape(max(rank - 1, 1))]
        while np.prod(shape) > 4000:
            place = 1 + int(np.argmax(shape[1:]))
            shape[place] //= 2
        return shape

    def _broadcast(self) -> list[int]:
        shape = super()._broadcast()
        # Without its first axis a tensor may have an extent that looks like the open one.
        return [1 if n == self.most and i else n for i, n in enumerate(shape)]

    def move(self) -> None:
        """Move numbers within the elements of the batch."""
        x, shape, random = self.x, self.value.shape, self.random
        rank, axis = len(shape), self.axis()
        match int(random.integers(8)):
            case 0 | 1:
                self.add("Transpose", x, perm=[0, *(1 + random.permutation(rank - 1)).tolist()])
            case 2:
                cut = int(random.integers(1, rank))
                to = self.pick((0, *shape[1:cut], -1), (-1, *shape[1:], 1), (0, 1, *shape[1:]),
                               (0, -1), (-1, *shape[:0:-1]))  # fmt: skip
                self.add("Reshape", x, self.integers(*to))
            case 3:
                start, step = int(random.integers(shape[axis])), int(random.choice([1, 1, 2, -1]))
                end = -(2**62) if step < 0 else 2**62
                self.add("Slice", x, *(self.integers(n) for n in (start, end, axis, step)))
            case 4:
                pads = [0, *random.integers(0, 3, rank - 1).tolist()] * 2
                mode = str(random.choice(["constant", "edge", "reflect"]))
                self.add("Pad", x, self.integers(*pads), mode=mode)
            case 5:
                wanted = random.integers(-shape[axis], shape[axis], 4)
                self.add("Gather", x, self.known(wanted, None), axis=axis)
            case 6:
                self.add("Flatten", x, axis=1)
            case _:
                times = [1] * rank
                times[axis] = 2
                self.add("Tile", x, self.integers(*times))

    def end(self) -> None:
        """Turn the open axis around, or join or pad elements at its ends and take as many again."""
        random, x, zeros = self.random, self.x, [0] * (self.value.ndim - 1)
        far, axis = self.integers(2**62), self.integers(0)
        before, after = random.integers(0, 3, 2).tolist()
        more = before + after
        bounds = [self.integers(more), far] if random.random() < 0.5 or not more else (
            [axis, self.integers(-more)])  # fmt: skip
        match int(random.integers(4)):
            case 0:
                one = self.integers(-1)
                self.add("Slice", x, one, self.integers(-(2**62)), axis, one)
                return
            case 1:
                mode = str(random.choice(["constant", "edge", "reflect", "wrap"]))
                made = self.add("Pad", x, self.integers(before, *zeros, after, *zeros), mode=mode)
            case 2:
                parts, made = [x], True
                for _ in range(more):
                    ends = ((-1, 2**62), (0, 1))[int(random.integers(2))]
                    made = made and self.add("Slice", x, *map(self.integers, (*ends, 0)))
                    parts.insert(int(random.integers(len(parts) + 1)), self.x)
                made = made and self.add("Concat", *parts, axis=0)
            case _:
                made = self.add("Neg", x) and self.add("Concat", x, self.x, axis=0)
                bounds = [self.integers(int(random.integers(2))), far, axis, self.integers(2)]
        if made and random.random() < 0.5:
            self.unary()
        if not made or not self.add("Slice", self.x, *bounds, *([axis] if len(bounds) < 4 else [])):
            self.x = x

    def fold(self) -> None:
        """Join the open axis with one around it, compute with both as one, and take them apart."""
        x, shape, random = self.x, self.value.shape, self.random
        turned = [1, 0, *range(2, len(shape))]
        inner = bool(random.random() < 0.5)
        rest = [-1] if inner else [-1, *shape[2:]]
        apart = [shape[1], -1, *shape[2:]]
        if not (
            self.add("Transpose", x, perm=turned)
            and self.add("Reshape", self.x, self.integers(*rest))
        ):
            self.x = x
            return
        self.unary()
        if inner and random.random() < 0.3:
            self.add("Softmax", self.x, axis=0)
        made = self.add("Reshape", self.x, self.integers(*apart))
        if not made or not self.add("Transpose", self.x, perm=turned):
            self.x = x

    def look(self) -> None:
        """Look along the open axis: take elements at its ends, order it, normalise along it."""
        x, value = self.x, self.value
        match int(self.random.integers(3)):
            case 0:
                places = self.random.integers(-1, 1, value.shape)
                self.add("GatherElements", x, self.known(places, False), axis=0)
            case 1 if np.isfinite(value).all() and len(np.unique(value)) == value.size:
                self.add("Shape", x)
                if self.add("Gather", self.x, self.integers(0), axis=0):
                    largest = int(self.random.integers(2))
                    made = self.add("TopK", x, self.x, outputs=2, axis=0, largest=largest)
                    # Of both outputs the chain goes on with the values.
                    self.x = f"{self.x.rpartition('_')[0]}_0" if made else x
                else:
                    self.x = x
            case _:
                # With a p of 1 the reference adds up elements, not what they are without a sign.
                self.add("LpNormalization", x, axis=0, p=2)

    def shape(self) -> None:
        """Reshape, or spread a constant, by what the model computes from the shape."""
        x, shape = self.x, self.value.shape
        self.add("Shape", x)
        self.add("Gather", self.x, self.known(np.array([0])), axis=0)
        batch = self.x
        if self.random.random() < 0.5:
            self.add("Concat", batch, self.integers(-1), axis=0)
            self.add("Reshape", x, self.x)
        else:
            rest = [int(self.random.choice(EXTENTS)), *shape[2:]]
            self.add("Concat", batch, self.integers(*rest), axis=0)
            token = self.tensor((1, *rest), True, self.values[x].dtype)
            if self.add("Expand", token, self.x) and len(shape) > 1:
                self.add("Concat", *map(str, self.random.permutation([x, self.x])), axis=1)
        if self.values[self.x].dtype != self.values[x].dtype:
            self.x = x

    def look_up(self) -> None:
        """Take rows of a table by an input of places."""
        rows, width = (int(self.random.choice(EXTENTS)) for _ in range(2))
        table = self.tensor((rows, width), True, self.dtype)
        places = self.random.integers(0, rows, (self.most, int(self.random.choice(EXTENTS))))
        if self.random.random() < 0.5:
            places = places.astype(np.int32)
        self.add("Gather", table, self.known(places, False), axis=0)

    def attend(self) -> None:
        """Multiply with what the batch has as another matrix for each of its elements."""
        x = self.x
        order = [*range(self.value.ndim - 2), self.value.ndim - 1, self.value.ndim - 2]
        if self.add("Transpose", x, perm=order):
            pair = (x, self.x) if self.random.random() < 0.5 else (self.x, x)
            if self.add("MatMul", *pair) and self.random.random() < 0.6:
                self.add("Softmax", self.x, axis=-1)
