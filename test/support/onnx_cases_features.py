"""Cases of ai.onnx.ml: tables of features."""

import numpy as np
from onnx import numpy_helper
from onnx_case import SPECIAL, Const, case, f32, f64, integers

_ML = "ai.onnx.ml"
_TABLE = np.stack([SPECIAL, np.roll(SPECIAL, 3)])[:, 3:]


def _scaled(x: np.ndarray, offset: float, scale: float) -> np.ndarray:
    return ((x - offset) * scale).astype(np.float32)


def _trees(dtype: np.dtype, modes: list[int], average: bool) -> dict[str, object]:
    """Return two trees: a node that asks for a set below another one, and one alone."""
    arrays = {
        "nodes_modes": np.array(modes, np.uint8),
        "nodes_splits": np.array([0.5, 0, -0.25], dtype),
        "membership_values": np.array([1.5, -2.5, np.nan] if 6 in modes else [], dtype),
        "leaf_weights": np.array([1, 10, 100, 1000, 10000], dtype),
    }
    return {
        "domain": _ML,
        "domain_opset": 5,
        "aggregate_function": 0 if average else 1,
        "n_targets": 3,
        "tree_roots": [0, 2],
        "nodes_featureids": [0, 1, 2],
        "nodes_truenodeids": [1, 0, 3],
        "nodes_trueleafs": [0, 1, 1],
        "nodes_falsenodeids": [2, 1, 4],
        "nodes_falseleafs": [1, 1, 1],
        "nodes_missing_value_tracks_true": [1, 0, 0],
        "leaf_targetids": [0, 1, 0, 2, 1],
        **{name: numpy_helper.from_array(array, name) for name, array in arrays.items()},
    }


_ROWS = np.stack([np.roll(SPECIAL, shift) for shift in (0, 4, 9)], 1)

FEATURE_CASES = (
    *(
        case(f"trees_{mode}", "TreeEnsemble", _ROWS.astype(dtype),
             **_trees(dtype, [mode, 6, 5 - mode], mode % 2 == 0))
        for mode in range(6)
        for dtype in (np.float64 if mode == 4 else np.float32,)
    ),
    case("features_taken", "ArrayFeatureExtractor", f32(3, 5), np.array([4, 0, 0]), domain=_ML),
    case("features_taken_of_a_list", "ArrayFeatureExtractor", f64(6), Const(np.array([[5, 2]])),
         domain=_ML),
    case("binarized", "Binarizer", SPECIAL.reshape(2, 7), domain=_ML, threshold=0.0),
    case("binarized_integers", "Binarizer", integers(np.int64, 3, 4), domain=_ML, threshold=-0.5),
    case("scaled", "Scaler", f32(3, 4), domain=_ML, offset=[1.0, -2.0, 0.5, 3.0],
         scale=[2.0, 0.1, -1.0, 4.0]),
    case("scaled_integers", "Scaler", integers(np.int32, 2, 5), domain=_ML, offset=[0.5],
         scale=[0.25], out=np.float32, oracle=lambda x: _scaled(x, 0.5, 0.25)),
    case("normalized_max", "Normalizer", _TABLE, domain=_ML, norm="MAX"),
    case("normalized_l1", "Normalizer", f32(4, 7), domain=_ML, norm="L1"),
    case("normalized_l2", "Normalizer", f32(3, 1), domain=_ML, norm="L2"),
    case("linear_regression", "LinearRegressor", f32(5, 3), domain=_ML, targets=2,
         coefficients=[0.5, -1.0, 2.0, 0.25, 3.0, -0.125], intercepts=[0.5, -2.0],
         post_transform="NONE"),
    case("imputed", "Imputer", np.where(f32(4, 3) > 0, f32(4, 3), np.nan).astype(np.float32),
         domain=_ML, imputed_value_floats=[1.5, -2.0, 0.25], replaced_value_float=float("nan")),
    case("imputed_zeros", "Imputer", np.array([[0, -0.0, 2], [3, np.nan, 0]], np.float64),
         domain=_ML, imputed_value_floats=[7.5]),
    case("imputed_integers", "Imputer", integers(np.int64, 5, 2, low=-1, high=2), domain=_ML,
         imputed_value_int64s=[5, -(2**40)], replaced_value_int64=-1),
    case("imputed_narrow", "Imputer", integers(np.int32, 5, 2, low=-1, high=2), domain=_ML,
         imputed_value_int64s=[2**31 - 1]),
    case("features_joined", "FeatureVectorizer", f32(3, 2), integers(np.int64, 3, 4), f64(3, 1),
         domain=_ML, inputdimensions=[2, 3, 2], out=np.float32, oracle=lambda x, y, z:
         np.concatenate([x, y[:, :3], z, np.zeros((3, 1))], 1).astype(np.float32)),
    case("features_of_lists", "FeatureVectorizer", f32(4), f32(1, 2), domain=_ML,
         inputdimensions=[4, 2], oracle=lambda x, y: np.concatenate([x[None], y], 1)),
    *(
        case(f"linear_classes_{transform}".lower(), "LinearClassifier", f32(6, 4), domain=_ML,
             coefficients=f32(12).tolist(), intercepts=f32(3).tolist(),
             classlabels_ints=[7, -1, 3], post_transform=transform, out=[np.int64, np.float32])
        for transform in ("NONE", "LOGISTIC", "SOFTMAX")
    ),
)  # fmt: skip
