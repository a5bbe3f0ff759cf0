"""The options of ``autodeploy-opt`` other than its passes."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Collection, Sequence
from typing import NoReturn, TypeAlias

from autodeploy.diagnostics import UserError, did_you_mean
from autodeploy.tools.model_options import MODEL_OPTIONS

Add: TypeAlias = Callable[..., object]
"""``add_argument`` of a group."""

SUMMARY = "read a module, run passes over it, write it"

DESCRIPTION = f"""\
{SUMMARY.capitalize()}. The input is MLIR text or a model; each pass is a
flag, and the flags run in the order of the command line."""

USAGE = 'autodeploy-opt [options] [--<pass>[="key=value key=v1,v2"] ...] [input]'


_WORDS = {
    r"^argument ([^:/]*)[^:]*: expected one argument$": r"option '\1' takes a value",
    r"^argument ([^:/]*)[^:]*: ignored explicit argument .*$": r"option '\1' takes no value",
    r"^argument ([^:/]*)[^:]*: invalid choice: (.*) \(choose from (.*)\)$": (
        r"option '\1' takes one of \3, found \2"
    ),
}
"""Messages of argparse, and the replacements of this tool."""


class OptArgumentParser(argparse.ArgumentParser):
    """An argument parser whose mistakes are ``UserError`` and whose help ends with the passes."""

    def __init__(self, pass_help: Callable[[], str]):
        super().__init__(
            prog="autodeploy-opt",
            usage=USAGE,
            description=DESCRIPTION,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self._pass_help = pass_help

    def error(self, message: str) -> NoReturn:
        """Raise the message as a ``UserError``, in the words of the other errors."""
        for pattern, words in _WORDS.items():
            message = re.sub(pattern, words, message, flags=re.DOTALL)
        raise UserError(message)

    def format_help(self) -> str:
        """Return the help; the passes' modules are loaded for it."""
        return super().format_help() + "\n" + self._pass_help()

    def long_options(self) -> set[str]:
        """Return the options that start with two dashes."""
        return {name for name in self._option_string_actions if name.startswith("--")}

    def read(self, args: Sequence[str], passes: Collection[str]) -> argparse.Namespace:
        """Parse the arguments that are no pass flags.

        Raises ``UserError`` for an unknown option, with the closest option or pass flag.
        """
        namespace, extra = self.parse_known_args(args)
        for argument in extra:
            if argument.startswith("-"):
                name = argument.partition("=")[0]
                known = [*self._option_string_actions, *(f"--{p}" for p in passes)]
                raise UserError(f"unknown option or pass '{name}'{did_you_mean(name, known)}")
            raise UserError(f"more than one input: '{namespace.input_file}' and '{argument}'")
        return namespace


def add_arguments(
    parser: argparse.ArgumentParser, frontends: Collection[str], targets: Collection[str]
) -> None:
    """Register every option."""
    parser.add_argument("input_file", metavar="input", nargs="?", help="a file; '-' is stdin")
    _add_input(parser.add_argument_group("input").add_argument, frontends)
    _add_output(parser.add_argument_group("output").add_argument, targets)
    _add_passes(parser.add_argument_group("passes").add_argument)
    _add_checks(parser.add_argument_group("checks").add_argument)
    lists = parser.add_argument_group("lists").add_argument
    _flag(lists, "--list-passes", "print every pass with a line of help")
    _flag(lists, "--show-dialects", "print the names of all dialects")
    _flag(lists, "--print-pass-order", "print the order of the fusion rules and its reasons")
    _flag(lists, "--version", "print the versions of autodeploy and xDSL", "-v")


def _flag(add: Add, name: str, help: str, *others: str) -> None:
    add(name, *others, action="store_true", help=help)


