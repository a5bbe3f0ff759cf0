"""The commands of ``autodeploy``: compile a model to a bundle, run a bundle, say what there is."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from xdsl.utils.exceptions import DiagnosticException

from autodeploy.tools.bench import bench
from autodeploy.tools.calibrate import calibrate
from autodeploy.tools.command_options import (
    DYNAMIC,
    LAST,
    MODEL,
    POOL,
    PRECISION,
    STATE,
    choice,
    count,
    flag,
    level,
    number,
    output,
    path,
    size,
    text,
)
from autodeploy.tools.inspect import inspect
from autodeploy.tools.model_options import ModelOptions, with_model_options
from autodeploy.tools.model_warnings import warnings_in_lines
from autodeploy.tools.named_options import parse_dynamic, parse_last, parse_state
from autodeploy.tools.quantize import quantize
from autodeploy.tools.records import app as records_app
from autodeploy.tools.report.command import report
from autodeploy.tools.run import run
from autodeploy.tools.terminal import say
from autodeploy.tools.tune import tune
from autodeploy.tools.usage import UsageError, usage_text
from autodeploy.tools.verify import verify

app = typer.Typer(
    help="Compile trained networks (ONNX, tmfile) to small, fast, self-contained C programs.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Emit(StrEnum):
    """The form of kernels."""

    OBJECT = "object"
    C = "c"


class Winograd(StrEnum):
    """Whether Winograd's algorithm may be chosen."""

    AUTO = "auto"
    OFF = "off"


@app.command("compile")
@with_model_options
def compile_(
    *,
    model: Annotated[Path, MODEL],
    output: Annotated[Path, output("FOLDER", "folder of the bundle")],
    level: Annotated[
        int,
        level(
            "0: one plain kernel an operator; 1: simplification and memory reuse; 2: fusion, "
            "layouts, tuned schedules, results to 1e-5; 3: convolutions by Winograd's algorithm "
            "too"
        ),
    ] = 3,
    given: ModelOptions,
    dynamic: Annotated[list[str] | None, DYNAMIC] = None,
    state: Annotated[list[str] | None, STATE] = None,
    last: Annotated[list[str] | None, LAST] = None,
    emit: Annotated[
        Emit | None,
        choice(
            "--emit",
            Emit,
            "kernels as object files, or as source for any compiler: C99 for machines "
            "without vectors, C++ for others; default: object files where the machine has any",
        ),
    ] = None,
    machine: Annotated[
        str,
        text(
            "MACHINE",
            "machine to compile for: host, a name such as x86-64-avx2, or a file that "
            "calibrate wrote; several of x86-64, separated by commas, make one program that "
            "chooses among them when it starts",
            show_default=True,
        ),
    ] = "host",
    winograd: Annotated[
        Winograd | None,
        choice(
            "--winograd",
            Winograd,
            "3x3 convolutions by Winograd's algorithm: auto where it is faster (results agree "
            "to 1e-4 of the largest instead of 1e-5), or off; default: auto at -O3, off below",
        ),
    ] = None,
    label: Annotated[
        str | None,
        text("TEXT", "let the program print this text and the index of the largest score"),
    ] = None,
    embed_weights: Annotated[
        bool, flag("--embed-weights", "link the weights into the program; for small networks")
    ] = False,
    flush_subnormals: Annotated[
        bool,
        flag(
            "--flush-subnormals",
            "take subnormal numbers, among the weights too, for zero; they take most "
            "processors many times as long",
        ),
    ] = False,
    precision: Annotated[str | None, PRECISION] = None,
    widen_f16: Annotated[
        bool, flag("--widen-f16", "make 32-bit floats of the 16-bit ones of a tmfile")
    ] = False,
    results_only: Annotated[
        bool,
        flag(
            "--results-only",
            "keep intermediate tensors out of outputs, in memory that is slow to read",
        ),
    ] = False,
    string_bytes: Annotated[
        int,
        count("--string-bytes", "bytes that a string of an input takes, with the zero at its end"),
    ] = 256,
    records: Annotated[
        Path | None,
        path(
            "FILE",
            "compute kernels as was measured to be fastest: a file of records, or user "
            "for that in the user's cache",
        ),
    ] = None,
    max_ram: Annotated[
        int | None,
        size("--max-ram", "most bytes of arena and stack, such as 256K; more is an error"),
    ] = None,
    max_flash: Annotated[
        int | None, size("--max-flash", "most bytes of weights and code, such as 1M")
    ] = None,
    pool: Annotated[str, POOL] = "",
    name: Annotated[
        str | None,
        text(
            "NAME",
            "name of the network, with which its files and all names in C begin, in place of "
            "the model's",
        ),
    ] = None,
    patterns: Annotated[
        list[str] | None,
        text("FILE", "rewrite rules in PDLL or PDL, applied before the fusion rules; repeatable"),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="show passes with times and the memory map")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="print errors and warnings, and nothing else")
    ] = False,
    stage: Annotated[
        str | None,
        text(
            "STAGE",
            "stage of a text (*.mlir) in place of a model, import to kernels: it is compiled "
            "from there; default: as its file is named, such as 06-configured.mlir",
            "--from",
        ),
    ] = None,
    dump_ir: Annotated[
        Path | None, path("FOLDER", "folder for the IR after every stage, numbered")
    ] = None,
    threads: Annotated[
        int, count("--threads", "most threads that the program may be asked to use")
    ] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            metavar="N",
            parser=number("-j", 1),
            help="kernels to compile at once; default: one a core",
        ),
    ] = None,
    no_cache: Annotated[bool, flag("--no-cache", "compile all kernels again, keep none")] = False,
) -> None:
    """Compile a model into a bundle: C sources, kernels, weights and a Makefile."""
    from autodeploy.compiler import CompileOptions, compile_model
    from autodeploy.tools.display import progress_bar, show_report

    options = CompileOptions(
        level=level,
        machine=machine,
        **given,
        dynamic=parse_dynamic(dynamic),
        state=parse_state(state),
        last=parse_last(last),
        emit=None if emit is None else "c" if emit is Emit.C else "object",
        label=label,
        embed_weights=embed_weights,
        dump_ir=dump_ir,
        threads=threads,
        jobs=jobs,
        cache=not no_cache,
        winograd=None if winograd is None else winograd.value,
        flush_subnormals=flush_subnormals,
        precision=precision,
        widen_f16=widen_f16,
        results_only=results_only,
        string_bytes=string_bytes,
        records=None if records is None else str(records),
        patterns=patterns or (),
        name=name,
        max_ram=max_ram,
        max_flash=max_flash,
        pools=pool,
        stage=stage,
    )
    if quiet:
        compile_model(model, output, options)
        return
    with progress_bar() as progress:
        report = compile_model(model, output, options, progress)
    show_report(report, output, verbose)


