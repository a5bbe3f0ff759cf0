"""Small changes of files: of bytes, of the fields of protobuf messages, of the words of texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

NUMBERS = (0, 1, -1, 2, 7, 127, 999, 2**31 - 1, -(2**31), 2**31, 2**63 - 1, -(2**63))
"""Integers at which programs break."""
STRINGS = (
    "",
    "x",
    "../x",
    "/dev/zero",
    "a\0b",
    "\n",
    '"; system("x");',
    "名前",
    "%s%n",
    "x" * 5000,
)
"""Names that are none."""
WORDS = (
    "0",
    "-1",
    "1e400",
    "nan",
    "9223372036854775808",
    "99999999999999999999",
    "f32",
    "f16",
    "bf16",
    "f64",
    "i1",
    "i8",
    "ui8",
    "i64",
    "index",
    "tensor<2x3xf32>",
    "tensor<?xf32>",
    "tensor<0xf32>",
    "tensor<4294967296x4294967296xf32>",
    '""',
    '"x"',
    "[]",
    "{}",
    "()",
    "->",
    ":",
    ",",
    "=",
    "%0",
    "%x",
    "^bb0",
    "@main",
    "#hash",
    "true",
    "unit",
    "dense<0>",
    "loc(unknown)",
)
"""What a word of a text becomes."""


def change_bytes(data: bytes, random: np.random.Generator) -> bytes:
    """Return the bytes with a few of them changed, left out, repeated or put in."""
    found = bytearray(data)
    for _ in range(int(random.choice([1, 1, 2, 5]))):
        place = int(random.integers(len(found) + 1))
        length = int(random.integers(1, 9))
        match int(random.integers(5)):
            case 0:
                found[place : place + 1] = random.bytes(1)
            case 1:
                del found[place : place + length]
            case 2:
                found[place:place] = random.bytes(length)
            case 3:
                found[place:place] = found[place : place + length]
            case _:
                del found[place + int(random.integers(64)) :]
    return bytes(found)


def change_words(data: bytes, random: np.random.Generator) -> bytes:
    """Return the bytes with a few changed, and half of the time one number of 32 bits."""
    found = bytearray(change_bytes(data, random))
    if random.random() < 0.5 and len(found) > 64:
        place = 4 * int(random.integers(len(found) // 4))
        number = int(random.choice([0, 1, 2**31, 2**32 - 1, place, 64]))
        found[place : place + 4] = number.to_bytes(4, "little")
    return bytes(found)


def change_text(text: str, random: np.random.Generator) -> str:
    """Return the text with a few words, lines or characters changed."""
    for _ in range(int(random.choice([1, 1, 2, 4]))):
        if random.random() < 0.15:
            changed = change_bytes(text.encode(), random)
            text = changed.decode(errors="replace")
            continue
        pieces = re.split(r"(\n)" if random.random() < 0.2 else r"(\W+)", text)
        here, there = (int(i) for i in random.integers(len(pieces), size=2))
        match int(random.integers(5)):
            case 0:
                pieces[here], pieces[there] = pieces[there], pieces[here]
            case 1:
                pieces[here] = pieces[there]
            case 2:
                pieces[here] = ""
            case _:
                pieces[here] = str(random.choice(WORDS))
        text = "".join(pieces)
    return text


def change_message(message: Message, random: np.random.Generator) -> None:
    """Change a few fields of a message, or of messages in it, in place."""
    for _ in range(int(random.choice([1, 1, 1, 3]))):
        _change_field(_somewhere(message, random), random)


def _somewhere(message: Message, random: np.random.Generator) -> Message:
    """Return the message or one in it, at any depth."""
    while random.random() < 0.85:
        inner: list[Message] = []
        for field, value in message.ListFields():
            if field.type == FieldDescriptor.TYPE_MESSAGE:
                inner += list(value) if _is_list(field) else [value]
        if not inner:
            break
        message = inner[int(random.integers(len(inner)))]
    return message


def _change_field(message: Message, random: np.random.Generator) -> None:
    present = [field for field, _ in message.ListFields()]
    fields: Sequence[FieldDescriptor] = (
        present if present and random.random() < 0.8 else message.DESCRIPTOR.fields
    )
    field = fields[int(random.integers(len(fields)))]
    value = getattr(message, field.name)
    if random.random() < 0.2:
        message.ClearField(field.name)
    elif field.type == FieldDescriptor.TYPE_MESSAGE:
        if not _is_list(field):
            value.SetInParent()
        elif value and random.random() < 0.8:
            place = int(random.integers(len(value)))
            if random.random() < 0.5:
                del value[place]
            else:
                value.add().CopyFrom(value[place])
        else:
            value.add()
    else:
        changed = _scalar(field)(random)
        if not _is_list(field):
            setattr(message, field.name, changed)
        elif len(value) and random.random() < 0.7:
            value[int(random.integers(len(value)))] = changed
        else:
            value.append(changed)


def _is_list(field: FieldDescriptor) -> bool:
    return bool(field.is_repeated)


def _scalar(field: FieldDescriptor) -> Callable[[np.random.Generator], object]:
    match field.type:
        case FieldDescriptor.TYPE_STRING:
            return lambda random: STRINGS[int(random.integers(len(STRINGS)))]
        case FieldDescriptor.TYPE_BYTES:
            return lambda random: random.bytes(int(random.integers(20)))
        case FieldDescriptor.TYPE_FLOAT | FieldDescriptor.TYPE_DOUBLE:
            return lambda random: float(random.choice([0.0, -1.0, np.nan, np.inf, 1e30]))
        case FieldDescriptor.TYPE_ENUM:
            known = [value.number for value in field.enum_type.values]
            return lambda random: int(random.choice(known))
        case FieldDescriptor.TYPE_INT32:
            return lambda random: int(random.choice([n for n in NUMBERS if abs(n) < 2**31]))
        case FieldDescriptor.TYPE_UINT64:
            return lambda random: int(random.choice([abs(n) for n in NUMBERS[:-1]]))
        case _:
            return lambda random: int(random.choice(NUMBERS))
