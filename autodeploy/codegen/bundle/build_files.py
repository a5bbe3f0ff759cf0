"""Makefile and CMakeLists.txt of a bundle.

All paths in them are relative and free of spaces, so a bundle builds wherever it lies.
"""

from __future__ import annotations

from collections.abc import Sequence

from autodeploy.codegen.c.names import c_comment
from autodeploy.codegen.c.program import Program

BUILD_FOLDER = "build"
"""The folder of a bundle in which its objects are built."""


def products(prefix: str) -> tuple[str, ...]:
    """Return the files that building a bundle makes at its top."""
    return (prefix, f"{prefix}-sanitize", f"lib{prefix}.a", f"lib{prefix}.so")


LIBRARY_SOURCES = ("autodeploy_memory.c", "autodeploy_weights.c", "halide_runtime.c")
"""Sources of ``autodeploy/runtime`` that a model with a weight file links with."""

_READER = "autodeploy_weights"
"""The source and header that read a weight file."""

DEMO_SOURCES = ("autodeploy_tensor.c", "autodeploy_tensor_file.c", "autodeploy_tensor_proto.c")
"""Sources of ``autodeploy/runtime`` that only the demo program links with."""

POOL_SOURCES = ("autodeploy_pool.c",)
"""Sources of ``autodeploy/runtime`` that models link with that compute with several threads."""

