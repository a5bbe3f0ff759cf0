"""Op classes from the schemas of the installed onnx package, and from texts of operators."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    f32,
    i64,
)
from xdsl.ir import Attribute, Dialect, TypeAttribute
from xdsl.irdl import (
    AttrConstraint,
    AttrSizedOperandSegments,
    AttrSizedRegionSegments,
    AttrSizedResultSegments,
    BaseAttr,
    IntConstraint,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_region_def,
    opt_result_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import MemoryEffect, MemoryWriteEffect, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.constraints import invalid
from autodeploy.dialects.nn.constant import DenseAttr, WeightAttr
from autodeploy.dialects.onnx.op import CustomOp, OnnxOp, Parameter, YieldOp, enum_name, needs_sizes
from autodeploy.dialects.onnx.texts import OperatorText, contrib_texts, given_texts
from autodeploy.dialects.onnx.types import (
    MapType,
    OptionalType,
    SequenceType,
    SparseType,
    StringType,
    UnknownType,
)
from autodeploy.dialects.onnx.values import RawAttr, StringsAttr

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from onnx import defs
    from typing_extensions import TypeVar
    from xdsl.context import Context
    from xdsl.ir import Operation, OpTraits
    from xdsl.irdl import VerificationContext
    from xdsl.traits import EffectInstance

    from autodeploy.dialects.onnx.op import Kind

_RANDOM = frozenset(
    {
        *("Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike"),
        *("RandomUniform", "RandomUniformLike"),
    }
)

_TEXT: AttrConstraint = BaseAttr(StringAttr) | BaseAttr(BytesAttr)
_FLOAT: AttrConstraint = FloatAttr.constr(f32)
_VALUE: AttrConstraint = (
    BaseAttr(DenseAttr) | BaseAttr(WeightAttr) | BaseAttr(RawAttr) | BaseAttr(StringsAttr)
)
_KINDS: dict[str, tuple[AttrConstraint, str]] = {
    "INT": (IntegerAttr.constr(i64), "an integer of type i64"),
    "FLOAT": (_FLOAT, "a number of type f32"),
    "STRING": (_TEXT, "a string"),
    "INTS": (DenseArrayBase.constr(i64), "an array<i64: ...>"),
    "FLOATS": (ArrayAttr.constr(_FLOAT), "a list of numbers of type f32"),
    "STRINGS": (ArrayAttr.constr(_TEXT), "a list of strings"),
    "TENSOR": (_VALUE, "a constant tensor"),
    "SPARSE_TENSOR": (_VALUE, "a constant tensor"),
    "TYPE_PROTO": (BaseAttr(TypeAttribute), "a type"),
}
"""The constraint of the property of an attribute, by the attribute's kind in the schema.

A list of floats is a list of attributes since ``array<f32: …>`` does not read back nan and inf.
"""


@dataclass(frozen=True)
class SettingConstraint(AttrConstraint):
    """The constraint of an attribute of an operator, with the attribute's name for the message."""

    name: str
    constraint: AttrConstraint
    expected: str

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        """Check (attribute_c1) that the property has the type that the schema gives it."""
        try:
            self.constraint.verify(attr, constraint_context)
        except VerifyException:
            raise invalid(
                "attribute_c1", f"attribute '{self.name}' expects {self.expected}, found {attr}"
            ) from None

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> SettingConstraint:
        """Return the constraint itself, which has no type variables."""
        return self


_OPERANDS: dict[str, Any] = {
    "Single": operand_def, "Optional": opt_operand_def, "Variadic": var_operand_def
}  # fmt: skip
_RESULTS: dict[str, Any] = {
    "Single": result_def, "Optional": opt_result_def, "Variadic": var_result_def
}  # fmt: skip


class DropoutEffect(MemoryEffect):
    """Dropout draws random numbers when it trains: by its input from opset 12, else by is_test."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        """Return a write where the op trains or may train, nothing otherwise."""
        if not isinstance(op, OnnxOp):
            return frozenset()
        if op.version >= 12:
            trains = op.input_named("training_mode") is not None
        else:
            trains = op.version < 7 and op.setting("is_test") == 0
        return MemoryWriteEffect.get_effects(op) if trains else frozenset()


def op_class(
    op_type: str, opset: int, domain: str = "", ctx: Context | None = None
) -> type[OnnxOp] | None:
    """Return the class of an operator as it is in an opset of its domain.

    ``None`` if the domain has no such operator, or not yet, or deprecates it in that opset. A
    schema of ONNX goes before a text, and a text given to ``ctx`` before one of autodeploy.
    """
    name = (domain, op_type)
    text = None if ctx is None else given_texts(ctx).get(name)
    text = text or contrib_texts().get(name)
    versions = _classes(domain, op_type, text)
    valid = [version for version in versions if version <= opset]
    return versions[max(valid)] if valid else None


@cache
def get_onnx() -> Dialect:
    """Return the dialect; its op classes are made from ONNX's schemas on the first call."""
    texts = contrib_texts()
    keys = dict.fromkeys((*_schemas(), *texts))
    made = [op for key in keys for op in _classes(*key, texts.get(key)).values() if op is not None]
    return Dialect(
        "onnx",
        [YieldOp, CustomOp, *made],
        [
            *(StringType, UnknownType, SequenceType, OptionalType, SparseType, MapType),
            *(RawAttr, StringsAttr),
        ],
    )


