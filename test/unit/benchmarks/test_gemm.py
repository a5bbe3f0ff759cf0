"""The grid of products: its points, their networks, a run of the whole, what it says."""

import json

import numpy as np
import onnx
import onnx.reference
import pytest

from benchmarks import gemm
from benchmarks.engine import Setup
from benchmarks.gemm_report import best_ratio, markdown, summary
from benchmarks.measure import relative_error
from benchmarks.peers import PRODUCT_PACKAGES, load_engine, missing_packages
from benchmarks.products import EPILOGUES, MOST_COPIES, Point, grid, product_network

QUICK = ["--rounds", "2", "--budget", "0.0005", "--warm-up", "0", "--level", "1"]
L2 = 1 << 20


def point(rows=3, inner=8, columns=5, cold=False, epilogue="none"):
    return Point(rows, inner, columns, cold, epilogue)


def test_a_short_grid_begins_a_long_one():
    points = grid(40, L2)
    assert points[:10] == grid(10, L2)
    assert len(set(points)) == 40
    assert {p.epilogue for p in points} == set(EPILOGUES)
    assert sum(p.cold for p in points) == 20
    assert grid(10, L2, seed=1) != grid(10, L2)


def test_cold_copies_exceed_the_cache_and_near_ones_do_not():
    for p in grid(200, L2):
        total = p.copies(L2) * p.weight_bytes
        if p.cold:
            assert total >= 2 * L2
            assert p.copies(L2) <= MOST_COPIES
        else:
            assert p.copies(L2) == 1 or total <= L2 // 2


def test_weights_that_are_never_cold():
    assert point(cold=True).copies(L2) == 0


def test_a_point_is_read_as_it_is_written():
    for p in grid(8, L2):
        assert Point.parse(p.name) == p


@pytest.mark.parametrize("epilogue", EPILOGUES)
def test_a_network_of_products(epilogue, tmp_path):
    model = product_network(point(epilogue=epilogue), 3, tmp_path)
    assert len(model.outputs) == 3
    proto = onnx.load(model.path)
    onnx.checker.check_model(proto, full_check=True)
    inputs = model.random_inputs()
    found = onnx.reference.ReferenceEvaluator(proto).run(None, inputs)
    weights = {t.name: onnx.numpy_helper.to_array(t) for t in proto.graph.initializer}
    for i, result in enumerate(found):
        expected = inputs["x"] @ weights[f"w{i}"]
        if epilogue != "none":
            expected = expected + weights[f"b{i}"]
        if epilogue == "residual":
            expected = expected + inputs["r"]
        if epilogue != "gelu":
            np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-5)
        else:
            assert np.all(np.abs(result[expected > 6] - expected[expected > 6]) < 1e-5)
            assert result.min() > -0.2
    assert not np.array_equal(found[0], found[1])
    checked = model.checked
    assert checked is not None
    assert len(checked.outputs) == 1


@pytest.mark.parametrize("peer", ["autodeploy", "onnxruntime", "openvino", "mkl"])
def test_an_engine_computes_products(peer, tmp_path):
    if missing_packages(peer):
        pytest.skip(f"{peer} is not installed")
    model = product_network(point(), 2, tmp_path)
    engine = load_engine(peer)(model, Setup(1, level=1), tmp_path)
    inputs = model.random_inputs()
    engine.bind(inputs)
    assert engine.run(2) > 0
    found = engine.outputs()
    assert list(found) == ["y0", "y1"]
    # One result lies on the other.
    expected = onnx.reference.ReferenceEvaluator(onnx.load(model.path)).run(None, inputs)
    errors = [relative_error({"y": found["y0"]}, {"y": result}) for result in expected]
    assert min(errors) < 1e-5
    assert np.array_equal(found["y0"], found["y1"])


@pytest.mark.exhaustive
def test_a_comparison(tmp_path, capsys):
    arguments = ["--points", "4x16x24-near-gelu,1x8x8-near-none", "--output", str(tmp_path)]
    assert gemm.main([*QUICK, *arguments, "--peers", "autodeploy,onnxruntime"]) == 0
    report = json.loads((tmp_path / "results.json").read_text())
    assert [p["name"] for p in report["points"]] == ["4x16x24-near-gelu", "1x8x8-near-none"]
    assert set(report["versions"]) == set(report["calls"]) == {"autodeploy", "onnxruntime"}
    for p in report["points"]:
        ours, theirs = p["contenders"]["autodeploy"], p["contenders"]["onnxruntime"]
        assert len(ours["samples"]) == len(theirs["samples"]) == 2
        assert ours["error"] < 1e-5
        assert theirs["ratio"] > 0
        assert "error" not in theirs
    text = (tmp_path / "results.md").read_text()
    assert summary(report) in text
    assert summary(report) in capsys.readouterr().out
    assert not (tmp_path / "work").exists()


