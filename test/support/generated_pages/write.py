"""Writes the pages of docs/ that are made from the code; a test fails when they are stale.

``make docs`` writes them. With ``--check`` this program only compares them and lists stale ones.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from documents import ROOT
from generated_pages.dialect_pages import dialect_parts, docstring
from generated_pages.man_pages import man_pages
from xdsl.ir import Dialect
from xdsl.passes import PassOptionInfo, get_pass_option_infos

from autodeploy.analysis.contracts import CONTRACTS
from autodeploy.dialects.onnx import OnnxOp
from autodeploy.dialects.onnx.texts import OperatorText, contrib_texts
from autodeploy.universe import UNIVERSE

DIALECTS = ("onnx", "nn", "halide", "driver", "machine")
"""The dialects, which have a page each."""

REFUSALS = ROOT / "test" / "conformance" / "refusals.toml"
"""The tests of ONNX's suite that are refused, with reasons."""

CONFORMANCE = ROOT / "docs" / "conformance.json"
"""The result of `make conformance`: tests that pass, tests and element types by operator."""

GENERATED = "<!-- Made from the code by `make docs`; edit the docstrings there instead. -->\n"


def documents() -> Mapping[str, str]:
    """Return the text of every generated page by its path below docs/."""
    return {
        **{
            f"dialects/{name}.md": _page(f"The {name} dialect", dialect_parts(documented(name)))
            for name in DIALECTS
        },
        "passes.md": _passes_page(),
        "patterns.md": _patterns_page(),
        "operators.md": _operators_page(),
        **{f"man/{name}": text for name, text in man_pages().items()},
    }


def documented(name: str) -> Dialect:
    """Return a dialect without the ops that are made from ONNX's schemas: ONNX documents those."""
    dialect = UNIVERSE.all_dialects[name]()
    ops = [op for op in dialect.operations if not issubclass(op, OnnxOp)]
    return Dialect(name, ops, [*dialect.attributes])


def _page(title: str, parts: Iterable[str]) -> str:
    return "\n".join([GENERATED, f"# {title}\n", *parts]).rstrip() + "\n"


def _passes_page() -> str:
    parts = [
        'Every pass is a flag of `autodeploy-opt`; options are given as `--pass="k=v"`. The fusion '
        "rules, which are passes too, have [a page of their own](patterns.md).\n",
        *_pipeline_parts(),
    ]
    rules = set(_pattern_names())
    for name, load in sorted(UNIVERSE.all_passes.items()):
        if name in rules:
            continue
        pass_class = load()
        parts.append(f"## `--{name}`\n\n{docstring(pass_class)}\n")
        options = get_pass_option_infos(pass_class)
        if options:
            parts.append("| option | type | default |\n|---|---|---|")
            parts += map(_option_row, options)
            parts.append("")
    return _page("Passes", parts)


_OPTION_TYPES = {
    "bool": "`true` or `false`",
    "int": "integer",
    "str": "text",
    "str | None": "text",
    "tuple[str, ...]": "list of names",
}
"""Option types by the text of their annotations."""


def _option_row(option: PassOptionInfo) -> str:
    kind = str(option.expected_type).strip("'")
    default = option.default_value
    shown = "" if default in (None, "()") else f"`{default}`"
    return f"| `{option.name.replace('_', '-')}` | {_OPTION_TYPES.get(kind, kind)} | {shown} |"


