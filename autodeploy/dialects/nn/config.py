"""``#nn.config``: how a kernel is computed, as it was chosen: a template and its knobs.

``configure-kernels`` writes it; packing, lowering and scheduling read it. The template documents
its knobs (``templates/<name>/template.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

Knob: TypeAlias = "int | str | ConfigAttr"


@irdl_attr_definition
class ConfigAttr(ParametrizedAttribute):
    """How a kernel is computed: ``#nn.config<direct_conv, tile = [32, 13], order = [x, y, c]>``.

    The values of a knob are integers, names, or further configs. Passes check the knobs that
    they read, for the machine of the module.

    Constraints:

    - (config_c1) its template is there and is for the kernel, and for its open axes
    - (config_c2) it has no knobs but those of the template for such a kernel
    - (config_c3) each knob has a value that the template has for the kernel and the machine
    - (config_c4) these values go together
    - (config_c5) in a kernel that is lowered it has all knobs, or none of plain
    - (config_c6) in a kernel that is lowered weights are packed as it says
    """

    name = "nn.config"

    template: StringAttr
    knobs: DictionaryAttr

    def __init__(self, template: str, knobs: Mapping[str, Sequence[Knob]] | None = None):
        super().__init__(
            StringAttr(template),
            DictionaryAttr(
                {name: ArrayAttr(map(_attribute, values)) for name, values in (knobs or {}).items()}
            ),
        )

    @property
    def template_name(self) -> str:
        """Return the name of the template."""
        return self.template.data

    def __iter__(self) -> Iterator[str]:
        """Return the names of the knobs that are set."""
        return iter(self.knobs.data)

    def __contains__(self, knob: str) -> bool:
        """Return whether a knob is set."""
        return knob in self.knobs.data

    def as_dict(self) -> dict[str, Sequence[Knob]]:
        """Return the values of all knobs that are set."""
        return {knob: self.values(knob) for knob in self}

    def values(self, knob: str) -> tuple[Knob, ...]:
        """Return the values of a knob; none of one that is not set."""
        found = self.knobs.data.get(knob)
        return tuple(map(_value, _array(found))) if found is not None else ()

    def ints(self, knob: str, count: int | None = None) -> tuple[int, ...]:
        """Return the integers of a knob; with ``count``, it must have exactly that many.

        Raises ``VerifyException`` if they are others.
        """
        values = self.values(knob)
        found = tuple(value for value in values if isinstance(value, int))
        if len(found) != len(values) or count not in (None, len(found)):
            number = "" if count is None else f"{count} "
            raise VerifyException(
                f"knob {knob} of {self.template_name} has {number}integers, found {self}"
            )
        return found

    def number(self, knob: str) -> int:
        """Return the value of a knob of one integer, 0 where it is not set.

        Raises ``VerifyException`` if it has others.
        """
        return self.ints(knob, 1)[0] if self.values(knob) else 0

    def configs(self, knob: str) -> tuple[ConfigAttr, ...]:
        """Return the configs that a knob has; a name is one without knobs."""
        return tuple(map(as_config, self.values(knob)))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse ``<template, knob = [values], …>``."""
        with parser.in_angle_brackets():
            template = StringAttr(parser.parse_identifier())
            knobs: dict[str, Attribute] = {}
            while parser.parse_optional_punctuation(",") is not None:
                _parse_knob(parser, knobs)
        return [template, DictionaryAttr(knobs)]

    def print_parameters(self, printer: Printer) -> None:
        """Print ``<template, knob = [values], …>``."""
        with printer.in_angle_brackets():
            printer.print_string(self.template.data)
            for name, values in self.knobs.data.items():
                printer.print_string(", ")
                _print_knob(printer, name, values)


def as_config(value: Knob) -> ConfigAttr:
    """Return the config that a value of a knob is; a name, or a number, is one without knobs."""
    return value if isinstance(value, ConfigAttr) else ConfigAttr(str(value))


def _attribute(value: Knob) -> Attribute:
    if isinstance(value, ConfigAttr):
        return value if value.knobs.data else value.template
    return StringAttr(value) if isinstance(value, str) else IntAttr(value)


def _array(values: Attribute) -> tuple[Attribute, ...]:
    # Searches read millions of knobs, and ``isa`` looks at each value: far slower than this.
    assert isinstance(values, ArrayAttr)
    return cast("ArrayAttr[Attribute]", values).data


def _value(attribute: Attribute) -> Knob:
    if isinstance(attribute, ConfigAttr):
        return attribute
    if isinstance(attribute, StringAttr):
        return attribute.data
    assert isinstance(attribute, IntAttr)
    return cast("IntAttr[int]", attribute).data


def _parse_knob(parser: AttrParser, knobs: dict[str, Attribute]) -> None:
    """Parse ``knob = [values]``."""
    place = parser.pos
    name = parser.parse_identifier()
    if name in knobs:
        parser.raise_error(f"knob {name} is set twice", place, parser.pos)
    parser.parse_punctuation("=")
    values = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: _parse_value(parser)
    )
    knobs[name] = ArrayAttr(values)


def _parse_value(parser: AttrParser) -> Attribute:
    """Parse an integer, a name, or ``template<knob = [values], …>``."""
    number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    if number is not None:
        return IntAttr(number)
    name = StringAttr(parser.parse_identifier(" or an integer as value of a knob"))
    if parser.parse_optional_punctuation("<") is None:
        return name
    knobs: dict[str, Attribute] = {}
    _parse_knob(parser, knobs)
    while parser.parse_optional_punctuation(",") is not None:
        _parse_knob(parser, knobs)
    parser.parse_punctuation(">")
    return ConfigAttr.new([name, DictionaryAttr(knobs)])


def _print_value(printer: Printer, value: Attribute) -> None:
    if not isinstance(value, ConfigAttr):
        printer.print_string(str(_value(value)))
        return
    printer.print_string(value.template.data)
    with printer.in_angle_brackets():
        items = value.knobs.data.items()
        printer.print_list(items, lambda item: _print_knob(printer, *item))


def _print_knob(printer: Printer, name: str, values: Attribute) -> None:
    printer.print_string(f"{name} = ")
    with printer.in_square_brackets():
        printer.print_list(_array(values), lambda value: _print_value(printer, value))
