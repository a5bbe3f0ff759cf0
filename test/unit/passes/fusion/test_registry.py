"""Pattern files as passes."""

import pytest
from xdsl.passes import ModulePass, get_pass_option_infos

from autodeploy.passes.fusion.apply_patterns import ApplyPatternsPass
from autodeploy.passes.fusion.pdl.source import PatternError
from autodeploy.passes.fusion.registry import pattern_files, pattern_passes

PATTERN = """// Drop a relu of a relu.
// The rest is not help.
pdl.pattern @p : benefit(1) {
  %x = pdl.operand
  %t = pdl.type
  %inner = pdl.operation "toy.relu" (%x : !pdl.value) -> (%t : !pdl.type)
  %r = pdl.result 0 of %inner
  %outer = pdl.operation "toy.relu" (%r : !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %outer { pdl.replace %outer with %inner }
}
"""

TEXT = """func.func @f(%x: f32) -> f32 {
  %0 = "toy.relu"(%x) : (f32) -> f32
  %1 = "toy.relu"(%0) : (f32) -> f32
  func.return %1 : f32
}"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fuse_relu_relu.pdl.mlir").write_text(PATTERN)
    (tmp_path / "broken.pdl.mlir").write_text("nothing that parses")
    (tmp_path / "other.mlir").write_text(PATTERN)
    (tmp_path / "notes.md").write_text("no pattern")
    return tmp_path


def test_every_pattern_file_is_a_pass(folder):
    assert list(pattern_files(folder)) == ["broken", "fuse-relu-relu"]
    assert list(pattern_passes(folder)) == ["broken", "fuse-relu-relu"]


def test_the_pass_class(folder):
    made = pattern_passes(folder)["fuse-relu-relu"]()
    assert issubclass(made, ModulePass)
    assert made.name == "fuse-relu-relu"
    assert made.__name__ == "FuseReluReluPass"
    assert made.__doc__ == "Drop a relu of a relu."
    assert get_pass_option_infos(made) == ()
    assert made() == made()


def test_a_file_without_a_comment_still_has_a_help_line(folder):
    assert pattern_passes(folder)["broken"]().__doc__ == "Apply the patterns of broken.pdl.mlir."


def test_the_pass_applies_the_patterns(folder, ctx, parse):
    module = parse(TEXT)
    pattern_passes(folder)["fuse-relu-relu"]()().apply(ctx, module)
    assert sum(op.name == "toy.relu" for op in module.walk()) == 1


def test_a_broken_file_is_found_when_its_pass_runs(folder, ctx, parse):
    made = pattern_passes(folder)["broken"]()
    with pytest.raises(PatternError, match=r"broken\.pdl\.mlir:1: "):
        made().apply(ctx, parse(TEXT))


def test_apply_patterns(folder, ctx, parse):
    module = parse(TEXT)
    ApplyPatternsPass(str(folder / "other.mlir")).apply(ctx, module)
    assert sum(op.name == "toy.relu" for op in module.walk()) == 1