def _pipeline_parts() -> list[str]:
    """Return the table of the passes of each level."""
    from autodeploy.pipelines import LEVELS, stages

    levels: dict[tuple[str, str], list[int]] = {}
    for level in LEVELS:
        for stage in stages(level):
            names = ", ".join(_pass_link(step.name) for step in stage.passes)
            levels.setdefault((stage.name, names), []).append(level)
    order = [stage.name for stage in stages(LEVELS[-1])]
    ordered = sorted(levels.items(), key=lambda entry: order.index(entry[0][0]))
    rows = [
        f"| {stage} | {names} | {', '.join(f'`-O{level}`' for level in at)} |"
        for (stage, names), at in ordered
    ]
    return [
        "## The pipeline\n",
        "The passes of `autodeploy compile` by stage; `--dump-ir` writes the IR after each.\n",
        "| stage | passes | at |\n|---|---|---|",
        *rows,
        "",
        "## Contracts of stages\n",
        "Invariants after each stage and after the import. The compiler checks them and verifies "
        "the module at every level.\n",
        "| after | invariants |\n|---|---|",
        *(
            f"| {stage} | {'; '.join(invariant.text for invariant in contract)} |"
            for stage, contract in CONTRACTS.items()
        ),
        "",
    ]


def _pass_link(name: str) -> str:
    return f"[{name}](#--{name})" if name in UNIVERSE.all_passes else name


def _pattern_names() -> list[str]:
    from autodeploy.passes.fusion.registry import pattern_passes

    return sorted(pattern_passes())


def _patterns_page() -> str:
    from autodeploy.dialects.registry import new_context
    from autodeploy.passes.fusion.order import pass_order
    from autodeploy.passes.fusion.registry import CODES_FOLDER, PATTERN_FOLDER, pattern_files

    files = {**pattern_files(), **pattern_files(CODES_FOLDER)}
    parts = [
        "Each rule is one file of [PDLL](pdll.md) and one flag of `autodeploy-opt`, here in the "
        "order in which `--fuse` runs them. The order is derived from the rules "
        "(`autodeploy-opt --print-pass-order` prints the reasons). The rules for codes, integers "
        "that stand for floats, come last here; `--use-integers` runs them together, before all "
        "others.\n"
    ]
    for name in [*pass_order(new_context()), *pattern_files(CODES_FOLDER)]:
        file = files[name]
        lines = file.read_text(encoding="utf-8").splitlines()
        comment = _leading_comment(lines)
        text = "\n".join(line.removeprefix("//").strip() for line in comment)
        code = "\n".join(line for line in lines[len(comment) :] if not line.startswith("#include"))
        parts.append(f"## `--{name}`\n\n{text}\n")
        path = file.relative_to(PATTERN_FOLDER).as_posix()
        parts.append(f"[{file.name}](../autodeploy/passes/fusion/rules/{path})\n")
        parts.append(f"```pdll\n{code.strip()}\n```\n")
    return _page("Fusion rules", parts)


def _leading_comment(lines: list[str]) -> list[str]:
    end = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return lines[:end]


def _operators_page() -> str:
    from onnx import defs

    from autodeploy.lowering.onnx_to_nn.context import converted_operators, converter_of

    defined = {".".join(name) for name in contrib_texts() if name[0]}
    converted = [name for name in converted_operators() if name not in defined]
    results: Any = json.loads(CONFORMANCE.read_text(encoding="utf-8"))
    rows: list[str] = []
    for name in converted:
        known = [
            version
            for version in _versions(name)
            if (op := _class(name, version)) is not None and converter_of(op) is not None
        ]
        versions = ", ".join(map(str, known))
        rows.append(f"| {name} | {versions} | {_passed(results['operators'].get(name))} |")
    schemas: Any = defs.get_all_schemas()  # whose stub lacks the functions
    others = {
        str(schema.name): bool(schema.has_function or schema.has_context_dependent_function)
        for schema in schemas
        if schema.domain == "" and not schema.deprecated and schema.name not in converted
    }
    parts = [
        f"The operators of ai.onnx up to opset {defs.onnx_opset_version()}; names of others begin "
        "with their domain. Unsupported nodes of a model are listed before any work.\n",
        "## Supported\n",
        "Versions are the opsets in which the operator changed. Tests are those of ONNX's suite "
        f"(onnx {results['onnx']}, `make conformance`) for the operator, with the element types "
        "of the first input of those that pass.\n",
        "| operator | versions | element types in tests | tests passed |\n|---|---|---|---|",
        *rows,
        "",
        "## Replaced\n",
        "By their definition in ONNX; they compile if it does.\n",
        ", ".join(sorted(name for name, defined in others.items() if defined)) + ".\n",
        "## Of other domains\n",
        "Functions in ONNX's text, each an `.onnxtxt` file "
        "([how to write one](add_an_operator.md#7-an-operator-of-another-domain)); ai.onnx is here "
        "the domain of operators without a domain, in opsets in which ONNX lacks them.\n",
        "| operator | function |\n|---|---|",
        *map(_text_row, contrib_texts().values()),
        "",
        "## Not supported\n",
        "The compiler evaluates such nodes if all operands are constants, as in arithmetic on "
        "shapes.\n",
        ", ".join(sorted(name for name, defined in others.items() if not defined)) + ".\n",
        *_refused_parts(),
    ]
    return _page("Operators", parts)


