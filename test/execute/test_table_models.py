"""Models of tables: forests, boosted trees, support vectors; what is refused of them."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
from closeness import assert_close
from onnx import ModelProto, defs, helper
from sanitized_program import check_sanitized
from tree_models import MODES, Listed

import autodeploy
from autodeploy.diagnostics import UserError

FEATURES, LABELS = 20, ["setosa", "virginica", "versicolor"]


def _model(op_type: str, rows: int, columns: int = 0, labels: int = 1, **attributes: object):
    """Return a model of one node; with ``columns`` it is a classifier, ``labels`` their type."""
    x = helper.make_tensor_value_info("x", 1, [rows, FEATURES])
    outputs = [helper.make_tensor_value_info("z", 1, [rows, columns or 1])]
    if columns:
        outputs.insert(0, helper.make_tensor_value_info("y", labels, [rows]))
    names = [output.name for output in outputs]
    node = helper.make_node(op_type, ["x"], names, "table", domain="ai.onnx.ml", **attributes)
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("ai.onnx.ml", 3)]
    graph = helper.make_graph([node], "table", [x], outputs)
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def _rows(count: int) -> np.ndarray:
    return np.random.default_rng(count).standard_normal((count, FEATURES)).astype(np.float32)


def _forest(rows: int) -> ModelProto:
    """Return a forest of 100 trees, whose leaves vote for three classes."""
    listed = Listed(1, FEATURES)
    for tree in range(100):
        listed.add_tree(tree, 7, range(3))
    trees = listed.attributes("class")
    trees["class_weights"] = [abs(weight) / 100 for weight in trees["class_weights"]]
    return _model("TreeEnsembleClassifier", rows, 3, 8, classlabels_strings=LABELS, **trees)


def _boosted(rows: int) -> ModelProto:
    """Return 60 small trees that correct one score of two classes; nan goes either way."""
    listed = Listed(2, FEATURES, ["BRANCH_LT"])
    for tree in range(60):
        listed.add_tree(tree, 4, [0])
    return _model("TreeEnsembleClassifier", rows, 2, 7, classlabels_int64s=[0, 1],
                  post_transform="LOGISTIC", base_values=[-0.25],
                  **listed.attributes("class", missing=True))  # fmt: skip


def _machine(rows: int) -> ModelProto:
    """Return support vectors of three classes with probabilities."""
    random = np.random.default_rng(4)

    def some(count: int) -> list[float]:
        return random.standard_normal(count).astype(np.float32).tolist()

    return _model("SVMClassifier", rows, 3, 8, classlabels_strings=LABELS, kernel_type="RBF",
                  kernel_params=[0.05, 0.0, 3.0], vectors_per_class=[12, 20, 8],
                  support_vectors=some(40 * FEATURES), coefficients=some(80), rho=some(3),
                  prob_a=[-1.5, -1.0, -2.0], prob_b=some(3))  # fmt: skip


MODELS = {"forest": _forest, "boosted": _boosted, "machine": _machine}


def _expected(model: ModelProto, x: np.ndarray) -> list[np.ndarray]:
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return [np.asarray(value) for value in session.run(None, {"x": x})]


@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_models_of_tables(name, level):
    x = _rows(70)
    x[::3, ::2] = np.nan
    x[1, :4] = [np.inf, -np.inf, 0.0, -0.0]
    model = MODELS[name](70)
    with autodeploy.compile(model.SerializeToString(), level=level) as session:
        label, score = session.run(x).values()
    labels, scores = _expected(model, x)
    assert_close(score, scores)
    assert len(set(labels.tolist())) > 1
    assert label.tolist() == labels.tolist()


@pytest.mark.parametrize("name", MODELS)
def test_the_number_of_rows_is_open(name):
    model = MODELS[name](1)
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "N"
    with autodeploy.compile(model.SerializeToString(), dynamic={"N": (1, 70)}) as session:
        for count in (1, 65, 70):
            x = _rows(count)
            label, score = session.run(x).values()
            labels, scores = _expected(model, x)
            assert label.tolist() == labels.tolist()
            assert_close(score, scores)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", MODELS)
def test_sanitizers_find_nothing(name, tmp_path):
    model, runs = MODELS[name](1), []
    for x in (_rows(1), np.full((1, FEATURES), np.nan, np.float32)):
        labels, scores = _expected(model, x)
        if np.isfinite(scores).all():
            labels = np.array([text.encode() for text in labels]) if name != "boosted" else labels
            runs.append(({"x": x}, [labels, scores]))

    def check(found, right):
        assert found[0].tolist() == right[0].tolist()
        assert_close(found[1], right[1])

    assert runs
    check_sanitized(model.SerializeToString(), tmp_path, runs, check)


def _some_trees(**changes: object) -> dict[str, object]:
    listed = Listed(5, FEATURES, MODES)
    listed.add_tree(0, 1, [0])
    return {**listed.attributes("target"), "n_targets": 1, **changes}


REFUSED = {
    "lists": (_some_trees(nodes_values=[0.0]), "attributes of nodes must have 3 entries each"),
    "votes": (_some_trees(target_ids=[0]), "attributes of votes must have 2 entries each"),
    "mode": (_some_trees(nodes_modes=["A", "LEAF", "LEAF"]), "mode of its trees is A, which is un"),
    "feature": (_some_trees(nodes_featureids=[20, 0, 0]), "feature of its trees is 20, outside"),
    "below": (_some_trees(nodes_featureids=[-1, 0, 0]), "feature of its trees is -1, outside"),
    "node": (_some_trees(nodes_truenodeids=[9, 0, 0]), "tree 0 has no node 9"),
    "vote": (_some_trees(target_nodeids=[1, 7]), "tree 0 has no node 7"),
    "target": (_some_trees(target_ids=[0, 1]), "target of its trees is 1, outside of its range"),
    "circle": (_some_trees(nodes_truenodeids=[0, 0, 0]), "node 0 of its trees is below two others"),
    "twice": (_some_trees(nodes_nodeids=[0, 1, 1]), "a node of its trees is there twice"),
    "order": (_some_trees(nodes_modes=["LEAF", "LEAF", "BRANCH_LT"], nodes_truenodeids=[0, 0, 0]),
              "the first node of a tree is a leaf below another"),
    "nan": (_some_trees(target_weights=[float("nan"), 1.0]), "a weight of its leaves is nan"),
    "targets": (_some_trees(n_targets=0), "'n_targets' must be 1 or more, found 0"),
    "base": (_some_trees(base_values=[1.0, 2.0]), "'base_values' must have 1 entries, found 2"),
    "aggregate": (_some_trees(aggregate_function="MODE"), "'aggregate_function' must be one of"),
    "transform": (_some_trees(post_transform="TANH"), "'post_transform' must be one of"),
    "one": (_some_trees(post_transform="SOFTMAX"), "SOFTMAX for one score is not supported"),
    "tree": ({"n_targets": 1}, "it has no tree"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_trees_that_are_refused(name):
    attributes, message = REFUSED[name]
    with pytest.raises(UserError, match=message):
        autodeploy.compile(_model("TreeEnsembleRegressor", 2, **attributes).SerializeToString())


_VECTORS = {
    "classlabels_ints": [1, 2], "coefficients": [1.0, 1.0], "rho": [0.0], "kernel_type": "RBF",
    "kernel_params": [0.5, 0.0, 3.0], "vectors_per_class": [1, 1],
    "support_vectors": [0.0] * (2 * FEATURES),
}  # fmt: skip
_VOTES = {
    "nodes_treeids": [0], "nodes_nodeids": [0], "nodes_featureids": [0], "nodes_modes": ["LEAF"],
    "nodes_values": [0.0], "nodes_truenodeids": [0], "nodes_falsenodeids": [0],
    "class_treeids": [0], "class_nodeids": [0], "class_ids": [0], "class_weights": [1.0],
}  # fmt: skip

REFUSED_CLASSIFIERS = {
    "labels": ("SVMClassifier", {"classlabels_ints": [1]}, "two labels or more"),
    "sizes": ("SVMClassifier", {"vectors_per_class": [2]}, "'vectors_per_class' must have 2 ent"),
    "vectors": ("SVMClassifier", {"support_vectors": [1.0]}, "does not fit 2 support vectors"),
    "weights": ("SVMClassifier", {"coefficients": [1.0]}, "'coefficients' must have 2 entries"),
    "rho": ("SVMClassifier", {"rho": []}, "'rho' must have 1 entries"),
    "kernel": ("SVMClassifier", {"kernel_type": "COSINE"}, "'kernel_type' must be one of"),
    "parameters": ("SVMClassifier", {"kernel_params": [1.0]}, "'kernel_params' must have 3"),
    "odds": ("SVMClassifier", {"prob_a": [1.0]}, "'prob_a' and 'prob_b' must have 1 entries"),
    "one score": ("SVMClassifier", {"post_transform": "SOFTMAX"}, "SOFTMAX for one score"),
    "none": ("SVMClassifier", {"vectors_per_class": []}, "without support vectors are not supp"),
    "regressor": ("SVMRegressor", {"post_transform": "LOGISTIC"}, "'post_transform' is not supp"),
    "linear": ("LinearClassifier", {"coefficients": [1.0] * FEATURES}, "NONE for one score"),
    "product": ("LinearClassifier", {}, "does not fit the coefficients of 2 targets"),
    "shared": ("TreeEnsembleClassifier", {"post_transform": "SOFTMAX"}, "votes are for label 0"),
    "second": ("TreeEnsembleClassifier", {"class_ids": [1]}, "all votes are for label 1 of two"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED_CLASSIFIERS)
def test_classifiers_that_are_refused(name):
    op_type, changes, message = REFUSED_CLASSIFIERS[name]
    given = {**_VECTORS, **_VOTES, "classlabels_int64s": [1, 2], **changes}
    known = defs.get_schema(op_type, 3, "ai.onnx.ml").attributes
    attributes = {key: value for key, value in given.items() if key in known and value != []}
    columns = 0 if op_type == "SVMRegressor" else 2
    with pytest.raises(UserError, match=message):
        autodeploy.compile(_model(op_type, 2, columns, 7, **attributes).SerializeToString())
