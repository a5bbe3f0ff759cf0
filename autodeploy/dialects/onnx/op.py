"""The common part of onnx ops, and the ops that no schema describes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, OpResult, Region, SSAValue
from xdsl.irdl import (
    BaseAttr,
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from autodeploy.dialects.constraints import invalid

if TYPE_CHECKING:
    from typing import Self

    from onnx import defs

    from autodeploy.dialects.onnx.texts import OperatorText

_T = TypeVar("_T")

Setting: TypeAlias = "int | float | str | tuple[Setting, ...] | Attribute"
"""An attribute of an operator as a Python value; tensors and types stay attributes."""


Kind: TypeAlias = Literal["Single", "Optional", "Variadic"]


class Parameter(NamedTuple):
    """An input, an output or a subgraph of an operator, as its schema declares it."""

    name: str
    kind: Kind


class OnnxOp(IRDLOperation):
    """One version of one ONNX operator, made from its schema.

    The text ``onnx.Conv`` is the newest version of the operator, ``onnx.Conv.v11`` the one that
    came with opset 11. Operands, results and regions keep the order and the names of the schema;
    an operator's attributes are properties and are left out where the model leaves them out.
    """

    if TYPE_CHECKING:  # at run time pyrdl would take them for definitions
        schema: ClassVar[defs.OpSchema]
        op_type: ClassVar[str]
        text: ClassVar[OperatorText | None]
        """The definition of an operator that ONNX lacks."""
        domain: ClassVar[str]
        """The operator set; empty for ai.onnx."""
        version: ClassVar[int]
        """The opset that this version of the operator came with."""
        input_parameters: ClassVar[tuple[Parameter, ...]]
        output_parameters: ClassVar[tuple[Parameter, ...]]
        subgraph_parameters: ClassVar[tuple[Parameter, ...]]

    @classmethod
    def from_positions(
        cls,
        inputs: Sequence[SSAValue | None],
        output_types: Sequence[Attribute | None],
        properties: Mapping[str, Attribute] | None = None,
        regions: Mapping[str, Region] | None = None,
    ) -> Self:
        """Build the op from inputs and outputs by position, as an ONNX node lists them.

        ``None`` stands for an optional one that is left out; trailing ones may be missing. Raises
        ``VerifyException`` if a required one is missing or there are too many.
        """
        given_regions = regions or {}
        operands = _segments(f"{cls.name}: input", cls.input_parameters, inputs)
        results = _segments(f"{cls.name}: output", cls.output_parameters, output_types)
        bodies = _segments(
            f"{cls.name}: subgraph",
            cls.subgraph_parameters,
            [given_regions.get(p.name) for p in cls.subgraph_parameters],
        )
        sizes = {
            f"{kind}SegmentSizes": DenseArrayBase.from_list(i32, [*map(len, segments)])
            for kind, parameters, segments in (
                ("operand", cls.input_parameters, operands),
                ("result", cls.output_parameters, results),
                ("region", cls.subgraph_parameters, bodies),
            )
            if needs_sizes(parameters)
        }
        return cls.create(
            operands=[value for segment in operands for value in segment],
            result_types=[type_ for segment in results for type_ in segment],
            properties={**(properties or {}), **sizes},
            regions=[region for segment in bodies for region in segment],
        )

    def inputs_by_position(self) -> list[SSAValue | None]:
        """Return the operands as an ONNX node lists its inputs, ``None`` for one left out.

        Trailing inputs that are left out are not in the list.
        """
        return _positions(self.input_parameters, self._inputs())

    def outputs_by_position(self) -> list[OpResult | None]:
        """Return the results as an ONNX node lists its outputs, ``None`` for one left out.

        Trailing outputs that are left out are not in the list.
        """
        return _positions(self.output_parameters, self._outputs())

    def input_named(self, name: str) -> SSAValue | None:
        """Return the operand that the schema calls ``name``, ``None`` if it is left out.

        For a variadic parameter this is the first operand. Raises ``KeyError`` for a foreign name.
        """
        return self._named(name, self.input_parameters, self._inputs())

    def output_named(self, name: str) -> OpResult | None:
        """Return the result that the schema calls ``name``; the rest is as for ``input_named``."""
        return self._named(name, self.output_parameters, self._outputs())

    def subgraph_named(self, name: str) -> Region | None:
        """Return the region of the graph attribute ``name``; the rest is as for ``input_named``."""
        regions = self._cut("region", self.subgraph_parameters, self.regions)
        return self._named(name, self.subgraph_parameters, regions)

    def setting(self, name: str) -> Setting | None:
        """Return the attribute ``name`` as a Python value: the op's own, else the schema's default.

        ``None`` if there is neither. Raises ``KeyError`` for a name that the schema lacks.
        """
        attribute = self.schema.attributes.get(name)
        if attribute is None:
            raise KeyError(f"{self.name} has no attribute '{name}'")
        own = self.properties.get(name)
        return _default(attribute) if own is None else python_value(own)

    def verify_(self) -> None:
        """Check (subgraph_c1) that each region is one block that ends in ``onnx.yield``."""
        for region in self.regions:
            if len(region.blocks) != 1 or not isinstance(region.block.last_op, YieldOp):
                raise invalid(
                    "subgraph_c1",
                    f"expected each region of {self.name} to be one block that ends in onnx.yield",
                )

    def _inputs(self) -> list[Sequence[SSAValue]]:
        return self._cut("operand", self.input_parameters, self.operands)

    def _outputs(self) -> list[Sequence[OpResult]]:
        return self._cut("result", self.output_parameters, self.results)

    def _cut(
        self, kind: str, parameters: tuple[Parameter, ...], values: Sequence[_T]
    ) -> list[Sequence[_T]]:
        """Cut operands, results or regions into one slice for each parameter of the schema."""
        sizes = self.properties.get(f"{kind}SegmentSizes")
        if sizes is not None:
            lengths = int_values(sizes)
        else:
            free = len(values) - sum(p.kind == "Single" for p in parameters)
            lengths = tuple(1 if p.kind == "Single" else free for p in parameters)
        slices: list[Sequence[_T]] = []
        start = 0
        for length in lengths:
            slices.append(values[start : start + length])
            start += length
        return slices

    def _named(
        self, name: str, parameters: tuple[Parameter, ...], slices: list[Sequence[_T]]
    ) -> _T | None:
        for parameter, values in zip(parameters, slices, strict=True):
            if parameter.name == name:
                return values[0] if values else None
        raise KeyError(f"{self.name} has none of '{name}'")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends a subgraph (a branch of If, the body of Loop or Scan) and names its outputs."""

    name = "onnx.yield"

    arguments = var_operand_def()

    traits = traits_def(IsTerminator(), Pure())

    def __init__(self, arguments: Sequence[SSAValue]):
        super().__init__(operands=[arguments])


