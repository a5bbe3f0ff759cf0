"""Random trees as attributes of the operators of ai.onnx.ml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from onnx import numpy_helper

MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")
SPLITS = np.array([-2.5, -0.5, -0.0, 0.0, 0.5, 1.5, 30.0, np.inf, -np.inf], np.float32)
"""Numbers that rows of `SPECIAL` have, too."""


class Listed:
    """Lists of nodes and votes, as TreeEnsembleRegressor and TreeEnsembleClassifier take them."""

    def __init__(self, seed: int, features: int, modes: Sequence[str] = MODES[:1]):
        self.random = np.random.default_rng(seed)
        self.features, self.modes = features, modes
        self.trees: list[int] = []
        self.nodes: list[tuple[int, str, float, int, int, int]] = []
        self.votes: list[tuple[int, int, int, float]] = []

    def add_tree(self, number: int, depth: int, votes: Sequence[int], *, is_chain: bool = False):
        """Add a tree; each leaf votes for each of `votes`."""
        self._add(number, [0], depth, votes, is_chain)

    def _add(self, tree: int, used: list[int], depth: int, votes: Sequence[int], is_chain: bool):
        own = used[0]
        used[0] += 1
        if depth == 0:
            self.trees.append(tree)
            self.nodes.append((own, "LEAF", 0.0, 0, 0, 0))
            weights = self.random.standard_normal(len(votes)).astype(np.float32)
            self.votes += [(tree, own, v, float(w)) for v, w in zip(votes, weights, strict=True)]
            return
        place = len(self.nodes)
        self.trees.append(tree)
        self.nodes.append((0, "", 0.0, 0, 0, 0))
        known = self.random.random() < 0.5
        split = self.random.choice(SPLITS) if known else self.random.standard_normal()
        mode = str(self.random.choice(self.modes))
        first = used[0]
        self._add(tree, used, depth - 1 if self.random.random() < 0.8 else 0, votes, is_chain)
        second = used[0]
        self._add(tree, used, 0 if is_chain else depth - 1, votes, is_chain)
        split = float(np.float32(split))
        feature = int(self.random.integers(self.features))
        self.nodes[place] = (own, mode, split, feature, first, second)

    def attributes(self, kind: str, *, missing: bool = False, wide: bool = False):
        """Return what an op takes; `kind` is class or target, `wide` gives numbers as doubles."""
        ids, modes, splits, features, first, second = zip(*self.nodes, strict=True)
        vote_trees, vote_nodes, targets, weights = zip(*self.votes, strict=True)
        given: dict[str, object] = {
            "nodes_treeids": self.trees,
            "nodes_nodeids": ids,
            "nodes_modes": modes,
            "nodes_featureids": features,
            "nodes_truenodeids": first,
            "nodes_falsenodeids": second,
            f"{kind}_treeids": vote_trees,
            f"{kind}_nodeids": vote_nodes,
            f"{kind}_ids": targets,
        }
        if missing:
            given["nodes_missing_value_tracks_true"] = self.random.integers(0, 2, len(ids)).tolist()
        return given | numbers({"nodes_values": splits, f"{kind}_weights": weights}, wide=wide)


def numbers(given: Mapping[str, Sequence[float]], *, wide: bool) -> dict[str, object]:
    """Return lists of numbers as attributes: of 32 bits, or tensors of 64 under other names."""
    if not wide:
        return dict(given)
    arrays = {f"{name}_as_tensor": np.array(values) for name, values in given.items()}
    return {name: numpy_helper.from_array(array, name) for name, array in arrays.items()}
