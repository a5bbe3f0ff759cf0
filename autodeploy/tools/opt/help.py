"""The passes as lists for a reader: with ``--help`` and with ``--list-passes``."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping

from xdsl.passes import ModulePass

from autodeploy.passes.fusion.registry import pattern_passes
from autodeploy.tools.opt.options import option_help
from autodeploy.universe import UNIVERSE

WIDTH = 100
INDENT = 34

Available = Mapping[str, Callable[[], type[ModulePass]]]


def pass_help(available: Available) -> str:
    """Return autodeploy's passes with help and options, then the names of all others."""
    own, rules, other = _groups(available)
    names = _wrapped(", ".join(other), "  ", 2)
    return _sections(_entries(own, available), _entries(rules, available), names)


def pass_list(available: Available) -> str:
    """Return every pass, each on one line with its summary."""
    return _sections(*(_lines(names, available) for names in _groups(available)))


def _sections(own: str, rules: str, other: str) -> str:
    return f"passes of autodeploy:\n{own}\nfusion rules:\n{rules}\npasses of xDSL:\n{other}"


def _groups(available: Available) -> tuple[list[str], list[str], list[str]]:
    rules = sorted(pattern_passes())
    own = sorted(UNIVERSE.all_passes.keys() - set(rules))
    return own, rules, sorted(available.keys() - UNIVERSE.all_passes.keys())


def _lines(names: Iterable[str], available: Available) -> str:
    return "".join(
        f"  {name:<{INDENT - 3}} {_summary(available[name])}".rstrip() + "\n" for name in names
    )


def _entries(names: Iterable[str], available: Available) -> str:
    entries: list[str] = []
    for name in names:
        load = available[name]
        flag = f"  --{name}"
        if len(flag) >= INDENT:
            entries.append(flag + "\n")
            flag = ""
        entries.append(_wrapped(_summary(load), flag.ljust(INDENT), INDENT))
        entries += [_wrapped(text, " " * INDENT, INDENT + 2) for text in option_help(load())]
    return "".join(entries)


def _summary(load: Callable[[], type[ModulePass]]) -> str:
    try:
        cls = load()
    except ImportError as error:  # some of xDSL's passes need packages of their own
        return f"(not available: {error})"
    doc = (cls.__doc__ or "").strip()
    if doc.startswith(f"{cls.__name__}("):  # what a dataclass without a docstring is given
        return ""
    paragraph = " ".join(doc.split("\n\n")[0].split())
    return paragraph.split(". ")[0].rstrip(".")


def _wrapped(text: str, lead: str, indent: int) -> str:
    return (
        textwrap.fill(
            text,
            WIDTH,
            initial_indent=lead,
            subsequent_indent=" " * indent,
            break_on_hyphens=False,
            break_long_words=False,
        )
        + "\n"
    )