@irdl_op_definition
class CustomOp(IRDLOperation):
    """An operator that no schema of ONNX describes; kept so that a report can name it.

    ``absent_operands`` and ``absent_results`` are the positions at which the node has an empty name
    among its inputs and outputs; ``subgraph_names`` are the attributes that became regions. Nothing
    is known of its effects.
    """

    name = "onnx.custom"

    domain = prop_def(StringAttr | BytesAttr)
    op_type = prop_def(StringAttr | BytesAttr)
    settings = prop_def(DictionaryAttr)
    absent_operands = opt_prop_def(DenseArrayBase.constr(i64))
    absent_results = opt_prop_def(DenseArrayBase.constr(i64))
    subgraph_names = opt_prop_def(ArrayAttr.constr(BaseAttr(StringAttr)))
    inputs = var_operand_def()
    outputs = var_result_def()
    subgraphs = var_region_def("single_block")

    def __init__(
        self,
        domain: StringAttr | BytesAttr,
        op_type: StringAttr | BytesAttr,
        settings: Mapping[str, Attribute],
        inputs: Sequence[SSAValue | None],
        output_types: Sequence[Attribute | None],
        subgraphs: Sequence[tuple[str, Region]] = (),
    ):
        names = ArrayAttr(StringAttr(name) for name, _ in subgraphs)
        super().__init__(
            operands=[[value for value in inputs if value is not None]],
            result_types=[[type_ for type_ in output_types if type_ is not None]],
            properties={
                "domain": domain,
                "op_type": op_type,
                "settings": DictionaryAttr(settings),
                "absent_operands": _absent(inputs),
                "absent_results": _absent(output_types),
                "subgraph_names": names if subgraphs else None,
            },
            regions=[[region for _, region in subgraphs]],
        )

    def verify_(self) -> None:
        """Check the constraints.

        - (custom_c1) there is a name for each subgraph
        - (custom_c2) absent positions rise, and are among all positions
        """
        names = () if self.subgraph_names is None else self.subgraph_names.data
        if len(names) != len(self.regions):
            raise invalid(
                "custom_c1",
                f"{self.name} has {len(self.regions)} subgraphs but {len(names)} names for them",
            )
        for what, absent, present in (
            ("operands", self.absent_operands, self.operands),
            ("results", self.absent_results, self.results),
        ):
            positions = () if absent is None else int_values(absent)
            if list(positions) != sorted(set(range(len(present) + len(positions))) & {*positions}):
                raise invalid(
                    "custom_c2",
                    f"absent_{what} of {self.name} must ascend and be among the positions",
                )

    def inputs_by_position(self) -> list[SSAValue | None]:
        """Return the operands as an ONNX node lists its inputs, ``None`` for one left out."""
        return _with_absent(self.inputs, self.absent_operands)

    def outputs_by_position(self) -> list[OpResult | None]:
        """Return the results as an ONNX node lists its outputs, ``None`` for one left out."""
        return _with_absent(self.outputs, self.absent_results)