def _add_input(add: Add, frontends: Collection[str]) -> None:
    add(
        "-f",
        "--frontend",
        choices=list(frontends),
        help="kind of the input (default: by the file's extension; mlir for stdin)",
    )
    for name, option in MODEL_OPTIONS.items():
        add(f"--{name}", action="append", default=[], metavar=option.metavar, help=option.help)
    add(
        "--weights",
        metavar="FILE",
        help="safetensors file to read weights from, where it exists, and to write them to "
        "(default: the file that the text names, and OUT.safetensors next to -o OUT.mlir)",
    )
    _flag(add, "--split-input-file", "treat the parts between lines '// -----' each by itself")
    _flag(add, "--allow-unregistered-dialect", "accept operations of unknown dialects")
    _flag(add, "--no-implicit-module", "do not wrap operations in a module")


def _add_output(add: Add, targets: Collection[str]) -> None:
    add(
        "-o",
        "--output-file",
        metavar="OUT",
        help="write OUT, and OUT.safetensors if weights are used, whole or not at all; without it "
        "the text goes to stdout and no weights are written unless --weights is given",
    )
    add(
        "-t",
        "--target",
        default="mlir",
        metavar="TARGET[{key=value}]",
        help=f"output format (default: mlir): {', '.join(targets)}",
    )
    _flag(add, "--print-op-generic", "print operations in generic form", "--mlir-print-op-generic")
    _flag(add, "--print-no-properties", "print properties among the attributes")
    _flag(
        add,
        "--print-debuginfo",
        "print locations: names of ONNX nodes, or places in the input's text",
        "--mlir-print-debuginfo",
    )
    _flag(add, "--syntax-highlight", "print with colours")


def _add_passes(add: Add) -> None:
    add(
        "-p",
        "--passes",
        metavar="PASSES",
        help="comma-separated passes, options in braces: a,b{key=value}; mixes with pass flags",
    )
    add(
        "-O",
        dest="level",
        metavar="LEVEL",
        help="run the passes of autodeploy compile, of level 0 to 3, before the others",
    )
    add("--from", dest="begin", metavar="STAGE", help="stage of the input of -O (default: import)")
    add("--to", dest="end", metavar="STAGE", help="last stage of -O (default: driver)")
    add("--machine", metavar="MACHINE", default="host", help="machine of -O (default: host)")
    add(
        "--pass-pipeline",
        metavar="PIPELINE",
        help="the same as MLIR writes it: builtin.module(a,b{key=value})",
    )
    _flag(add, "--dump-pass-pipeline", "print the passes to stderr as --pass-pipeline takes them")
    for when in ("before", "after"):
        _flag(
            add,
            f"--print-ir-{when}-all",
            f"print the IR to stderr {when} each pass",
            f"--mlir-print-ir-{when}-all",
        )
        add(
            f"--print-ir-{when}",
            f"--mlir-print-ir-{when}",
            action="append",
            default=[],
            metavar="PASS",
            help=f"print the IR to stderr {when} this pass; may be given for several",
        )
    add(
        "--reproducer",
        "--mlir-pass-pipeline-crash-reproducer",
        metavar="FILE",
        help="if a pass fails, write the IR before it and the pass to FILE",
    )
    _flag(add, "--run-reproducer", "run the pass that the first line of such a file names")
    _flag(add, "--time-passes", "print a table of times to stderr", "--mlir-timing")


def _add_checks(add: Add) -> None:
    _flag(
        add,
        "--verify-diagnostics",
        "compare errors with the input's comments '// expected-error {{text}}' (with @+1, @-1, "
        "@above, @below or @unknown for another line; 'expected-error-re' with {{regex}} inside): "
        "an error without its comment or a comment without its error is a failure. An error that "
        "names no place in the text matches any comment of its part of the file. If the whole "
        "input has no such comment, errors other than syntax errors are printed to stdout and the "
        "exit code is 0",
    )
    _flag(
        add,
        "--parsing-diagnostics",
        "if the input has no such comments, print syntax errors to stdout and exit with 0",
    )
    _flag(add, "--disable-verify", "do not verify the module between passes")
