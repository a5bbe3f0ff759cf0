"""The C program that times each kernel of a bundle, and how it is built.

It holds the bundle's own driver, unchanged, in which the preprocessor renames the kernels: a call
of one is a call of a function here that takes the time and calls the kernel.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from autodeploy.codegen.bundle.build_files import BUILD_FOLDER
from autodeploy.codegen.bundle.manifest import Manifest, VariantEntry
from autodeploy.codegen.bundle.tensor_entry import ExtentEntry
from autodeploy.codegen.c.names import c_string
from autodeploy.codegen.c.template import fill_text
from autodeploy.diagnostics import ToolchainError, io_errors
from autodeploy.toolchain.compiler import find_c_compiler, find_cxx_compiler, run, run_make

_FLAGS = ("-std=c99", "-O2", "-U_FORTIFY_SOURCE")

_PROGRAM = Path(__file__).with_name("profile.c")

_WRAPPER = """\
int {symbol}({parameters});

int autodeploy_profile_{symbol}({parameters})
{{
    const double start = autodeploy_profile_now();
    const int code = {symbol}({arguments});
    autodeploy_profile_note({entry}, start);
    return code;
}}
"""


def program_text(
    prefix: str,
    arities: Mapping[str, int | None],
    variant: VariantEntry | None = None,
    extents: Sequence[ExtentEntry] = (),
) -> str:
    """Return the program for the model ``prefix``; ``arities`` are the buffers of each kernel.

    There is no number for a kernel on a device. Kernels are named by their C functions; their order
    is that of the numbers that are printed. In a bundle of several programs ``variant`` is the one
    that runs, with the largest numbers of its part, if it is for one. The state of one with
    ``extents`` has the most rows in each run.
    """
    called = [name for name, arity in arities.items() if arity is not None]
    sections = {
        "model": prefix,
        "entries": str(len(arities) + 1),
        "renamed": "\n".join(f"#define {name} autodeploy_profile_{name}" for name in called),
        "restored": "\n".join(f"#undef {name}" for name in called),
        "wrappers": "\n".join(
            _wrapper(symbol, arity, entry)
            for entry, (symbol, arity) in enumerate(arities.items(), 1)
            if arity is not None
        ),
        "kernel_names": "".join(f"    {c_string(name)},\n" for name in arities) + "    NULL",
    }
    flags = set[str]() if len(called) == len(arities) else {"device"}
    if any(extent.of_state for extent in extents):
        sections["numbers"] = ", ".join(str(extent.most) for extent in extents)
        flags.add("counted")
    if variant is not None:
        sections |= {"source": variant.source, "machine": c_string(variant.name)}
        sections["numbers"] = ", ".join(str(range_.most) for range_ in variant.part)
        flags |= {"several", "parts" if variant.part else "machines"}
    return fill_text(_PROGRAM.read_text(encoding="utf-8"), prefix, sections, flags)


def _wrapper(symbol: str, arity: int, entry: int) -> str:
    names = [f"b{i}" for i in range(arity)]
    return _WRAPPER.format(
        symbol=symbol,
        parameters=", ".join(["const void *context", *(f"halide_buffer_t *{n}" for n in names)]),
        arguments=", ".join(["context", *names]),
        entry=entry,
    )


def build_program(
    folder: Path,
    manifest: Manifest,
    arities: Mapping[str, int | None],
    name: str = "profile",
    compiler: Sequence[str] = (),
) -> Path:
    """Build the program in the build folder of the bundle ``folder``; return the executable.

    ``manifest`` is that of the program which runs, where the bundle has several. Kernels that are
    not in ``arities`` are called directly, and not timed. Programs of different names are stored
    side by side. ``compiler`` is the command of the C compiler, where the bundle has no kernels as
    C++; where there is none it is that for this machine.

    Raises ``ToolchainError`` if a compiler is missing or fails.
    """
    library = f"lib{manifest.prefix}.a"
    c_compiler = list(compiler) or find_c_compiler()
    run_make(folder, [library], {"CC": shlex.join(c_compiler)})
    place = Path(BUILD_FOLDER) / name
    source, compiled, program = (place / name for name in ("profile.c", "profile.o", "profile"))
    with io_errors(f"cannot write to '{folder}'", ToolchainError):
        (folder / place).mkdir(parents=True, exist_ok=True)
        variant = manifest.variants[0] if manifest.variants else None
        text = program_text(manifest.prefix, arities, variant, manifest.extents)
        (folder / source).write_text(text, encoding="utf-8")
    run([*c_compiler, *_FLAGS, "-I.", "-c", str(source), "-o", str(compiled)], folder)
    is_cxx = any(kernel.file.endswith(".cpp") for kernel in manifest.kernels)
    linker = find_cxx_compiler() if is_cxx else c_compiler
    # The driver in the library stays out: all that it defines, the program has already.
    run([*linker, str(compiled), library, "-lm", "-ldl", "-pthread", "-o", str(program)], folder)
    return folder / program
