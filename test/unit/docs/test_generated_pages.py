"""The generated pages: current, complete, and the same every time."""

import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
import typer
from documents import ROOT
from generated_pages import dialect_pages, man_pages, write
from generated_pages.constraint_text import constraint_text
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    TensorType,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.irdl import AnyAttr, RangeOf, VarConstraint, base, eq, irdl_to_attr_constraint

from autodeploy.dialects.halide.types import BufferType, FuncType
from autodeploy.dialects.nn.layout import LayoutAttr
from autodeploy.passes.fusion.registry import pattern_passes
from autodeploy.tools.cli_main import app
from autodeploy.tools.opt.arguments import OptArgumentParser, add_arguments
from autodeploy.universe import UNIVERSE

DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def pages():
    return write.documents()


def test_the_pages_in_the_repository_are_current(capsys, monkeypatch, pages):
    monkeypatch.setattr(write, "documents", lambda: pages)
    stale = write.main(["--check", "--docs", str(DOCS)])
    assert stale == 0, f"run `make docs`: {capsys.readouterr().out}"


def test_man_pages_have_all_commands_and_options(pages):
    group = typer.main.get_command(app)
    page = pages["man/autodeploy.1"]
    for name, command in group.commands.items():
        for each in getattr(command, "commands", {}).values() or [command]:
            for option in each.params:
                for spelled in option.opts if option.param_type_name == "option" else ():
                    assert spelled.replace("-", "\\-") in page
        assert f'.SS "autodeploy {name}' in page
    parser = OptArgumentParser(str)
    add_arguments(parser, (), ())
    for option in parser.long_options():
        assert option.replace("-", "\\-") in pages["man/autodeploy-opt.1"]


