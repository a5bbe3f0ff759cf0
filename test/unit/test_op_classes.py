"""Passes ask the interface of an op; outside of their own folders few nn ops are named."""

import ast
from collections.abc import Iterator
from pathlib import Path

import autodeploy
from autodeploy.dialects.nn import NN

PACKAGE = Path(autodeploy.__file__).parent

HOMES = (
    "dialects/nn",
    "frontend/nn",
    "frontend/tmfile/converters",
    "lowering/onnx_to_nn",
    "lowering/nn_to_halide",
    "passes/nn/look_up_places.py",
    "templates",
)
"""Where ops are defined, built from models, lowered where no map says what they read, scheduled."""

EXCEPTIONS = {
    "BatchNormOp": "what `expand-batch-norms` is for",
    "BitCastOp": "a float of 16 bits as the bits that it is stored as",
    "CallOp": "a kernel that is compiled apart",
    "CastOp": "numbers that are stored in another type than they are computed in",
    "ConstantOp": "holds weights, and computes nothing",
    "DequantizeOp": "codes: rules and passes move it, and nothing else",
    "ConvOp": "what filters are packed, folded and flattened for",
    "ForOp": "a loop around kernels",
    "IfOp": "a choice between kernels",
    "KernelOp": "the group of ops that passes form, and no op of its own",
    "MatMulOp": "what a 1x1 convolution becomes, and what packed matrices are for",
    "MulOp": "the scale of weights that are stored as codes",
    "PadOp": "fills up tiles of packed weights",
    "QuantizeOp": "where the sign of codes is chosen",
    "ReshapeOp": "a view that passes make where shapes have to fit",
    "ScaledMatMulOp": "a product whose rows become codes",
    "SliceOp": "repeats extents of its result, which a comparison of sizes leaves out",
    "TransposeOp": "a movement that passes make where orders have to fit",
}


def classes_named(source: str) -> Iterator[str]:
    """List the classes of nn ops that a module names, imported by name or through their module."""
    tree = ast.parse(source)
    classes = {op.__name__ for op in NN.operations}
    imported: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "autodeploy.dialects.nn"
        ):
            imported |= {alias.asname or alias.name: alias.name for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and imported.get(node.id) in classes:
            yield imported[node.id]
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in imported
            and node.attr in classes
        ):
            yield node.attr


def test_passes_name_few_classes():
    found: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        where = path.relative_to(PACKAGE).as_posix()
        if not where.startswith(HOMES):
            for name in classes_named(path.read_text()):
                found.setdefault(name, set()).add(where)
    new = {name: places for name, places in found.items() if name not in EXCEPTIONS}
    assert len(EXCEPTIONS) <= 18
    assert not new, f"ask the interface of the op in place of its class: {new}"
    assert not EXCEPTIONS.keys() - found.keys(), "take out of the list what nobody names any more"


def test_classes_are_found():
    source = """
from autodeploy.dialects.nn import kernel as nn
from autodeploy.dialects.nn.movement import SliceOp as Part, identity_permutation
from autodeploy.dialects.halide.pipeline import OutputOp
print(nn.CallOp, Part, OutputOp, identity_permutation)
"""
    assert list(classes_named(source)) == ["CallOp", "SliceOp"]
