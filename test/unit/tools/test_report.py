"""``autodeploy report``: what its page tells, and how it looks in a browser."""

import html
import json
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from autodeploy import CompileOptions, compile_model
from autodeploy.analysis.memory_sizes import readable_bytes
from autodeploy.codegen.bundle.code_bytes import code_bytes
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.tools import cli
from autodeploy.tools.report.markup import Markup, joined, tag

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

ODD = "<script>document.title = 'run'</script>\"'&"
"""The name of a node that would be more than text in a page where it is not escaped."""


def network():
    """Return a residual net whose first node has an odd name."""
    draw = np.random.default_rng(0).standard_normal
    weights = [
        numpy_helper.from_array(draw(shape).astype(np.float32), name)
        for name, shape in (("w", (8, 3, 3, 3)), ("v", (8, 8, 3, 3)), ("m", (8, 5)))
    ]
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], ODD, pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["b"], "cut"),
        helper.make_node("Conv", ["b", "v"], ["c"], "second", pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["c", "b"], ["d"], "both"),
        helper.make_node("GlobalAveragePool", ["d"], ["e"], "mean"),
        helper.make_node("Flatten", ["e"], ["f"], "flat"),
        helper.make_node("MatMul", ["f", "m"], ["y"], "scores"),
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 24, 24])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 5])
    graph = helper.make_graph(nodes, "small", [x], [y], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    """Return bundles of one model at two levels, and one for another machine."""
    folder = tmp_path_factory.mktemp("bundles")
    model = network().SerializeToString()
    for name, options in {
        "plain": CompileOptions(level=0),
        "fused": CompileOptions(level=2),
        "board": CompileOptions(level=2, machine="arm-neon"),
    }.items():
        compile_model(model, folder / name, options)
    return folder


def said(monkeypatch, capsys, *words):
    monkeypatch.setattr(sys, "argv", ["autodeploy", "report", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        cli.main()
    return end.value.code, *capsys.readouterr()


def page_of(monkeypatch, capsys, file, *words):
    status, out, err = said(monkeypatch, capsys, "-o", file, *words)
    assert (status, out, err) == (0, f"wrote {file}\n", "")
    return file.read_text(encoding="utf-8")


@pytest.fixture
def page(bundles, monkeypatch, capsys, tmp_path):
    return page_of(monkeypatch, capsys, tmp_path / "page.html", bundles / "fused", "--rounds", "3")


@pytest.mark.exhaustive
def test_the_page_names_the_kernel_of_each_node(page):
    first, *rest = re.findall(r"<li title=\"([^\"]*)\">", page)
    assert html.unescape(first) == f"{ODD}, cut"
    assert "second, both" in rest
    assert "became" in page and "operations a byte" in page
    assert "Not measured" not in page


@pytest.mark.exhaustive
def test_the_code_size_of_kernels_is_their_part_of_a_program(bundles, page):
    objects = list((bundles / "fused" / "kernels").glob("*.o"))
    size = code_bytes(objects)
    assert 0 < size < sum(file.stat().st_size for file in objects)
    assert f"<b>{readable_bytes(size)}</b><span>code of kernels</span>" in page
    manifest = Manifest.load(bundles / "fused")
    assert manifest.code_bytes == size
    assert all(html.escape(listed) in page for *_, listed in manifest.memory.rows())


def test_nothing_of_the_page_is_loaded_or_run(page):
    assert not re.search(r"<(script|link|img|iframe|object|image)\b", page)
    assert not re.search(r"url\(|@import|https?:", page)
    assert ODD not in page and html.escape(ODD) in page


@pytest.mark.exhaustive
def test_two_bundles(bundles, monkeypatch, capsys, tmp_path):
    words = ("--before", bundles / "plain", "--after", bundles / "fused", "--rounds", "3")
    page = page_of(monkeypatch, capsys, tmp_path / "both.html", *words)
    assert "The arena before" in page and "The arena after" in page
    assert re.search(r"<td>level</td><td>0</td><td>2</td>", page)
    assert 'class="point older' in page
    # Kernels are side by side with those that compute the same nodes.
    rows = re.findall(r"<tr><td>([^<]*)<small>([^<]*)</small></td>", page)
    assert any("second, both" in html.unescape(nodes) for _, nodes in rows)
    assert ">none<" not in page


def test_a_bundle_that_does_not_run_here(bundles, monkeypatch, capsys, tmp_path):
    page = page_of(monkeypatch, capsys, tmp_path / "board.html", bundles / "board")
    assert "Not measured: bundle" in page and "cannot run on this machine" in page
    assert "operations a byte" not in page and "The arena" in page


def test_nothing_is_run_where_that_is_asked(bundles, monkeypatch, capsys, tmp_path):
    words = (bundles / "fused", "--rounds", "0")
    page = page_of(monkeypatch, capsys, tmp_path / "still.html", *words)
    assert "Not measured: the program was not run." in page


def test_wrong_calls(bundles, monkeypatch, capsys, tmp_path):
    file = tmp_path / "no.html"
    status, _, err = said(monkeypatch, capsys, "-o", file)
    assert (status, err.count("\n")) == (2, 1)
    status, _, err = said(monkeypatch, capsys, "-o", file, "--before", bundles / "fused")
    assert (status, err.count("\n")) == (2, 1)
    status, _, err = said(monkeypatch, capsys, "-o", file, tmp_path / "none")
    assert (status, err.count("\n")) == (1, 1)
    assert not file.exists()
    words = (bundles / "fused", "--rounds", "0")
    status, _, err = said(monkeypatch, capsys, "-o", tmp_path / "no" / "page.html", *words)
    assert (status, err.count("\n")) == (1, 1)
    damaged = tmp_path / "damaged"
    shutil.copytree(bundles / "fused", damaged)
    (damaged / "small.mlir").write_text("driver.program @small")
    status, _, err = said(monkeypatch, capsys, "-o", file, damaged)
    assert (status, err.count("\n")) == (1, 1)


def test_markup_escapes_other_text():
    assert tag("a", "<&\"'>", href='"<') == '<a href="&quot;&lt;">&lt;&amp;&quot;&#x27;&gt;</a>'
    assert (
        tag("p", joined(Markup("<b>"), "<b>", None), class_="x") == '<p class="x"><b>&lt;b&gt;</p>'
    )
    assert tag("p", "\0\x1b\ud800") == "<p>\\x00\\x1b\\ud800</p>"
    assert tag("line", x1=1.0, y1=0.256, x2=None) == '<line x1="1" y1="0.26"></line>'


LOOK = """
<iframe id="page" style="width:WIDTHpx;height:900px;border:0" srcdoc="PAGE"></iframe>
<script>
onload = () => {
  const page = document.getElementById("page").contentDocument;
  const boxes = query => [...page.querySelectorAll(query)].map(e => e.getBoundingClientRect());
  const style = e => getComputedStyle(e);
  const shown = boxes("section, .tile");
  const result = {
    width: page.documentElement.scrollWidth,
    title: page.title,
    scripts: page.scripts.length,
    loaded: page.defaultView.performance.getEntriesByType("resource").length,
    points: boxes(".point").filter(b => b.width > 5 && b.height > 5).length,
    blocks: boxes(".block").filter(b => b.width > 1).length,
    dots: boxes(".flow circle").map(b => b.top + b.height / 2),
    calls: boxes(".calls li").map(b => b.top + b.height / 2),
    smallest: Math.min(...boxes("svg text").map(b => b.height)),
    beside: shown.filter(b => b.right > page.documentElement.clientWidth + 1).length,
    page: style(page.body).backgroundColor,
    ink: style(page.body).color,
    colours: [...new Set([...page.querySelectorAll(".point, .bar")].map(e => style(e).color))],
  };
  document.body.textContent = "RESULT" + JSON.stringify(result) + "END";
};
</script>
"""


def looked_at(page, folder, width, *options):
    """Return what a browser says of the page, in a frame that is ``width`` pixels wide."""
    text = LOOK.replace("WIDTH", str(width)).replace("PAGE", html.escape(page))
    (folder / "look.html").write_text(text, encoding="utf-8")
    # Debian's browser does not run as root within its sandbox.
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    words = ["--headless", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"]
    profile = f"--user-data-dir={folder / 'profile'}"
    address = (folder / "look.html").as_uri()
    done = subprocess.run(
        [BROWSER, *words, *sandbox, profile, *options, address],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found = re.search(r"RESULT(.*)END", done.stdout, re.DOTALL)
    assert found, done.stdout + done.stderr
    return json.loads(html.unescape(found[1]))


def brightness(colour):
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3


@pytest.mark.one_case
@pytest.mark.skipif(BROWSER is None, reason="there is no browser (package chromium)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1100])
def test_the_page_in_a_browser(page, tmp_path, width, scheme):
    scheme_option = f"--blink-settings=preferredColorScheme={int(scheme == 'light')}"
    seen = looked_at(page, tmp_path, width, scheme_option)
    assert seen["width"] <= width and seen["beside"] == 0
    assert (seen["title"], seen["scripts"], seen["loaded"]) == ("small", 0, 0)
    assert seen["points"] >= 3 and seen["blocks"] >= 3
    assert len(seen["dots"]) == len(seen["calls"]) >= 3
    # Each dot stands beside its call.
    assert np.allclose(seen["dots"], seen["calls"], atol=2)
    assert seen["smallest"] >= 8
    page_is, ink_is = brightness(seen["page"]), brightness(seen["ink"])
    assert page_is > 200 > 80 > ink_is if scheme == "light" else ink_is > 200 > 60 > page_is
    assert len(seen["colours"]) >= 2