def test_the_package_installs_all_man_pages(pages):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (patterns,) = project["tool"]["setuptools"]["data-files"].values()
    installed = {f for p in patterns for f in ROOT.glob(p)}
    assert installed == {DOCS / name for name in pages if name.startswith("man/")}


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
@pytest.mark.parametrize("name", ["man/autodeploy.1", "man/autodeploy-opt.1"])
def test_man_pages_are_formatted_without_a_warning(pages, name):
    groff = ["groff", "-man", "-ww", "-z"]
    done = subprocess.run(groff, input=pages[name], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_roff_takes_no_text_for_a_request():
    assert man_pages._escaped(".so \\n-1") == "\\&.so \\en\\-1"
    assert man_pages._escaped("\u2026") == "\\[u2026]"
    assert man_pages._escaped("'a.b'") == "\\&'a.b'"


@pytest.mark.exhaustive
def test_a_stale_page_is_named_and_only_then_written(tmp_path, capsys, pages):
    assert write.main(["--docs", str(tmp_path)]) == 0
    (tmp_path / "passes.md").write_text("old")
    capsys.readouterr()
    assert write.main(["--docs", str(tmp_path), "--check"]) == 1
    assert capsys.readouterr().out == f"stale: {tmp_path / 'passes.md'}\n"
    assert (tmp_path / "passes.md").read_text() == "old"
    assert write.main(["--docs", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"written: {tmp_path / 'passes.md'}\n"
    assert (tmp_path / "passes.md").read_text() == pages["passes.md"]


@pytest.mark.exhaustive
def test_the_pages_do_not_depend_on_the_order_of_hashes(pages):
    code = "from generated_pages.write import documents; print(*documents().values(), sep='')"
    other = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "PYTHONHASHSEED": "7",
            "PYTHONIOENCODING": "utf-8",
            "PYTHONPATH": str(ROOT / "test" / "support"),
        },
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert other.stdout == "".join(pages.values()) + "\n"


def test_every_op_pass_and_rule_has_a_heading(pages):
    for name in write.DIALECTS:
        for op in write.documented(name).operations:
            assert f"\n### `{op.name}`\n" in pages[f"dialects/{name}.md"]
    for name in UNIVERSE.all_passes:
        page = "patterns.md" if name in pattern_passes() else "passes.md"
        assert f"\n## `--{name}`\n" in pages[page]


def test_every_op_has_a_text_and_a_syntax(pages):
    for name in write.DIALECTS:
        for section in pages[f"dialects/{name}.md"].split("\n### ")[1:]:
            heading, _, rest = section.partition("\n\n")
            assert rest.strip(), heading
            if not heading.startswith(("`!", "`#")):
                generic = heading.startswith("`onnx.")
                assert generic or "```text\n" in rest, heading
                assert "\nExample, from [" in rest, heading


def section(page, heading):
    return page.partition(f"### `{heading}`\n\n")[2].partition("\n### ")[0]


def test_an_op_shows_operands_results_and_properties_with_their_types(pages):
    text = section(pages["dialects/nn.md"], "nn.conv")
    assert "%result = nn.conv %x, %filter, %bias? {…} : (types) -> type" in text
    assert "| operand | `bias` (optional) | tensor |" in text
    assert "| property | `strides` | `array<i64>` or `#nn.extents` |" in text
    assert "| property | `groups` = `1` | `i64` |" in text
    assert "| result | `result` | tensor |" in text


def test_the_syntax_is_that_of_the_format_or_of_the_parser(pages):
    call = section(pages["dialects/driver.md"], "driver.call")
    assert "\ndriver.call callee(%inputs…) to (%outputs…) {…} : (type) to (type)\n" in call
    assert "operandSegmentSizes" not in call
    load = section(pages["dialects/halide.md"], "halide.load")
    assert "\n%result = halide.load %source[%indices…] : type to type\n" in load
    pipeline = section(pages["dialects/halide.md"], "halide.pipeline")
    assert "\nhalide.pipeline @name(inputs) to (outputs) " in pipeline


def test_an_op_has_its_constraints_and_those_of_its_family(pages):
    round_ = section(pages["dialects/halide.md"], "halide.round")
    assert re.findall(r"^- \((\w+)\) ", round_, re.MULTILINE) == ["expression_c1", "float_c1"]
    func = section(pages["dialects/halide.md"], "!halide.func")
    assert "\n- (func_type_c1) values have a type that Halide computes with\n" in func


def test_an_example_is_the_shortest_use_in_a_test(tmp_path, monkeypatch):
    (tmp_path / "d").mkdir()
    (tmp_path / "d/a.mlir").write_text("  d.a {\n    d.b\n  }\n")
    (tmp_path / "d/b.mlir").write_text("// d.a\n  %x = d.ab\n  %y = d.a\n    : i32\nd.b x\n")
    (tmp_path / "d/b-invalid.mlir").write_text("d.a\nd.c\n")
    monkeypatch.setattr(dialect_pages, "_TESTS", tmp_path)
    assert dialect_pages.example("d.a") == ("b.mlir", "%y = d.a\n  : i32")
    assert dialect_pages.example("d.b") == ("a.mlir", "d.b")
    assert dialect_pages.example("d.c") is None


def test_an_op_states_the_properties_of_its_family(pages):
    less = section(pages["dialects/nn.md"], "nn.less")
    assert "*Two operands of one element type, broadcast together; a boolean result.*" in less


def test_the_pipeline_table_names_stages_and_levels(pages):
    passes = ("sink-dequantize", "fuse", "expand-batch-norms")
    row = f"| fused | {', '.join(f'[{name}](#--{name})' for name in passes)} | `-O2`, `-O3` |"
    assert row in pages["passes.md"]


def test_operators_are_supported_replaced_or_not(pages):
    supported, _, rest = pages["operators.md"].partition("## Replaced")
    replaced, _, missing = rest.partition("## Not supported")
    assert "\n| Relu | 1, 6, 13, 14 | float | " in supported
    assert "NegativeLogLikelihoodLoss" in replaced
    assert "\n\nImageDecoder." in missing
    assert "Relu," not in missing


_T = VarConstraint("T", AnyAttr())


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (base(TensorType), "tensor"),
        (base(MemRefType), "memref"),
        (base(StringAttr), "string"),
        (base(FuncType) | base(BufferType), "`!halide.func` or `!halide.buffer`"),
        (base(LayoutAttr), "`#nn.layout`"),
        (RangeOf(eq(i32)), "`i32`"),
        (IntegerAttr.constr(i64), "`i64`"),
        (FloatAttr.constr(f64), "`f64`"),
        (base(FloatAttr) | base(IntegerAttr), "floating-point number or integer"),
        (irdl_to_attr_constraint(BoolAttr), "`bool`"),
        (DenseArrayBase.constr(i64), "`array<i64>`"),
        (base(DenseArrayBase), "array of integers"),
        (irdl_to_attr_constraint(ArrayAttr[StringAttr]), "array of strings"),
        (SymbolNameConstraint(), "symbol name"),
        (_T, "`T`"),
        (eq(i1), "`i1`"),
        (AnyAttr(), ""),
    ],
)
def test_constraints_in_words(constraint, text):
    assert constraint_text(constraint) == text