HEADERS = (
    "autodeploy_float_mode.h",
    "autodeploy_memory.h",
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


def library_sources(program: Program) -> tuple[str, ...]:
    """Return the sources of ``autodeploy/runtime`` that every kind of such a program needs."""
    return tuple(f for f in LIBRARY_SOURCES if not program.embeds_weights or f != f"{_READER}.c")


def headers(program: Program) -> tuple[str, ...]:
    """Return the headers of ``autodeploy/runtime`` that such a program needs, less the pool's."""
    return tuple(f for f in HEADERS if not program.embeds_weights or f != f"{_READER}.h")


_MAKEFILE = """\
# Builds the network "{title}": GNU make, a C compiler{and_cxx}, nothing else.
#
#   make            {model}, the demo program
#   make lib        lib{model}.a and lib{model}.so
#   make sanitize   {model}-sanitize, with address and undefined-behaviour checks
#   make clean      removes what was built
#
# CC, CFLAGS{cxx_variables}, LDFLAGS and LDLIBS are yours to set.
CFLAGS ?= -O2
{cxx_flags}SHARED_FLAGS ?= -shared -Wl,-Bsymbolic
C_FLAGS = -std=c99 -Wall -Wextra -Wpedantic -fPIC -fvisibility=hidden
{fixed_cxx_flags}CHECKS = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

LIBRARY = {library}
DEMO = {demo}
KERNELS ={kernels}
{kernel_headers}HEADERS = {headers}

LIBRARY_OBJECTS = $(LIBRARY:%.c=build/objects/%.o){kernel_objects}
DEMO_OBJECTS = $(DEMO:%.c=build/objects/%.o)
CHECKED_OBJECTS = $(LIBRARY:%.c=build/sanitize/%.o) $(DEMO:%.c=build/sanitize/%.o){kernel_objects}

all: {model}

lib: lib{model}.a lib{model}.so

sanitize: {model}-sanitize

{model}: $(LIBRARY_OBJECTS) $(DEMO_OBJECTS)
\t$({link}) $(LDFLAGS) $^ $(LDLIBS) {libraries} -o $@

lib{model}.a: $(LIBRARY_OBJECTS)
\trm -f $@
\t$(AR) rcs $@ $^

lib{model}.so: $(LIBRARY_OBJECTS)
\t$({link}) $(SHARED_FLAGS) $(LDFLAGS) $^ $(LDLIBS) {libraries} -o $@

{model}-sanitize: $(CHECKED_OBJECTS)
\t$({link}) $(CHECKS) $(LDFLAGS) $^ $(LDLIBS) {libraries} -o $@

build/objects/%.o: %.c $(HEADERS) Makefile
\t@mkdir -p $(@D)
\t$(CC) $(C_FLAGS) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

build/sanitize/%.o: %.c $(HEADERS) Makefile
\t@mkdir -p $(@D)
\t$(CC) $(C_FLAGS) $(CPPFLAGS) $(CFLAGS) $(CHECKS) -c $< -o $@
{cxx_rule}
clean:
\trm -rf build {model} {model}-sanitize lib{model}.a lib{model}.so

.PHONY: all lib sanitize clean
.DELETE_ON_ERROR:
"""

_CXX_FLAGS = "CXX_FLAGS = -std=c++17 -fwrapv -Wall -Wextra -Wpedantic -fPIC -fvisibility=hidden\n"
"""Integers of kernels wrap where they overflow, in C++ as in object code."""

_CXX_RULE = """
build/objects/%.o: %.cpp $(KERNEL_HEADERS) Makefile
\t@mkdir -p $(@D)
\t$(CXX) $(CXX_FLAGS) $(CPPFLAGS) $(CXXFLAGS) -c $< -o $@
"""

_CMAKE = """\
# Builds the network "{title}": the libraries {model}_static and {model}_shared, and the demo
# program {model}_demo.
cmake_minimum_required(VERSION 3.16)
project({model} LANGUAGES {languages})

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
{cxx_settings}set(CMAKE_POSITION_INDEPENDENT_CODE ON)
{find_threads}
set(KERNELS
{kernels})
{external}set(LIBRARY
{library})

foreach(kind STATIC SHARED)
  string(TOLOWER ${{kind}} suffix)
  set(library {model}_${{suffix}})
  add_library(${{library}} ${{kind}} ${{LIBRARY}} ${{KERNELS}})
  set_target_properties(${{library}} PROPERTIES OUTPUT_NAME {model} LINKER_LANGUAGE {language})
  target_include_directories(${{library}} PUBLIC "${{CMAKE_CURRENT_SOURCE_DIR}}")
  if(UNIX)
    target_link_libraries(${{library}} PUBLIC m)
  endif()
{threads}endforeach()

add_executable({model}_demo
{demo})
set_target_properties({model}_demo PROPERTIES OUTPUT_NAME {model} LINKER_LANGUAGE {language})
target_link_libraries({model}_demo PRIVATE {model}_static)
"""


_CMAKE_CXX = """\
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fwrapv>)
endif()
"""

_FIND_THREADS = """\
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
"""

_LINK_THREADS = "  target_link_libraries(${library} PUBLIC Threads::Threads)\n"


def makefile(program: Program, kernels: Sequence[str], *, has_pool: bool = False) -> str:
    """Return the Makefile of a bundle.

    ``kernels`` are the kernels' files: all ``.o``, or all ``.cpp`` with the headers they include.
    ``has_pool`` tells whether the program starts threads.
    """
    with_cxx = _needs_cxx(kernels)
    kernel_headers = [file for file in kernels if file not in _compiled(kernels)]
    objects = " $(KERNELS:%.cpp=build/objects/%.o)" if with_cxx else " $(KERNELS)"
    return _MAKEFILE.format(
        title=c_comment(program.name),
        model=program.prefix,
        and_cxx=" and a C++ compiler" if with_cxx else "",
        cxx_variables=", CXX, CXXFLAGS" if with_cxx else "",
        cxx_flags="CXXFLAGS ?= -O2\n" if with_cxx else "",
        fixed_cxx_flags=_CXX_FLAGS if with_cxx else "",
        cxx_rule=_CXX_RULE if with_cxx else "",
        link="CXX" if with_cxx else "CC",
        libraries="-lm -pthread" if has_pool else "-lm",
        library=" ".join(_library(program, has_pool)),
        demo=" ".join(_demo()),
        kernels="".join(f" \\\n\t{file}" for file in _compiled(kernels)),
        kernel_headers=f"KERNEL_HEADERS = {' '.join(kernel_headers)}\n" if with_cxx else "",
        headers=" ".join(
            (f"{program.prefix}.h", *headers(program), *(POOL_HEADERS if has_pool else ()))
        ),
        kernel_objects=objects if kernels else "",
    )


def cmake_lists(program: Program, kernels: Sequence[str], *, has_pool: bool = False) -> str:
    """Return the CMakeLists.txt; arguments as for ``makefile``."""
    with_cxx = _needs_cxx(kernels)
    external = "set_source_files_properties(${KERNELS} PROPERTIES EXTERNAL_OBJECT ON)\n"
    return _CMAKE.format(
        title=c_comment(program.name),
        model=program.prefix,
        languages="C CXX" if with_cxx else "C",
        language="CXX" if with_cxx else "C",
        cxx_settings=_CMAKE_CXX if with_cxx else "",
        external="" if with_cxx or not kernels else external,
        kernels=_rows(_compiled(kernels)),
        find_threads=_FIND_THREADS if has_pool else "",
        threads=_LINK_THREADS if has_pool else "",
        library=_rows(_library(program, has_pool)),
        demo=_rows(_demo()),
    )


def _needs_cxx(kernels: Sequence[str]) -> bool:
    return any(kernel.endswith(".cpp") for kernel in kernels)


def _compiled(kernels: Sequence[str]) -> list[str]:
    return [kernel for kernel in kernels if kernel.endswith((".o", ".cpp"))]


def _library(program: Program, has_pool: bool) -> tuple[str, ...]:
    weights = (f"{program.prefix}_weights.c",) if program.embeds_weights else ()
    return (
        f"{program.prefix}.c",
        *weights,
        *library_sources(program),
        *(POOL_SOURCES if has_pool else ()),
    )


def _demo() -> tuple[str, ...]:
    return ("main.c", *DEMO_SOURCES)


def _rows(files: Sequence[str]) -> str:
    return "\n".join(f'  "${{CMAKE_CURRENT_SOURCE_DIR}}/{file}"' for file in files)
