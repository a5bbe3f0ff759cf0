"""The text of a module, with the bodies of pipelines as they were printed before."""

from __future__ import annotations

from small_kernels import scaled
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, IntegerAttr, ModuleOp, StringAttr, i64

from autodeploy.codegen.bundle.located_text import located_text
from autodeploy.codegen.halide.pipeline_text import pipeline_text
from autodeploy.dialects.halide.pipeline import PipelineOp


def pipeline_of(name: str, factor: float) -> PipelineOp:
    made = scaled(name, factor)
    made.detach()
    return made


def test_a_body_is_the_same_in_the_text_of_a_module():
    pipelines = [pipeline_of("a", 2), pipeline_of("b", 3)]
    texts = [pipeline_text(pipeline) for pipeline in pipelines]
    assert [text for text, _ in texts] == list(map(str, pipelines))
    pipelines[0].stack_bytes = IntegerAttr(64, i64)  # is known once the kernel is compiled
    module = ModuleOp(pipelines)
    bodies = {p.body: body for p, (_, body) in zip(pipelines, texts, strict=True) if body}
    assert len(bodies) == 2
    assert located_text(module, bodies) == located_text(module, {}) == str(module) + "\n"


def test_given_texts_are_taken():
    pipeline = pipeline_of("a", 2)
    assert located_text(ModuleOp([pipeline]), {pipeline.body: "{}"}).endswith(" {}\n}\n")


def test_a_body_with_locations_is_printed_with_them():
    pipeline = pipeline_of("a", 2)
    first = pipeline.body.block.first_op
    assert first is not None
    first.location = FileLineColLoc(StringAttr("f"), IntAttr(1), IntAttr(2))
    text, body = pipeline_text(pipeline)
    assert (text, body) == (str(pipeline), None)
    assert 'loc("f":1:2)' in located_text(ModuleOp([pipeline]), {})
