"""Makefile and CMakeLists.txt of a bundle, and the files by which others find an installed one.

All paths in them are relative and free of spaces, so a bundle builds in any folder.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache

from autodeploy.codegen.c.flags import program_flags
from autodeploy.codegen.c.header import arena_size
from autodeploy.codegen.c.names import c_comment
from autodeploy.codegen.c.program import Program, function_symbol
from autodeploy.codegen.c.template import fill, runtime_file
from autodeploy.codegen.js.wasm import is_wasm_page
from autodeploy.machine import Machine
from autodeploy.machine.compilers import words_of
from autodeploy.machine.devices import Api
from autodeploy.machine.machine import HOST

BUILD_FOLDER = "build"
"""The folder of a bundle in which its objects are built."""

SELFTEST_FOLDER = "selftest"
"""The folder of a bundle that holds its self-test, if it has one."""


def products(prefix: str) -> tuple[str, ...]:
    """Return the files that building a bundle makes at its top."""
    return (
        *(prefix, f"{prefix}.exe", f"{prefix}-sanitize", f"lib{prefix}.a", f"{prefix}.wasm"),
        *(f"lib{prefix}.so", f"lib{prefix}.dylib", *_dll(prefix)),
    )


def _dll(prefix: str) -> tuple[str, str]:
    """Return a shared library for Windows, and the import library of its programs."""
    return f"lib{prefix}.dll", f"lib{prefix}_shared.dll.a"


def shared_library(prefix: str, machine: Machine | None) -> str:
    """Return the shared library that ``make`` builds where the machine's system has any."""
    return f"lib{prefix}.{_shared_kind(machine)}"


def _shared_kind(machine: Machine | None) -> str:
    """Return how the name of a shared library ends."""
    return _SHARED_KINDS.get(machine.os, "so") if machine is not None else "so"


KERNEL_SUFFIXES = (".o", ".cpp", ".c")
"""How the names of kernels' files end: those of one bundle all end the same."""

KERNEL_HEADER_SUFFIXES = (".hpp", ".h")

LIBRARY_SOURCES = ("autodeploy_memory.c", "autodeploy_weights.c", "halide_runtime.c")
"""Sources of ``autodeploy/runtime`` that a model with a weight file links with."""

_SHARED_KINDS = {"windows": "dll", "osx": "dylib", "ios": "dylib"}
"""How the names of shared libraries end on systems that do not call them ``.so``."""

_WITHOUT_SHARED = ("wasmrt", "noos")
"""Systems that have no shared libraries."""

_READER = "autodeploy_weights"
"""The source and header that read a weight file."""

_HEAP = "autodeploy_memory"
"""The source and header that take memory from the heap."""

DEMO_SOURCES = ("autodeploy_tensor.c", "autodeploy_tensor_file.c", "autodeploy_tensor_proto.c")
"""Sources of ``autodeploy/runtime`` that only the demo program links with."""

_DEMO = ("main.c", *DEMO_SOURCES)

_DEMO_HEADERS = ("autodeploy_tensor.h", "autodeploy_tensor_file.h", "autodeploy_tensor_reader.h")

POOL_SOURCES = ("autodeploy_pool.c",)
"""Sources of ``autodeploy/runtime`` that models link with that compute with several threads."""

HEADERS = (
    "autodeploy_float_mode.h",
    "autodeploy_memory.h",
    "autodeploy_message.h",
    "autodeploy_tensor.h",
    "autodeploy_tensor_file.h",
    "autodeploy_tensor_reader.h",
    "autodeploy_weights.h",
    "halide_buffer.h",
    "halide_runtime.h",
)
"""Headers of ``autodeploy/runtime`` that all but the sources of the pool include."""

POOL_HEADERS = ("autodeploy_pool.h", "autodeploy_shared.h")
"""Headers of ``autodeploy/runtime`` for the sources of the pool and those that use it."""

X86_HEADERS = ("autodeploy_cpu.h",)
"""Headers of ``autodeploy/runtime`` for programs whose kernels use more than basic x86-64."""