@pytest.mark.exhaustive
def test_without_other_engines(tmp_path, capsys, monkeypatch):
    for name in ("onnxruntime", "openvino", "mkl"):
        monkeypatch.setitem(PRODUCT_PACKAGES, name, ("no_such_engine",))
    monkeypatch.setattr("benchmarks.peers.PACKAGES", {})
    assert gemm.main([*QUICK, "--points", "1x8x8-near-none", "--output", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "mkl is skipped: not installed: no_such_engine" in printed
    assert "no other engine is installed" in printed
    assert "No point was computed by autodeploy and by another engine." in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--points", "3x3"], "a point such as 49x768x3072-cold-none, found '3x3'"),
        (["--points", "3x3x3-warm-none"], "weights are cold or near"),
        (["--points", "0x3x3-near-none"], "sizes are 1 or more"),
        (["--peers", "ncnn"], "no engine ncnn; there are autodeploy, onnxruntime, openvino, mkl"),
        (["--count", "0"], "a number from 1 on, found '0'"),
    ],
)
def test_wrong_arguments(arguments, message, capsys):
    with pytest.raises(SystemExit) as raised:
        gemm.main(arguments)
    assert raised.value.code == 2
    assert message in capsys.readouterr().err


def result(p, ours, **others):
    contenders = {"autodeploy": {"median": ours}}
    for peer, seconds in others.items():
        contenders[peer] = {"median": seconds, "ratio": seconds / ours}
    sizes = {"rows": p.rows, "inner": p.inner, "columns": p.columns, "epilogue": p.epilogue}
    return {
        **sizes, "name": p.name, "cold": p.cold, "operations": p.operations,
        "weight_bytes": p.weight_bytes, "contenders": contenders,
    }  # fmt: skip


def test_the_summary():
    fast = result(point(64, 64, 64), 1e-6, onnxruntime=4e-6, openvino=2e-6)
    slow = result(point(1, 512, 512, cold=True, epilogue="bias"), 2e-6, onnxruntime=1e-6)
    alone = result(point(9, 9, 9), 1e-6)
    report = {"points": [fast, slow, alone], "peers": ["autodeploy", "onnxruntime", "openvino"]}
    assert [best_ratio(p) for p in report["points"]] == [2.0, 0.5, None]
    lines = summary(report).splitlines()
    assert "| all | 2 | 50% | 1.00 | 0.50 |" in lines
    assert "| cold weights | 1 | 0% | 0.50 | 0.50 |" in lines
    assert "| epilogue none | 1 | 100% | 2.00 | 2.00 |" in lines
    assert "| 17 to 77 rows | 1 | 100% | 2.00 | 2.00 |" in lines
    assert "| weights of 129 to 1024 KiB | 1 | 0% | 0.50 | 0.50 |" in lines
    assert lines[-2:] == [
        "| 1x512x512-cold-bias | 262 | 524 |  | 0.50 |",
        "| 64x64x64-near-none | 524 | 131 | 262 | 2.00 |",
    ]


def test_a_failure_is_in_the_report():
    failed = result(point(9, 9, 9), 1e-6)
    failed["contenders"]["mkl"] = {"failed": "it broke"}
    report = {
        "machine": {
            "processor": "P", "isa": "avx2", "cores": 2, "l1_bytes": 32768, "l2_bytes": 0,
            "l3_bytes": 0, "system": "S", "c_compiler": "cc", "load_average": [0.5, 0.0, 0.0],
        },
        "settings": {"rounds": 3, "budget": 0.1, "threads": 1},
        "peers": ["autodeploy", "mkl"], "versions": {"autodeploy": "1"},
        "calls": {"autodeploy": 2e-6}, "points": [failed],
    }  # fmt: skip
    text = markdown(report)
    assert "| 9x9x9-near-none | 1.46 | failed |  |" in text
    assert "- 9x9x9-near-none, mkl: it broke" in text
    assert "autodeploy 2.0 µs" in text
