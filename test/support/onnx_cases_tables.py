"""Cases of ai.onnx.ml: trees, support vectors and linear models, all that they do with scores."""

import numpy as np
from onnx import numpy_helper
from onnx_case import SPECIAL, OnnxCase, Oracle, case, f32, integers
from tree_models import MODES, Listed, numbers

_ML = "ai.onnx.ml"
_TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")
_ROWS = np.stack([np.roll(SPECIAL, shift) for shift in (0, 4, 9)], 1)
_LABELS = [7, -1, 3]


def _trees(kind: str, targets: int, seed: int, *modes: str, **options: object) -> dict[str, object]:
    """Return three trees, one of them a chain, and one that is a leaf."""
    listed = Listed(seed, 3, modes or MODES[:1])
    for number, depth in enumerate((3, 0, 6, 2)):
        listed.add_tree(number, depth, range(targets), is_chain=depth == 6)
    return listed.attributes(kind, **options)


def _regressor(name: str, x: np.ndarray, targets: int, seed: int, *modes: str,
               oracle: Oracle = "onnxruntime", missing: bool = False, wide: bool = False,
               **attributes: object) -> OnnxCase:  # fmt: skip
    trees = _trees("target", targets, seed, *modes, missing=missing, wide=wide)
    return case(name, "TreeEnsembleRegressor", x, domain=_ML, domain_opset=3, n_targets=targets,
                out=np.float32, oracle=oracle, **trees, **attributes)  # fmt: skip


def _classifier(name: str, x: np.ndarray, trees: dict[str, object], labels: list[int],
                oracle: Oracle = "onnxruntime", **attributes: object) -> OnnxCase:  # fmt: skip
    return case(name, "TreeEnsembleClassifier", x, domain=_ML, domain_opset=3,
                out=[np.int64, np.float32], classlabels_int64s=labels, oracle=oracle, **trees,
                **attributes)  # fmt: skip


def _vectors(classes: int, seed: int, *, odds: bool = False) -> dict[str, object]:
    random, pairs = np.random.default_rng(seed), classes * (classes - 1) // 2
    sizes = random.integers(1, 4, classes)

    def some(count: int) -> list[float]:
        return random.standard_normal(count).astype(np.float32).tolist()

    return {
        "support_vectors": some(4 * sizes.sum()),
        "coefficients": some((classes - 1) * sizes.sum()),
        "vectors_per_class": sizes.tolist(),
        "rho": some(pairs),
        **({"prob_a": some(pairs), "prob_b": some(pairs)} if odds else {}),
    }


def _machine(name: str, x: np.ndarray, kernel: str, classes: int, seed: int, *, odds: bool = False,
             **attributes: object) -> OnnxCase:  # fmt: skip
    return case(name, "SVMClassifier", x, domain=_ML, out=[np.int64, np.float32],
                oracle="onnxruntime", kernel_type=kernel, kernel_params=[0.5, 0.25, 3.0],
                classlabels_ints=[5, 9, -2, 4][:classes], **_vectors(classes, seed, odds=odds),
                **attributes)  # fmt: skip


def _members() -> dict[str, object]:
    """Return one node that asks for a set of three and one for an empty set, and two leaves."""
    arrays = {
        "nodes_modes": np.array([6, 6], np.uint8),
        "nodes_splits": np.zeros(2, np.float32),
        "membership_values": np.array([0.5, -2.5, np.inf, np.nan, np.nan], np.float32),
        "leaf_weights": np.array([1, -10, 100], np.float32),
    }
    return {
        "nodes_featureids": [1, 2],
        "nodes_truenodeids": [1, 1],
        "nodes_trueleafs": [0, 1],
        "nodes_falsenodeids": [0, 2],
        "nodes_falseleafs": [1, 1],
        "nodes_missing_value_tracks_true": [1, 0],
        "leaf_targetids": [0, 0, 0],
        "tree_roots": [0],
        "n_targets": 1,
        **{name: numpy_helper.from_array(array, name) for name, array in arrays.items()},
    }