DEVICE_SOURCES: Mapping[Api, tuple[str, ...]] = {
    "opencl": ("autodeploy_opencl.c", "autodeploy_cache.c"),
    "cuda": ("autodeploy_cuda.c",),
}
"""The sources of ``autodeploy/runtime`` that models with a device link with."""

_DEVICE_HEADERS = ("autodeploy_device.h", "autodeploy_device_parts.h", "autodeploy_opened.h")


def text_file(program: Program) -> str:
    """Return the file of a bundle that has the text of a program's module."""
    return f"{_stem(program)}.mlir"


def variant_sources(program: Program) -> tuple[str, ...]:
    """Return the sources of the programs that a bundle for several machines chooses from."""
    return tuple(f"{_stem(variant)}.c" for variant in program.variants)


def programs_header(program: Program) -> str:
    """Return the header that these sources and the driver share."""
    return f"{program.prefix}_programs.h"


def _stem(program: Program) -> str:
    return program.prefix + (f"_{program.variant_name}" if program.variant is not None else "")


def kernels_source(program: Program) -> str:
    """Return the source with the text of the kernels that run on a device."""
    return f"{program.prefix}_kernels.c"


def library_sources(program: Program) -> tuple[str, ...]:
    """Return the sources of ``autodeploy/runtime`` that every kind of such a program needs."""
    functions = (f"{function_symbol(name)}.c" for name in program.functions)
    left_out = [f"{name}.c" for name in _left_out(program)]
    device = () if program.device is None else DEVICE_SOURCES[program.device.api]
    return (*(f for f in LIBRARY_SOURCES if f not in left_out), *device, *functions)


def _left_out(program: Program) -> list[str]:
    """Return what a program has no use for of the sources and headers that most need."""
    left_out = [_READER] if program.embeds_weights else []
    return [*left_out, _HEAP] if program.is_freestanding else left_out


def headers(program: Program) -> tuple[str, ...]:
    """Return the headers of ``autodeploy/runtime`` that such a program needs, less the pool's."""
    left_out = [f"{name}.h" for name in _left_out(program)]
    if program.is_freestanding:
        left_out += _DEMO_HEADERS
    kept = (f for f in HEADERS if f not in left_out)
    functions = {header for name in program.functions for header in _function_headers(name)}
    device = _DEVICE_HEADERS if program.device is not None else ()
    if program.keeps_kernels:
        device += ("autodeploy_cache.h",)
    return (*kept, *device, *sorted(functions), *(X86_HEADERS if program.x86_sets else ()))


@cache
def _function_headers(name: str) -> frozenset[str]:
    """Return what ``HEADERS`` lacks of the headers that a function of the library includes."""
    included = re.findall(
        r'^#include "(\w+\.h)"$', runtime_file(f"{function_symbol(name)}.c"), re.M
    )
    return frozenset(included).difference(HEADERS)


