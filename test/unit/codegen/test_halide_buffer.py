"""The driver's own declarations of Halide's structures have the layout of Halide's header."""

from __future__ import annotations

from pathlib import Path

import halide
import pytest

from autodeploy.codegen.c.template import runtime_file
from autodeploy.toolchain.compiler import find_c_compiler, find_cxx_compiler, run

MEMBERS = {
    "struct halide_type_t": ("code", "bits", "lanes"),
    "halide_dimension_t": ("min", "extent", "stride", "flags"),
    "halide_buffer_t": (
        "device", "device_interface", "host", "flags", "type", "dimensions", "dim", "padding",
    ),
}  # fmt: skip

CODES = ("halide_type_int", "halide_type_uint", "halide_type_float", "halide_type_bfloat")

HALIDE_HEADERS = Path(halide.__file__).parent / "include"


def layout(folder: Path, header: str, *flags: str) -> str:
    """Return sizes, offsets and values as a program compiled with the header prints them."""
    prints: list[str] = []
    for type_, members in MEMBERS.items():
        prints.append(f'printf("{type_} %d\\n", (int)sizeof({type_}));')
        prints += [
            f'printf("{member} %d %d\\n", (int)offsetof({type_}, {member}), '
            f"(int)sizeof((({type_} *)0)->{member}));"
            for member in members
        ]
    prints += [f'printf("{code} %d\\n", (int){code});' for code in CODES]
    source = (
        f"#include <stddef.h>\n#include <stdio.h>\n{header}\n"
        f"int main(void) {{ {' '.join(prints)} return 0; }}\n"
    )
    (folder / "layout.c").write_text(source)
    run([*flags, "-o", "layout", "layout.c"], folder)
    return run([str(folder / "layout")])


@pytest.mark.parametrize("language", ["c", "c++"])
def test_same_layout(tmp_path: Path, language: str) -> None:
    (tmp_path / "halide_buffer.h").write_text(runtime_file("halide_buffer.h"))
    compiler = find_c_compiler() if language == "c" else find_cxx_compiler()
    command = [*compiler, "-x", language, f"-I{HALIDE_HEADERS}", "-Wno-invalid-offsetof"]
    own = layout(tmp_path, '#include "halide_buffer.h"', *command)
    assert own == layout(tmp_path, "#include <HalideRuntime.h>", *command)
    both = "#include <HalideRuntime.h>\n#include " + '"halide_buffer.h"'
    assert own == layout(tmp_path, both, *command)