_ONE_SCORE = _trees("class", 1, 11)
_POSITIVE = {**_ONE_SCORE, "class_weights": [abs(w) / 4 for w in _ONE_SCORE["class_weights"]]}
_ALONE = {
    "nodes_treeids": [3], "nodes_nodeids": [5], "nodes_featureids": [99], "nodes_modes": ["LEAF"],
    "nodes_values": [0.0], "nodes_truenodeids": [-1], "nodes_falsenodeids": [-1],
    "target_treeids": [3, 3], "target_nodeids": [5, 5], "target_ids": [1, 1],
    "target_weights": [0.25, 2.0],
}  # fmt: skip

_INTEGERS = integers(np.int64, 7, 3, low=-3)

TABLE_CASES = (
    *(
        _regressor(f"tree_regressor_{mode}".lower(), _ROWS, 2, seed, mode, missing=True,
                   oracle="reference", aggregate_function="SUM")
        for seed, mode in enumerate(MODES)
    ),
    *(
        _regressor(f"tree_regressor_{how}".lower(), _ROWS, targets, seed, *MODES[:5],
                   aggregate_function=how, **numbers({"base_values": [0.5, -2.0][:targets]},
                   wide=False))
        for seed, how in enumerate(("SUM", "AVERAGE", "MIN", "MAX"))
        for targets in (1 + seed % 2,)
    ),
    *(
        _regressor(f"tree_regressor_{transform}".lower(), f32(5, 3), 3, seed, *MODES,
                   post_transform=transform)
        for seed, transform in enumerate(_TRANSFORMS)
    ),
    _regressor("tree_regressor_doubles", f32(6, 3).astype(np.float64), 2, 21, *MODES, wide=True,
               missing=True, base_values_as_tensor=numpy_helper.from_array(np.array([0.1, -2.0]))),
    _regressor("tree_regressor_integers", _INTEGERS, 1, 22, *MODES, oracle=lambda x:
               _regressor("", x.astype(np.float32), 1, 22, *MODES).expected),
    case("tree_that_is_a_leaf", "TreeEnsembleRegressor", f32(3, 2), domain=_ML, n_targets=3,
         oracle="onnxruntime", **_ALONE),
    case("tree_with_sets", "TreeEnsemble", _ROWS, domain=_ML, domain_opset=5,
         oracle="reference", **_members()),
    *(
        _classifier(f"tree_classifier_{transform}".lower(), f32(5, 3),
                    _trees("class", 3, 30 + seed, *MODES), _LABELS, post_transform=transform)
        for seed, transform in enumerate(_TRANSFORMS)
    ),
    _classifier("tree_classifier_of_two", f32(9, 3), _trees("class", 2, 40), [4, 9],
                oracle="reference", base_values=[0.25, -0.5]),
    _classifier("tree_classifier_doubles", f32(9, 3).astype(np.float64),
                _trees("class", 3, 41, *MODES, wide=True), _LABELS,
                base_values_as_tensor=numpy_helper.from_array(np.array([0.1, -0.2, 0.3]))),
    _classifier("tree_classifier_integers", integers(np.int32, 8, 3, low=-3),
                _trees("class", 3, 42, *MODES), _LABELS),
    _classifier("tree_classifier_one_score", f32(12, 3), _ONE_SCORE, [4, 9], base_values=[0.25]),
    _classifier("tree_classifier_one_logistic_score", f32(12, 3), _ONE_SCORE, [4, 9],
                post_transform="LOGISTIC"),
    _classifier("tree_classifier_one_positive_score", f32(12, 3), _POSITIVE, [4, 9]),
    _classifier("tree_classifier_one_positive_logistic_score", f32(12, 3), _POSITIVE, [4, 9],
                oracle="reference", post_transform="LOGISTIC"),
    *(
        _machine(f"support_vectors_{kernel}".lower(), f32(6, 4), kernel, 4, seed)
        for seed, kernel in enumerate(("LINEAR", "POLY", "RBF", "SIGMOID"))
    ),
    *(
        _machine(f"support_vectors_{transform}".lower(), f32(5, 4), "RBF", 3, 10 + seed, odds=odds,
                 post_transform=transform)
        for seed, transform in enumerate(_TRANSFORMS)
        for odds in (seed % 2 == 0,)
    ),
    _machine("support_vectors_of_two", f32(7, 4), "RBF", 2, 20),
    _machine("support_vectors_of_two_logistic", f32(7, 4), "RBF", 2, 21, post_transform="LOGISTIC"),
    _machine("support_vectors_odds_of_two", f32(1, 4), "RBF", 2, 22, odds=True),
    _machine("support_vectors_odds_of_integers", integers(np.int64, 3, 4), "SIGMOID", 4, 23,
             odds=True),
    _machine("support_vectors_infinite", np.array([[np.inf, 0, 1, -0.0], [1, -np.inf, 0, 2]],
             np.float32), "RBF", 3, 24, odds=True),
    case("support_vectors_absent", "SVMClassifier", f32(5, 2), domain=_ML,
         out=[np.int64, np.float32], oracle="onnxruntime", coefficients=f32(6).tolist(),
         rho=[0.25], kernel_params=[0.0, 0.0, 0.0], classlabels_ints=_LABELS,
         post_transform="SOFTMAX"),
    *(
        case(f"support_vector_regression_{kernel}".lower(), "SVMRegressor", f32(6, 4), domain=_ML,
             oracle="onnxruntime", kernel_type=kernel, kernel_params=[0.5, 0.25, degree],
             n_supports=3, support_vectors=f32(12).tolist(), coefficients=f32(3).tolist(),
             rho=[-0.25], one_class=int(kernel == "SIGMOID"))
        for kernel, degree in (("LINEAR", 0.0), ("POLY", 2.0), ("RBF", 0.0), ("SIGMOID", 0.0))
    ),
    case("support_vector_regression_absent", "SVMRegressor", f32(3, 4), domain=_ML,
         oracle="onnxruntime", coefficients=f32(4).tolist(), rho=[0.5],
         kernel_params=[0.0, 0.0, 0.0], n_supports=0),
    *(
        case(f"linear_regression_{transform}".lower(), "LinearRegressor", f32(4, 3), domain=_ML,
             oracle="onnxruntime", targets=targets, post_transform=transform,
             coefficients=f32(3 * targets).tolist(), intercepts=f32(targets).tolist())
        for transform in _TRANSFORMS[1:]
        for targets in (1 if transform == "PROBIT" else 3,)
    ),
    case("linear_classes_one_score", "LinearClassifier", f32(7, 4), domain=_ML,
         coefficients=f32(4).tolist(), intercepts=[0.25], classlabels_ints=[4, 9],
         post_transform="LOGISTIC", out=[np.int64, np.float32]),
    case("linear_classes_softmax_zero", "LinearClassifier",
         np.array([[1, -1], [0, 3], [-2, 0]], np.float32), domain=_ML, oracle="onnxruntime",
         coefficients=[1.0, 0.0, 0.0, 1.0, 0.0, 0.0], intercepts=[0.0, 0.0, 0.0],
         classlabels_ints=_LABELS, post_transform="SOFTMAX_ZERO", out=[np.int64, np.float32]),
    case("linear_classes_probit", "LinearClassifier",
         np.array([[0, 1], [0.5, 0.25], [0.75, 2], [0.125, -1]], np.float64), domain=_ML,
         coefficients=[1.0, 0.0, 0.0, 1.0], intercepts=[0.0, 0.0], classlabels_ints=[4, 9],
         post_transform="PROBIT", out=[np.int64, np.float32], oracle="onnxruntime"),
    case("linear_classes_softmax_zero_of_zeros", "LinearClassifier", np.zeros((2, 2), np.float32),
         domain=_ML, coefficients=[1.0, 0.0, 0.0, 1.0], intercepts=[0.0, 0.0],
         classlabels_ints=[4, 9], post_transform="SOFTMAX_ZERO", out=[np.int64, np.float32]),
)  # fmt: skip
