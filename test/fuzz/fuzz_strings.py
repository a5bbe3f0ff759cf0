"""Random graphs on strings: moved, joined, cut, compared, matched, looked up, counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from fuzz_case import FuzzCase, build_model
from fuzz_numbers import MOODS, Array
from fuzz_reference import sample
from onnx import NodeProto, helper

ML = "ai.onnx.ml"
WORDS = ("a", "b", "ab", "A", "", "aB", "ba", "Hello World", "äöü ß", "Ünï", "a.b.c", " x ", "日本",
         "12", "😀", "z" * 20, "..", "_", "é", "a  b", "\t", "ŉ", "İ")  # fmt: skip
PATTERNS = ("a*b?", "[a-z]+", ".*", "", "(ab|ba)*", "[^a]*", r"\d+", r"[\w ]+", "a.b.c", r"\S{1,3}",
            "[A-Zß-ü ]+", "(a|b){2,4}")  # fmt: skip
DELIMITERS = ("", " ", ".", "b", "ab", "  ")
NUMBERS = (-3, 0, 1, 2, 5, 7)


def make_strings(name: str, random: np.random.Generator, moods: Sequence[str] = MOODS) -> FuzzCase:
    """Return a graph of some operators that take strings, or make them."""
    graph = _Strings(name, random)
    steps = int(random.integers(1, 7))
    for _ in range(30):
        if len(graph.nodes) >= steps:
            break
        graph.step()
    return graph.case() if graph.nodes else make_strings(name, random, moods)


class _Strings:
    """A graph under construction; what has an extent that depends on values ends it mostly."""

    def __init__(self, name: str, random: np.random.Generator):
        self.name, self.random = name, random
        self.nodes: list[NodeProto] = []
        self.inputs: dict[str, Array] = {}
        self.constants: dict[str, Array] = {}
        self.values: dict[str, Array] = {}
        self.counted: set[str] = set()
        rank = int(random.choice([0, 1, 1, 1, 2, 2, 3]))
        self.shape = [int(n) for n in random.choice([1, 2, 3, 4, 5, 8], rank)]
        self.text = self.known(self.words(self.shape), False)

    def case(self) -> FuzzCase:
        read = {name for node in self.nodes for name in node.input}
        made = [name for node in self.nodes for name in node.output if name]
        outputs = {n: self.values[n] for n in made if n not in read or self.random.random() < 0.2}
        held, fed = ({n: a for n, a in side.items() if n in read}
                     for side in (self.constants, self.inputs))  # fmt: skip
        model = build_model(self.name, self.nodes, fed, held, outputs)
        for value in model.graph.output:
            if value.name in self.counted:
                value.type.tensor_type.ClearField("shape")
        return FuzzCase(self.name, model, fed)

    def words(self, shape: Sequence[int]) -> Array:
        chosen = self.random.integers(0, len(WORDS), shape)
        few = self.random.choice(len(WORDS), 4)
        if self.random.random() < 0.5:
            chosen = few[chosen % 4]
        return np.array([WORDS[i] for i in np.ravel(chosen)], object).reshape(shape)

    def known(self, array: Array, constant: bool | None = None) -> str:
        name = f"c{len(self.values)}"
        if constant is None:
            constant = bool(self.random.random() < 0.5)
        (self.constants if constant else self.inputs)[name] = array
        self.values[name] = array
        return name

    def add(
        self, kind: str, *inputs: str, outputs: int = 1, domain: str = "", counts: bool = False,
        **attributes: object,
    ) -> Sequence[str]:  # fmt: skip
        """Add a node; returns its outputs, none where the reference cannot compute it."""
        names = [f"t{len(self.values)}_{i}" for i in range(outputs)]
        node = helper.make_node(kind, inputs, names, domain=domain, **attributes)
        model = build_model("draft", [node], {}, {}, {})
        try:
            known = {name: self.values[name] for name in inputs if name}
            found = sample(FuzzCase("draft", model, known))
        except Exception:  # a shape that the operator does not take
            return []
        if any(not 0 < found[name].size <= 400 for name in names):
            return []
        self.values |= {name: found[name] for name in names}
        if counts or any(name in self.counted for name in inputs):
            self.counted |= set(names)
        self.nodes.append(node)
        return names

    def any(self, *kinds: str) -> str:
        """Return a value of one of the kinds of NumPy, or the empty name."""
        found = [n for n, a in self.values.items() if a.dtype.kind in kinds and n in self.made()]
        fixed = [name for name in found if name not in self.counted]
        if fixed and (len(fixed) == len(found) or self.random.random() < 0.85):
            found = fixed
        return str(self.random.choice(found)) if found else ""

    def made(self) -> set[str]:
        return {self.text, *(name for node in self.nodes for name in node.output)}

    def texts(self) -> str:
        return self.any("O") if self.random.random() < 0.8 else self.text

    def pick(self, *choices: object) -> object:
        return choices[int(self.random.integers(len(choices)))]

    def step(self) -> None:
        choices: Sequence[Callable[[], object]] = (
            self.move, self.move, self.join, self.cut, self.normalise, self.match, self.encode,
            self.encode, self.encode_back, self.map, self.mark, self.compare, self.count,
            self.select, self.compute,
        )  # fmt: skip
        choices[int(self.random.integers(len(choices)))]()

    def move(self) -> None:
        x, random = self.texts(), self.random
        shape = self.values[x].shape
        rank = len(shape)
        axis = int(random.integers(rank)) if rank else 0
        match int(random.integers(9)):
            case 0 if rank:
                self.add("Transpose", x, perm=random.permutation(rank).tolist())
            case 1:
                to = self.pick((-1,), (1, -1), shape[::-1], (*shape, 1))
                self.add("Reshape", x, self.known(np.array(to, np.int64), True))
            case 2 if rank:
                wanted = random.integers(-shape[axis], shape[axis], self.pick((), (3,), (2, 2)))
                self.add("Gather", x, self.known(np.asarray(wanted)), axis=axis)
            case 3 if rank:
                more = [n for n, a in self.values.items()
                        if a.dtype == object and a.ndim == rank]  # fmt: skip
                other = str(random.choice(more))
                if random.random() < 0.4:
                    extents = list(shape)
                    extents[axis] = 2
                    other = self.known(self.words(extents))
                self.add("Concat", *map(str, random.permutation([x, other])), axis=axis)
            case 4 if rank:
                start, step = int(random.integers(shape[axis])), int(random.choice([1, 2, -1]))
                ends = (start, -(2**62) if step < 0 else 2**62, axis, step)
                self.add("Slice", x, *(self.known(np.array([n]), True) for n in ends))
            case 5:
                to = [2, *shape]
                self.add("Expand", x, self.known(np.array(to, np.int64), True))
            case 6 if rank:
                times = random.integers(1, 3, rank)
                self.add("Tile", x, self.known(times, True))
            case 7:
                self.add("Unsqueeze", x, self.known(np.array([0]), True))
            case _:
                self.add("Identity", x)

    def select(self) -> None:
        x = self.texts()
        shape = self.values[x].shape
        if self.random.random() < 0.5 or not shape:
            mask = self.known(self.random.random(shape) < 0.5, False)
            other = self.pick(self.known(self.words(())), self.known(self.words(shape)))
            self.add("Where", mask, *map(str, self.random.permutation([x, other])))
        else:
            axis = int(self.random.integers(len(shape)))
            kept = self.random.random(shape[axis]) < 0.6
            self.add("Compress", x, self.known(kept), counts=True, axis=axis)

    def join(self) -> None:
        x = self.texts()
        shape = self.values[x].shape
        other = self.pick(x, self.known(self.words(())), self.known(self.words(shape)))
        self.add("StringConcat", *map(str, self.random.permutation([x, other])))

    def cut(self) -> None:
        attributes: dict[str, object] = {"delimiter": str(self.pick(*DELIMITERS))}
        if self.random.random() < 0.4:
            attributes["maxsplit"] = int(self.random.integers(0, 3))
        self.add("StringSplit", self.texts(), outputs=2, counts=True, **attributes)

    def normalise(self) -> None:
        x = self.texts()
        if self.values[x].ndim not in (1, 2) or self.values[x].shape[:-1] not in ((), (1,)):
            return
        stop = [str(w) for w in self.words((int(self.random.integers(0, 4)),))]
        attributes: dict[str, object] = {"stopwords": stop} if stop else {}
        self.add(
            "StringNormalizer",
            x,
            counts=bool(stop),
            case_change_action=str(self.pick("NONE", "LOWER", "UPPER")),
            is_case_sensitive=int(self.random.integers(2)),
            **attributes,
        )

    def match(self) -> None:
        self.add("RegexFullMatch", self.texts(), pattern=str(self.pick(*PATTERNS)))

    def keys(self) -> list[str]:
        return list(dict.fromkeys(self.words((int(self.random.integers(1, 6)),)).tolist()))

    def encode(self) -> None:
        """Look strings up: numbers or other strings for them."""
        keys = self.keys()
        self.add("LabelEncoder", self.texts(), domain=ML, keys_strings=keys,
                 **self._values(len(keys)))  # fmt: skip

    def _values(self, count: int) -> dict[str, object]:
        match int(self.random.integers(3)):
            case 0:
                found: dict[str, object] = {"values_strings": self.words((count,)).tolist()}
                return found | ({"default_string": "none"} if self.random.random() < 0.5 else {})
            case 1:
                found = {"values_int64s": self.random.choice(NUMBERS, count).tolist()}
                return found | ({"default_int64": 3} if self.random.random() < 0.5 else {})
            case _:
                found = {"values_floats": [float(v) for v in self.random.choice(NUMBERS, count)]}
                return found | ({"default_float": 0.5} if self.random.random() < 0.5 else {})

    def numbers(self, dtype: type) -> str:
        """Return numbers that were computed from strings, or an input."""
        found = self.any("i" if dtype == np.int64 else "f")
        if found and self.values[found].dtype == dtype and self.random.random() < 0.7:
            return found
        shape = tuple(self.random.integers(1, 4, int(self.random.integers(0, 3))))
        array = self.random.choice(NUMBERS, shape)
        if dtype == np.float32 and self.random.random() < 0.4:
            array = np.where(self.random.random(shape) < 0.3, self.pick(np.nan, -0.0, 0.5), array)
        return self.known(np.asarray(array, dtype), False)

    def encode_back(self) -> None:
        """Look numbers up."""
        count = int(self.random.integers(1, 5))
        keys = self.random.choice(NUMBERS, count, replace=False).tolist()
        if self.random.random() < 0.6:
            x = self.numbers(np.int64)
            self.add("LabelEncoder", x, domain=ML, keys_int64s=keys, **self._values(count))
            return
        floats = [float(key) for key in keys]
        if self.random.random() < 0.3:
            floats[0] = float(self.pick(np.nan, 0.5, -0.0 if 0 not in keys else 0.5))
        self.add("LabelEncoder", self.numbers(np.float32), domain=ML, keys_floats=floats,
                 **self._values(count))  # fmt: skip

    def map(self) -> None:
        keys = self.keys()
        integers = self.random.choice(100, len(keys), replace=False).tolist()
        x = self.texts()
        if self.random.random() < 0.4:
            integers = list(NUMBERS[: len(keys)])
            x = self.numbers(np.int64)
        more = {"default_string": "?", "default_int64": 9} if self.random.random() < 0.5 else {}
        self.add("CategoryMapper", x, domain=ML, cats_strings=keys, cats_int64s=integers, **more)

    def mark(self) -> None:
        if self.random.random() < 0.6:
            self.add("OneHotEncoder", self.texts(), domain=ML, cats_strings=self.keys(), zeros=1)
        else:
            x = self.numbers(np.int64)
            self.add("OneHotEncoder", x, domain=ML, cats_int64s=list(NUMBERS[1:4]), zeros=1)

    def compare(self) -> None:
        x = self.texts()
        if self.random.random() < 0.5:
            other = self.known(self.words(self.pick((), self.values[x].shape)))
            self.add("Equal", x, other)
        elif self.values[x].ndim == 1 or self.random.random() < 0.5:
            self.add("Unique", x, outputs=int(self.random.integers(1, 5)), counts=True,
                     sorted=int(self.random.integers(2)))  # fmt: skip

    def count(self) -> None:
        """Count words and pairs of them."""
        x = self.texts()
        singles = self.keys()[:3]
        pairs = [*self.keys(), *self.keys()][:4]
        pairs = pairs[: len(pairs) // 2 * 2]
        columns = self.random.permutation(len(singles) + len(pairs) // 2).tolist()
        weights = (
            {"weights": [0.5 * (i + 1) for i in columns]} if self.random.random() < 0.5 else {}
        )
        self.add(
            "TfIdfVectorizer",
            x,
            mode=str(self.pick("TF", "IDF", "TFIDF")),
            min_gram_length=int(self.pick(1, 1, 2)),
            max_gram_length=2,
            max_skip_count=int(self.random.integers(0, 3)),
            ngram_counts=[0, len(singles)],
            ngram_indexes=columns,
            pool_strings=[*singles, *pairs],
            **weights,
        )

    def compute(self) -> None:
        """Compute with numbers that were looked up."""
        x = self.any("i", "f")
        if x:
            number = np.array(2, self.values[x].dtype)
            self.add(str(self.pick("Add", "Mul", "Max")), x, self.known(number, True))
