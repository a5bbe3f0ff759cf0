"""Random chains with RNN, GRU and LSTM: sizes, directions, activations, lengths, states."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from fuzz_case import FuzzCase
from fuzz_chains import EXTENTS, Chain
from fuzz_numbers import MOODS, QUIET

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
FUNCTIONS = {"RNN": 1, "GRU": 2, "LSTM": 3}
"""Activations of a direction."""
ACTIVATIONS = ("Tanh", "Sigmoid", "Relu", "HardSigmoid", "Softsign", "LeakyRelu", "Elu", "Affine",
               "ScaledTanh", "ThresholdedRelu", "Softplus")  # fmt: skip
ALPHAS = {"Affine": 0.5, "ScaledTanh": 0.5, "HardSigmoid": 0.3, "LeakyRelu": 0.02,
          "ThresholdedRelu": 0.5, "Elu": 0.7}  # fmt: skip
BETAS = {"Affine": 0.25, "ScaledTanh": 2.0, "HardSigmoid": 0.4}


def make_recurrent(
    name: str, random: np.random.Generator, moods: Sequence[str] = MOODS
) -> FuzzCase:
    """Return a recurrent network of one layer or two, and what follows it."""
    while True:
        chain = RecurrentChain(name, random)
        if chain.layer():
            break
    if random.random() < 0.3 and chain.next_layer():
        chain.layer()
    for _ in range(int(random.integers(0, 3))):
        chain.step() if chain.value.ndim else chain.unary()
    return chain.case()


class RecurrentChain(Chain):
    """A chain that begins with rows of steps; numbers are ordinary, as steps feed each other."""

    def __init__(self, name: str, random: np.random.Generator):
        super().__init__(name, random, QUIET)
        self.dtype = np.dtype(np.float32)
        self.large = False
        steps, batch, width = (int(random.choice(EXTENTS[:11])) for _ in range(3))
        self.x = self.tensor((steps, batch, width), False)

    def next_layer(self) -> bool:
        """Put the directions of a layer beside each other, as networks of several layers do."""
        if self.value.ndim != 4 or self.value.shape[1] * self.value.shape[3] > 64:
            return False
        return self.add("Transpose", self.x, perm=[0, 2, 1, 3]) and self.add(
            "Reshape", self.x, self.integers(0, 0, -1)
        )

    def layer(self) -> bool:
        """Add RNN, GRU or LSTM over the first axis, or with the batch first over the second."""
        random, first = self.random, self.random.random() < 0.2
        kind = str(self.pick(*GATES))
        direction = str(self.pick("forward", "reverse", "bidirectional"))
        directions = 2 if direction == "bidirectional" else 1
        steps, batch, width = self.value.shape
        if first:
            steps, batch = batch, steps
        hidden, constant = int(random.choice([1, 3, 5, 8, 16, 17])), random.random() < 0.85
        gates = GATES[kind] * hidden
        inputs = [self.x, *(self._weight(constant, directions, gates, n) for n in (width, hidden))]
        inputs.append(
            self._weight(constant, directions, 2 * gates) if random.random() < 0.7 else ""
        )
        lengths = random.integers(0 if random.random() < 0.3 else 1, steps + 1, batch)
        inputs.append(self.known(lengths.astype(np.int32), None) if random.random() < 0.3 else "")
        state = (batch, directions, hidden) if first else (directions, batch, hidden)
        for _ in range(2 if kind == "LSTM" else 1):
            inputs.append(self.tensor(state, False) if random.random() < 0.4 else "")
        if kind == "LSTM" and random.random() < 0.2:
            inputs.append(self._weight(True, directions, 3 * hidden))
        attributes: dict[str, object] = {"hidden_size": hidden, "direction": direction}
        if first:
            attributes["layout"] = 1
        if kind == "GRU":
            attributes["linear_before_reset"] = int(random.integers(2))
        if kind == "LSTM" and random.random() < 0.15:
            attributes["input_forget"] = 1
        if random.random() < 0.2:
            attributes["clip"] = float(self.pick(0.25, 3.0))
        if random.random() < 0.3:
            attributes |= self._activations(FUNCTIONS[kind] * directions)
        return self.add(kind, *inputs, outputs=3 if kind == "LSTM" else 2, **attributes)

    def _weight(self, constant: bool, *shape: int) -> str:
        array = self.random.standard_normal(shape) * 0.6 / max(shape[-1], 1) ** 0.5
        return self.known(array.astype(np.float32), bool(constant))

    def _activations(self, number: int) -> dict[str, object]:
        names = [str(self.pick(*ACTIVATIONS)) for _ in range(number)]
        if self.random.random() < 0.5:  # with their own parameters
            plain = {"Affine", "ScaledTanh", "ThresholdedRelu"}
            return {"activations": [n if n not in plain else "Tanh" for n in names]}
        found: dict[str, object] = {"activations": names}
        for key, table in (("activation_alpha", ALPHAS), ("activation_beta", BETAS)):
            if given := [table[name] for name in names if name in table]:
                found[key] = given
        return found