def needs_sizes(parameters: Iterable[Parameter]) -> bool:
    """Return whether the number of values alone does not say which parameters they belong to."""
    return sum(parameter.kind != "Single" for parameter in parameters) > 1


def int_values(array: Attribute) -> tuple[int, ...]:
    """Return the integers of an ``array<i64: …>`` or ``array<i32: …>``."""
    return tuple(cast("DenseArrayBase[IntegerType]", array).get_values())


def enum_name(member: object) -> str:
    """Return the bare name of a member of one of the enumerations of ``onnx.defs``."""
    return str(member).rpartition(".")[2]


def python_value(attribute: Attribute) -> Setting:
    """Return numbers, text and lists of them as Python values, anything else as it is."""
    match attribute:
        case IntegerAttr() | FloatAttr():
            return attribute.value.data
        case StringAttr():
            return attribute.data
        case BytesAttr():
            return attribute.data.decode(errors="surrogateescape")
        case DenseArrayBase():
            return int_values(attribute)
        case ArrayAttr():
            return tuple(map(python_value, attribute.data))
        case _:
            return attribute


def _default(attribute: defs.OpSchema.Attribute) -> Setting | None:
    default = attribute.default_value
    match enum_name(attribute.type) if default.name else "":
        case "INT":
            return default.i
        case "FLOAT":
            return default.f
        case "STRING":
            return default.s.decode()
        case "INTS":
            return tuple(default.ints)
        case "FLOATS":
            return tuple(default.floats)
        case "STRINGS":
            return tuple(text.decode() for text in default.strings)
        case _:
            return None


def _segments(
    what: str, parameters: tuple[Parameter, ...], values: Sequence[_T | None]
) -> list[list[_T]]:
    """Distribute values by position to the parameters; a last variadic one takes the rest."""
    segments: list[list[_T]] = []
    for index, parameter in enumerate(parameters):
        end = len(values) if parameter.kind == "Variadic" else index + 1
        present = [value for value in values[index:end] if value is not None]
        if parameter.kind == "Single" and not present:
            raise VerifyException(f"{what} '{parameter.name}' is required but left out")
        if parameter.kind == "Variadic" and len(present) < end - index:
            raise VerifyException(f"{what} '{parameter.name}' has an empty name in its list")
        segments.append(present)
    variadic = bool(parameters) and parameters[-1].kind == "Variadic"
    if not variadic and any(value is not None for value in values[len(parameters) :]):
        raise VerifyException(f"{what}: expected at most {len(parameters)}, found {len(values)}")
    return segments


def _positions(parameters: tuple[Parameter, ...], slices: list[Sequence[_T]]) -> list[_T | None]:
    listed: list[_T | None] = []
    for parameter, values in zip(parameters, slices, strict=True):
        listed.extend(values)
        if parameter.kind == "Optional" and not values:
            listed.append(None)
    while listed and listed[-1] is None:
        listed.pop()
    return listed


def _absent(values: Sequence[object | None]) -> DenseArrayBase | None:
    positions = [index for index, value in enumerate(values) if value is None]
    return DenseArrayBase.from_list(i64, positions) if positions else None


def _with_absent(values: Sequence[_T], absent: DenseArrayBase | None) -> list[_T | None]:
    listed: list[_T | None] = list(values)
    for position in () if absent is None else int_values(absent):
        listed.insert(position, None)
    return listed