@cache
def _schemas() -> dict[tuple[str, str], dict[int, defs.OpSchema]]:
    """Return ONNX's schemas by domain and operator, then by version."""
    from onnx import defs

    versions: dict[tuple[str, str], dict[int, defs.OpSchema]] = {}
    for schema in defs.get_all_schemas_with_history():
        versions.setdefault((schema.domain, schema.name), {})[schema.since_version] = schema
    return versions


@cache
def _classes(
    domain: str, op_type: str, text: OperatorText | None
) -> dict[int, type[OnnxOp] | None]:
    """Make the classes of an operator by version: ``None`` if deprecated, none if unknown.

    A model needs few of all operators, and making the classes of one takes a millisecond.
    """
    schemas = dict(_schemas().get((domain, op_type), {}))
    if text is not None:
        schemas.setdefault(text.schema.since_version, text.schema)
    current = [version for version, schema in schemas.items() if not schema.deprecated]
    return {
        version: None
        if schema.deprecated
        else _make(
            schema,
            version == max(current),
            text if text is not None and schema is text.schema else None,
        )
        for version, schema in schemas.items()
    }


def _make(schema: defs.OpSchema, newest: bool, text: OperatorText | None) -> type[OnnxOp]:
    """Make the class of one version; its definitions carry the names of the schema.

    A name that Python or the base class already has gets an underscore; of an input and an output
    of one name, the output gets ``_out``.
    """
    op_type, domain = schema.name, schema.domain
    inputs, outputs = _parameters(schema.inputs), _parameters(schema.outputs)
    used: set[str] = set(_RESERVED)
    fields: dict[str, object] = {}
    for parameter in inputs:
        fields[_identifier(parameter.name, used)] = _OPERANDS[parameter.kind]()
    for parameter in outputs:
        name = parameter.name + ("_out" if parameter.name in fields else "")
        fields[_identifier(name, used)] = _RESULTS[parameter.kind]()
    subgraphs: list[Parameter] = []
    for name, attribute in sorted(schema.attributes.items()):
        kind, required = enum_name(attribute.type), attribute.required
        accessor = _identifier(name, used)
        if kind == "GRAPH":
            subgraphs.append(Parameter(name, "Single" if required else "Optional"))
            define = region_def if required else opt_region_def
            fields[accessor] = define("single_block")
        else:
            constraint = SettingConstraint(name, *_KINDS[kind])
            fields[accessor] = (prop_def if required else opt_prop_def)(constraint, prop_name=name)
    version = "" if newest else f".v{schema.since_version}"
    options = (
        (AttrSizedOperandSegments, inputs),
        (AttrSizedResultSegments, outputs),
        (AttrSizedRegionSegments, subgraphs),
    )
    namespace: dict[str, object] = {
        **fields,
        "__module__": __name__,
        "__doc__": schema.doc,
        "__annotations__": {},
        "name": ".".join(filter(None, ("onnx", domain.removeprefix("ai.onnx."), op_type)))
        + version,
        "irdl_options": tuple(o(as_property=True) for o, values in options if needs_sizes(values)),
        "traits": _traits(domain, op_type, bool(subgraphs)),
    }
    made = irdl_op_definition(cast(type[OnnxOp], type(op_type, (OnnxOp,), namespace)))
    made.schema, made.op_type, made.domain, made.text = schema, op_type, domain, text
    made.version = schema.since_version
    made.input_parameters, made.output_parameters = inputs, outputs
    made.subgraph_parameters = tuple(subgraphs)
    return made


def _parameters(declared: Sequence[defs.OpSchema.FormalParameter]) -> tuple[Parameter, ...]:
    return tuple(Parameter(p.name, cast("Kind", enum_name(p.option))) for p in declared)


def _traits(domain: str, op_type: str, has_subgraph: bool) -> OpTraits:
    if op_type == "Dropout":
        return traits_def(DropoutEffect())
    # A check stays, whether its result is used or not.
    if op_type in _RANDOM or (domain, op_type) == ("autodeploy", "Expect"):
        return traits_def(MemoryWriteEffect())
    return traits_def(RecursiveMemoryEffect()) if has_subgraph else traits_def(Pure())


_RESERVED = {
    *dir(OnnxOp),
    *("schema", "op_type", "domain", "version", "text"),
    *("input_parameters", "output_parameters", "subgraph_parameters"),
}


def _identifier(name: str, used: set[str]) -> str:
    """Return a Python identifier for a name of a schema, and mark it as used."""
    while name in used or keyword.iskeyword(name):
        name += "_"
    used.add(name)
    return name