def makefile(program: Program, kernels: Sequence[str], machine: Machine | None = None) -> str:
    """Return the Makefile of a bundle.

    ``kernels`` are the kernels' files: all ``.o``, or all ``.cpp`` or ``.c`` with their headers.
    ``machine`` is the one that object files are for.
    """
    with_cxx, compiled = _needs_cxx(kernels), _compiled(kernels)
    with_c = _has(kernels, ".c")
    objects = checked = " $(KERNELS)"
    if with_cxx:
        objects = checked = " $(KERNELS:%.cpp=build/objects/%.o)"
    if with_c:
        objects, checked = (f" $(KERNELS:%.c=build/{kind}/%.o)" for kind in ("objects", "sanitize"))
    pool = POOL_HEADERS if program.threads.has_pool else ()
    shared = (programs_header(program),) if program.variants else ()
    made = [f"lib{program.prefix}.a"]
    shared_kind, shared_name = _shared_kind(machine), shared_library(program.prefix, machine)
    if machine is None or machine.os not in _WITHOUT_SHARED:
        made += _dll(program.prefix) if shared_kind == "dll" else [shared_name]
    page = [f"{program.prefix}.wasm"] if is_wasm_page(program, machine) else []
    sections = {
        "title": c_comment(program.name),
        "model": program.prefix,
        "and_cxx": " and a C++ compiler" if with_cxx else "",
        "cxx_variables": ", CXX, CXXFLAGS, MACHINE_FLAGS" if with_cxx else "",
        "link": "CXX" if with_cxx else "CC",
        "libraries": _libraries(program, machine),
        "weights": "" if program.embeds_weights else f" {program.prefix}.weights",
        "and_weights": "" if program.embeds_weights else ", weights",
        "library": " ".join(_library(program)),
        "demo": " ".join(_DEMO),
        "kernels": "".join(f" \\\n\t{file}" for file in compiled),
        "kernel_headers": " ".join(file for file in kernels if file not in compiled),
        "machine_flags": " ".join(_machine_flags(machine, with_cxx)),
        "headers": " ".join((f"{program.prefix}.h", *shared, *headers(program), *pool)),
        "kernel_objects": objects if kernels else "",
        "checked_kernels": checked if kernels else "",
        "library_files": " ".join(made),
        "shared_library": shared_name,
        "libraries_made": ", ".join(made[:-1]) + " and " * (len(made) > 1) + made[-1],
        "macro": program.prefix.upper(),
        "weight_bytes": str(program.data_bytes),
        "arena_bytes": str(arena_size(program)),
        "stack_bytes": str(program.stack_bytes),
        "cleaned": "".join(f" {name}" for name in (*made[1:], *page)),
    }
    flags = program_flags(program) | {shared_kind}
    conditions = {"cxx": with_cxx, "c99": with_c, "sources": with_cxx or with_c, "page": bool(page)}
    flags |= {name for name, holds in conditions.items() if holds}
    if machine is not None and _is_for(machine, kernels):
        flags |= {"machine"} if machine.compiler is None else {"machine", "cross"}
        sections |= _compiler(machine)
    template = "template_freestanding_Makefile" if program.is_freestanding else "template_Makefile"
    return fill(template, program.prefix, sections, flags)


def cmake_lists(program: Program, kernels: Sequence[str], machine: Machine | None = None) -> str:
    """Return the CMakeLists.txt; arguments as for ``makefile``."""
    with_cxx = _needs_cxx(kernels)
    sections = {
        "title": c_comment(program.name),
        "model": program.prefix,
        "languages": "C CXX" if with_cxx else "C",
        "language": "CXX" if with_cxx else "C",
        "kernels": _rows(_compiled(kernels)),
        "library": _rows(_library(program)),
        "demo": _rows(_DEMO),
        "macro": program.prefix.upper(),
        "machine_flags": ";".join(_machine_flags(machine, with_cxx)),
    }
    suffixes = {"cxx": ".cpp", "c99": ".c", "objects": ".o"}
    flags = {flag for flag, suffix in suffixes.items() if _has(kernels, suffix)}
    flags |= program_flags(program)
    if machine is not None and _is_for(machine, kernels):
        flags.add("machine")
        found = f"; give its toolchain file, {program.prefix}{_TOOLCHAIN}"
        sections |= {
            "platform": machine.platform,
            "fits": _fitting(machine),
            "toolchain": found if toolchain_file(program, machine) else "",
        }
    kind = "freestanding_CMakeLists.txt" if program.is_freestanding else "CMakeLists.txt"
    return fill(f"template_{kind}", program.prefix, sections, flags)


_TOOLCHAIN = "-toolchain.cmake"

_SYSTEM_NAMES = {"linux": "Linux", "windows": "Windows", "osx": "Darwin"}
"""CMake's names of systems that have one; others are called Generic."""


def toolchain_file(program: Program, machine: Machine | None) -> dict[str, str]:
    """Return CMake's toolchain file for a machine that has a compiler of a common name.

    The host needs none.
    """
    if machine is None or machine.compiler is None or machine.name == HOST:
        return {}
    command, _, target = machine.compiler.command.partition(" --target=")
    sections = {
        "model": program.prefix,
        "platform": machine.platform,
        "system_name": _SYSTEM_NAMES.get(machine.os, "Generic"),
        "processor": machine.arch,
        "target": target,
        "cc": command,
        "cxx": f"{command}++" if target else f"{command.removesuffix('cc')}++",
    }
    flags = {"target" if target else "compiler", "system" if machine.has_system else "freestanding"}
    text = fill("template_toolchain.cmake", program.prefix, sections, flags)
    return {f"{program.prefix}{_TOOLCHAIN}": text}


