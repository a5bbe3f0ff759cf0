"""The settings of a machine as text: their names, what they take, and how they are written."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import NamedTuple

from autodeploy.diagnostics import UserError, did_you_mean
from autodeploy.machine.costs import CostModel
from autodeploy.machine.devices import read_device
from autodeploy.machine.targets import OPERATING_SYSTEMS

MAX_CORES = 1024
"""Cores of a machine at most, and threads of a program."""

_MAX_BYTES = 1 << 40
_MAX_RATE = 1e9
"""Other numbers are mistakes, or meant to make a rule count for years."""

Value = str | int | float


class Setting(NamedTuple):
    """A setting: the field of a ``Machine`` or of its costs, and the function that reads it."""

    field: str
    of_costs: bool
    read: Callable[[str, str], Value]
    """Takes the name of the setting and its text; raises ``UserError``."""


def check_setting(key: str, value: str) -> Setting:
    """Return a setting by its name; raises ``UserError`` if there is none, or no value."""
    if key in SETTINGS and not value:
        raise UserError(f"machine setting '{key}' has no value, expected {key}=…")
    if key not in SETTINGS:
        raise UserError(
            f"unknown machine setting '{key}{value and '='}{value}'{did_you_mean(key, SETTINGS)}; "
            f"a setting is one of {', '.join(f'{k}=…' for k in SETTINGS)}"
        )
    return SETTINGS[key]


def setting_text(value: Value) -> str:
    """Return the text of a value that the setting's ``read`` gives back."""
    if not isinstance(value, int) or value % 1024 or not value:
        return str(value)
    return f"{value >> 20}M" if value % (1 << 20) == 0 else f"{value >> 10}K"


def read_size(key: str, text: str) -> int:
    """Read a number of bytes, in units of 1024 with K, or of 1024 of these with M."""
    match = re.fullmatch(r"([0-9]{1,18})([kKmM]?)", text)
    if match is None:
        raise UserError(f"{key} is a number of bytes, or has the suffix K or M, found '{text}'")
    size = int(match[1]) << {"": 0, "k": 10, "m": 20}[match[2].lower()]
    if size > _MAX_BYTES:
        raise UserError(f"{key} is at most {_MAX_BYTES} bytes, found '{text}'")
    return size


def _count(key: str, text: str) -> int:
    size = read_size(key, text) if re.fullmatch(r"[0-9]+[kKmM]?", text) else 0
    if size < 1:
        raise UserError(f"{key} is a number from 1 on, found '{text}'")
    return size


def _cores(key: str, text: str) -> int:
    count = _count(key, text)
    if count > MAX_CORES:
        raise UserError(f"{key} is a number from 1 to {MAX_CORES}, found '{text}'")
    return count


def _rate(key: str, text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = math.nan
    if not 1 / _MAX_RATE <= rate <= _MAX_RATE:
        raise UserError(f"{key} is a number above 0, found '{text}'")
    return rate


def _system(key: str, text: str) -> str:
    if text not in OPERATING_SYSTEMS:
        raise UserError(
            f"{key} is one of {', '.join(OPERATING_SYSTEMS)}, found '{text}'"
            f"{did_you_mean(text, OPERATING_SYSTEMS)}"
        )
    return text


SETTINGS: Mapping[str, Setting] = {
    "os": Setting("os", False, _system),
    "device": Setting("device", False, read_device),
    "cores": Setting("cores", False, _cores),
    "l1": Setting("l1_bytes", False, read_size),
    "l2": Setting("l2_bytes", False, read_size),
    "l3": Setting("l3_bytes", False, read_size),
    **{
        field.name: Setting(field.name, True, _rate if field.type == "float" else _count)
        for field in fields(CostModel)
    },
}
"""All settings by name: those of the machine, and each number of its ``CostModel``."""