app.command()(run)
app.command()(inspect)
app.command()(verify)
app.command()(quantize)
app.command()(bench)
app.command()(report)
app.command()(calibrate)


@app.command()
def machines() -> None:
    """List the machines to compile for: name, system, vectors, compiler."""
    from autodeploy.machine import Machine
    from autodeploy.machine.machine import HOST
    from autodeploy.machine.presets import PRESETS

    for name in (HOST, *PRESETS):
        machine = Machine.parse(name)
        vectors = f"{machine.vector_bytes * 8} bits" if machine.vector_bytes > 4 else "none"
        compiler = "cc" if machine.compiler is None else machine.compiler.command
        say(f"{name:<22} {machine.platform:<18} vectors {vectors:<9} {compiler}")


app.command()(tune)


@app.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    add_help_option=False,
)
def worker(context: typer.Context) -> None:
    """Run programs that are to be measured, for 'tune --scheduler'; --help says more."""
    from autodeploy.runner.main import main

    main(context.args)


app.add_typer(records_app, name="records")


@app.command()
def version() -> None:
    """Print the version."""
    from importlib.metadata import version

    typer.echo(f"autodeploy {version('autodeploy')}")


def _print_version(asked: bool) -> None:
    if asked:
        version()
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            "-v",
            is_eager=True,
            callback=_print_version,
            help="print the version, no more",
        ),
    ] = False,
) -> None:
    """Take the options before the command."""


def main() -> None:
    """Run the tool; a user's mistake is one line on standard error.

    The exit status is then 2 if the command line is wrong, else 1. Warnings about a model are lines
    there, too.
    """
    try:
        with warnings_in_lines("autodeploy"):
            # A shell that completes a line sets this variable, and gives no arguments.
            if len(sys.argv) == 1 and "_AUTODEPLOY_COMPLETE" not in os.environ:
                with redirect_stdout(sys.stderr):
                    app(["--help"], prog_name="autodeploy", standalone_mode=False)
                sys.exit(2)
            arguments = sys.argv[1:]
            if arguments[:1] == ["help"]:  # of the tool, or of a command
                arguments = [*arguments[1:], "--help"]
            sys.exit(app(arguments, prog_name="autodeploy", standalone_mode=False) or 0)
    except UsageError as error:
        _fail(" ".join(str(error).split()), 2)
    except typer.TyperException as error:
        _fail(" ".join(usage_text(error).split()), 2)
    except DiagnosticException as error:
        _fail(str(error), 1)
    except OSError as error:  # a full disk, say: no mistake of the tool either
        where = f": '{error.filename}'" if error.filename else ""
        _fail(f"{error.strerror or error}{where}", 1)


def _fail(text: str, status: int) -> NoReturn:
    say(*f"autodeploy: error: {text}".split("\n"), to_stderr=True)
    sys.exit(status)