def python_module(program: Program, machine: Machine | None) -> dict[str, str]:
    """Return the file that runs the network from Python, if its system has shared libraries.

    No module of Python's library has the name of the file, and neither has NumPy.
    """
    if machine is not None and machine.os in _WITHOUT_SHARED:
        return {}
    taken = program.prefix in sys.stdlib_module_names or program.prefix == "numpy"
    module = f"{program.prefix}_network" if taken else program.prefix
    sections = {
        "title": c_comment(program.name),
        "model": program.prefix,
        "module": module,
        "shared_library": shared_library(program.prefix, machine),
    }
    return {f"{module}.py": fill("template_model.py", program.prefix, sections)}


def package_files(program: Program, kernels: Sequence[str]) -> dict[str, str]:
    """Return the files for CMake's ``find_package`` and for pkg-config, by name.

    Both find the libraries relative to their own folder. Arguments are as for ``makefile``.
    """
    sections = {
        "title": c_comment(program.name),
        "model": program.prefix,
        "language": "CXX" if _needs_cxx(kernels) else "C",
        "libraries": _libraries(program, None),
    }
    templates = {
        f"{program.prefix}-config.cmake": "config.cmake",
        f"{program.prefix}.pc": "package.pc",
    }
    return {
        name: fill(f"template_{template}", program.prefix, sections, program_flags(program))
        for name, template in templates.items()
    }


def _machine_flags(machine: Machine | None, with_cxx: bool) -> tuple[str, ...]:
    if machine is None:
        return ()
    return machine.vector_flags if with_cxx else machine.compiler_flags


def _libraries(program: Program, machine: Machine | None) -> str:
    system = "" if machine is None else machine.os
    # Older C libraries have what opens a library in one of its own.
    opens = program.device is not None and system in ("linux", "")
    return " ".join(
        ("-lm", *(("-ldl",) if opens else ()), *(("-pthread",) if program.threads.has_pool else ()))
    )


def _is_for(machine: Machine, kernels: Sequence[str]) -> bool:
    """Return whether kernels are for a machine alone: object files, or C99 with its options."""
    return _has(kernels, ".o") or (_has(kernels, ".c") and machine.compiler is not None)


def _fitting(machine: Machine) -> str:
    """Return a regular expression for the output of ``-dumpmachine`` of its compilers."""
    arch, system = (
        "|".join(words).replace("%", "[^-]*") for words in words_of(machine.arch, machine.os)
    )
    return f"^({arch})-" + (f"(.*-)?({system})(-|$)" if system else "")


def _compiler(machine: Machine) -> dict[str, str]:
    """Return the sections about the compiler for a machine."""
    arch, system = (" ".join(words) for words in words_of(machine.arch, machine.os))
    sections = {
        "platform": machine.platform,
        "arch": arch,
        "system": f",$(filter {system},$(FOUND))" if system else "",
        "example": "",
    }
    if machine.compiler is not None:
        command, archiver = machine.compiler
        example = f"; give another one, such as CC='{command}'"
        sections |= {"cc": command, "ar": archiver, "example": example}
    return sections


def _needs_cxx(kernels: Sequence[str]) -> bool:
    return _has(kernels, ".cpp")


def _has(kernels: Sequence[str], suffix: str) -> bool:
    return any(kernel.endswith(suffix) for kernel in kernels)


def _compiled(kernels: Sequence[str]) -> list[str]:
    return [kernel for kernel in kernels if kernel.endswith(KERNEL_SUFFIXES)]


def _library(program: Program) -> tuple[str, ...]:
    weights = (f"{program.prefix}_weights.c",) if program.embeds_weights else ()
    pool = POOL_SOURCES if program.threads.has_pool else ()
    return (
        f"{program.prefix}.c",
        *variant_sources(program),
        *weights,
        *((kernels_source(program),) if program.device is not None else ()),
        *library_sources(program),
        *pool,
    )


def _rows(files: Sequence[str]) -> str:
    return "\n".join(f'  "${{CMAKE_CURRENT_SOURCE_DIR}}/{file}"' for file in files)