def _text_row(text: OperatorText) -> str:
    domain, op_type = text.name
    link = f"[{text.doc}](../autodeploy/frontend/onnx/contrib/{text.path.name})"
    return f"| {domain or 'ai.onnx'}.{op_type} | {link} |"


def _refused_parts() -> list[str]:
    """Return the tables of the tests of ONNX's suite that are refused, or that take values."""
    table = tomllib.loads(REFUSALS.read_text(encoding="utf-8"))
    groups = table["refused"]
    tests: dict[str, list[str]] = {}
    for group in groups:
        tests.setdefault(group["why"], []).extend(group["tests"])
    rows = [
        f"| {why} | {_listed(names)} |"
        for why, names in sorted(tests.items(), key=lambda one: (-len(one[1]), one[0]))
    ]
    return [
        "## Tests that are refused\n",
        "Tests of ONNX's suite whose models do not compile. All others agree with the suite except "
        "`test_resize_downsample_scales_linear_align_corners` and its cubic form. These place the "
        "last corner by the extent times the scale; ONNX's text, PyTorch and onnxruntime use the "
        "length of the result.\n",
        "| reason | tests |\n|---|---|",
        *rows,
        "",
        "## Tests whose programs are for values of inputs\n",
        "Sizes are computed from these inputs, so the program is compiled for their values "
        "(`--value`) and refuses others.\n",
        "| inputs | tests |\n|---|---|",
        *(f"| {group['inputs']} | {_listed(group['tests'])} |" for group in table["given"]),
        "",
    ]


def _listed(names: list[str]) -> str:
    return f"{len(names)}: {', '.join(f'`{name}`' for name in sorted(names))}"


def _class(name: str, version: int) -> type[OnnxOp] | None:
    """Return the op of an operator that may have its domain before its name."""
    from autodeploy.dialects.onnx import op_class

    domain, _, kind = name.rpartition(".")
    return op_class(kind, version, domain)


def _passed(result: list[Any] | None) -> str:
    """Return the cells of an operator of which ONNX's suite may have tests."""
    if result is None:
        return " | no test"
    passed, tests, types = result
    return f"{', '.join(types)} | {passed} of {tests}"


def _versions(name: str) -> list[int]:
    """Return the opsets that a version of an operator came with."""
    from onnx import defs

    domain, _, kind = name.rpartition(".")
    known = [s for s in defs.get_all_schemas_with_history() if s.name == kind]
    return sorted({s.since_version for s in known if s.domain == domain})


def main(args: list[str] | None = None) -> int:
    """Write or check the generated pages; returns 1 where a check finds stale ones."""
    parser = argparse.ArgumentParser(
        description=docstring(sys.modules[__name__]).partition("\n")[0]
    )
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs", help="the folder of the pages")
    options = parser.parse_args(args)
    stale: list[str] = []
    for name, text in documents().items():
        path: Path = options.docs / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{'stale' if options.check else 'written'}: {options.docs / name}")
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
