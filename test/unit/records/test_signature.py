"""The signature of a kernel: what it computes and from what types, and nothing else."""

from made_records import PRODUCT
from xdsl.parser import Parser

from autodeploy.dialects.nn.kernel import KernelOp
from autodeploy.dialects.registry import new_context
from autodeploy.records.signature import signature, title


def _kernel(text: str) -> KernelOp:
    module = Parser(new_context(), text).parse_module()
    return next(op for op in module.walk() if isinstance(op, KernelOp))


def test_names_weights_and_configs_do_not_matter() -> None:
    found = signature(_kernel(PRODUCT))
    others = [
        PRODUCT.replace("%v", "%sum"),
        PRODUCT.replace("0.5", "0.25"),
        PRODUCT.replace("(%x, %w, %a) :", "(%x, %w, %a) {config = #nn.config<plain>} :"),
    ]
    assert [signature(_kernel(other)) for other in others] == [found] * 3
    assert len(found) == 32


def test_ops_types_and_constants_matter() -> None:
    others = [
        PRODUCT,
        PRODUCT.replace("nn.add", "nn.mul"),
        PRODUCT.replace("f32", "f64"),
        PRODUCT.replace("30x", "31x"),
        PRODUCT.replace("(%x, %w, %a)", "(%x, %w, %k)").replace(
            "  %w", "  %k = nn.constant #nn.dense<0.5 : tensor<30x40xf32>>\n  %w"
        ),
    ]
    assert len({signature(_kernel(other)) for other in others}) == len(others)


def test_a_kernel_keeps_its_text() -> None:
    kernel = _kernel(PRODUCT)
    before = str(kernel)
    assert title(kernel) == "matmul +1 30x64, 64x40 -> 30x40"
    signature(kernel)
    assert str(kernel) == before
