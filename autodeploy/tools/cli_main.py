"""The commands of ``autodeploy``: compile a model to a bundle, run a bundle, say what there is."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from xdsl.utils.exceptions import DiagnosticException

from autodeploy.tools.bench import FLUSH_SUBNORMALS, bench
from autodeploy.tools.model_warnings import warnings_in_lines
from autodeploy.tools.shapes import parse_shapes

app = typer.Typer(
    help="Compile trained networks (ONNX) to small, fast, self-contained C programs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_out = Console(highlight=False)
_err = Console(stderr=True, highlight=False)


class Emit(StrEnum):
    """What kernels become."""

    OBJECT = "object"
    C = "c"


class Winograd(StrEnum):
    """Whether Winograd's algorithm may be chosen."""

    AUTO = "auto"
    OFF = "off"


@app.command("compile")
def compile_(
    model: Annotated[Path, typer.Argument(help="the ONNX model")],
    output: Annotated[Path, typer.Option("-o", "--output", help="folder of the bundle")],
    level: Annotated[
        int,
        typer.Option(
            "-O",
            min=0,
            max=3,
            help="0: one plain kernel an operator; 1: simplification and memory reuse; 2: fusion, "
            "layouts, tuned schedules; 3: everything there is, Winograd convolutions too",
        ),
    ] = 2,
    shape: Annotated[
        list[str] | None,
        typer.Option(
            help="extents of an input that the model leaves open, NAME=1,3,224,224; repeatable"
        ),
    ] = None,
    emit: Annotated[
        Emit, typer.Option(help="kernels as object files, or as C++ source for any compiler")
    ] = Emit.OBJECT,
    target: Annotated[
        str, typer.Option(help="machine to compile for: host, or a name such as x86-64-avx2")
    ] = "host",
    winograd: Annotated[
        Winograd | None,
        typer.Option(
            help="3x3 convolutions by Winograd's algorithm: auto where it is faster (results agree "
            "to 1e-4 of the largest instead of 1e-5), or off; default: auto at -O3, off below",
            show_default=False,
        ),
    ] = None,
    label: Annotated[
        str | None,
        typer.Option(help="let the program print this text and the index of the largest score"),
    ] = None,
    embed_weights: Annotated[
        bool,
        typer.Option(
            "--embed-weights", help="link the weights into the program; for small networks"
        ),
    ] = False,
    flush_subnormals: Annotated[
        bool,
        typer.Option(
            "--flush-subnormals",
            help="take subnormal numbers, among the weights too, for zero; they take most "
            "processors many times as long",
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="show passes with times and the memory map")
    ] = False,
    dump_ir: Annotated[
        Path | None, typer.Option(help="folder for the IR after every stage, numbered")
    ] = None,
    threads: Annotated[
        int, typer.Option(min=1, help="most threads that the program may be asked to use")
    ] = 1,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="kernels to compile at once; default: one a core"),
    ] = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="compile all kernels anew, keep none")
    ] = False,
) -> None:
    """Compile a model into a bundle: C sources, kernels, weights and a Makefile."""
    from autodeploy.compiler import CompileOptions, compile_model
    from autodeploy.tools.display import progress_bar, show_report

    options = CompileOptions(
        level=level,
        machine=target,
        shapes=parse_shapes(shape or []),
        emit="c" if emit is Emit.C else "object",
        label=label,
        embed_weights=embed_weights,
        dump_ir=dump_ir,
        threads=threads,
        jobs=jobs,
        cache=not no_cache,
        winograd=None if winograd is None else winograd.value,
        flush_subnormals=flush_subnormals,
    )
    with progress_bar(_err) as progress:
        report = compile_model(model, output, options, progress)
    show_report(_out, report, output, verbose)


@app.command()
def run(
    bundle: Annotated[Path, typer.Argument(help="folder of the bundle")],
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            "-i",
            help="NAME=FILE (.npy, .npz, .bin, .pb, or a picture: .png, .jpg, .webp, .bmp), or "
            "FILE where there is one input",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="folder for the outputs, as .npy files")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="threads that may compute")] = 1,
    flush_subnormals: Annotated[bool | None, FLUSH_SUBNORMALS] = None,
) -> None:
    """Run a bundle on files and print what comes out."""
    from autodeploy.codegen.manifest import Manifest
    from autodeploy.toolchain.session import load_bundle
    from autodeploy.tools.display import show_outputs
    from autodeploy.tools.tensor_files import read_inputs, write_outputs

    # Files are read first: building the library of a bundle takes time.
    values = read_inputs(Manifest.load(bundle).inputs, inputs or [])
    with load_bundle(bundle, threads=threads, flush_subnormals=flush_subnormals) as session:
        results = session.run(values)
    if output is not None:
        write_outputs(output, results)
    show_outputs(_out, results)


app.command()(bench)


@app.command()
def version() -> None:
    """Print the version."""
    from importlib.metadata import version

    typer.echo(f"autodeploy {version('autodeploy')}")


def main() -> None:
    """Run the tool; a user's mistake is one line on standard error and exit status 1.

    What is odd of a model but no mistake is a line there, too.
    """
    try:
        with warnings_in_lines("autodeploy"):
            app(prog_name="autodeploy")
    except DiagnosticException as error:
        typer.echo(f"autodeploy: error: {error}", err=True)
        sys.exit(1)
    except OSError as error:  # a full disk, say: no mistake of the tool either
        where = f": '{error.filename}'" if error.filename else ""
        typer.echo(f"autodeploy: error: {error.strerror or error}{where}", err=True)
        sys.exit(1)
