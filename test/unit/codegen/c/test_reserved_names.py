"""Reserved names, against the headers and libraries of this machine and a bundle that is built."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest
from onnx import TensorProto, helper

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.codegen.c.reserved_names import (
    C_HEADERS,
    CXX_HEADERS,
    SYSTEM_HEADERS,
    is_reserved,
)
from autodeploy.compiler import CompileOptions, compile_model
from autodeploy.toolchain.compiler import find_c_compiler, find_cxx_compiler, run, run_make

THREADED = helper.make_node("MatMul", ["x", "x"], ["y"])


def model() -> bytes:
    tensors = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [64, 64]) for name in "xy"]
    graph = helper.make_graph([THREADED], "g", tensors[:1], tensors[1:])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return made.SerializeToString()


def preprocessed(compiler: tuple[str, ...], headers: list[str], *options: str) -> str:
    source = "".join(f"#if __has_include(<{h}>)\n#include <{h}>\n#endif\n" for h in headers)
    command = [*compiler, *options, "-"]
    result = subprocess.run(command, input=source, text=True, capture_output=True, check=False)
    return result.stdout


def search_folders(compiler: tuple[str, ...], language: str) -> set[Path]:
    command = [*compiler, "-x", language, "-E", "-v", "-"]
    said = subprocess.run(command, input="", text=True, capture_output=True, check=True).stderr
    listed = said.partition("search starts here:\n")[2].partition("End of search list")[0]
    return {Path(line.strip()).resolve() for line in listed.splitlines() if line.startswith(" ")}


def headers_of(language: str) -> list[str]:
    c = [f"{name}.h" for name in sorted(C_HEADERS)]
    # Two of them end in an error on purpose: one for C++ only, one for C only.
    own = [h for h in c if h not in ("stdatomic.h", "threads.h")] if language == "c++" else c
    return own + (sorted(CXX_HEADERS) if language == "c++" else ["pthread.h", "unistd.h"])


@pytest.mark.parametrize("language", ["c", "c++"])
def test_whatever_a_standard_header_includes_is_reserved(language: str):
    compiler = find_c_compiler() if language == "c" else find_cxx_compiler()
    text = preprocessed(compiler, headers_of(language), "-x", language, "-M", "-D_GNU_SOURCE")
    found = {Path(word) for word in text.replace("\\\n", " ").split() if "/" in word}
    folders = search_folders(compiler, language)
    names = {path.name.removesuffix(".h") for path in found if path.parent.resolve() in folders}
    assert {"stdio", "stdint"} <= names, text
    # A name that is no identifier, such as features-time64, is none that a model can have.
    names = {name for name in names if re.fullmatch(r"\w+", name)}
    assert [name for name in sorted(names) if not is_reserved(name)] == []


def test_macros_of_the_headers_are_not_a_models():
    headers = [f"{name}.h" for name in sorted(C_HEADERS | SYSTEM_HEADERS)]
    known = [h for h in headers if h not in ("stropts.h", "varargs.h", "regexp.h")]
    text = preprocessed(find_c_compiler(), known, "-x", "c", "-E", "-dM", "-D_GNU_SOURCE")
    macros = set(re.findall(r"^#define ([A-Z]\w*)", text, re.MULTILINE))
    assert "SIZE_MAX" in macros
    assert like_a_models(macros, "MODEL_") == []


def like_a_models(names: set[str], start: str) -> list[tuple[str, str]]:
    """Return those names that a model could have, each with what it would be called."""
    templates = files("autodeploy").joinpath("runtime").iterdir()
    sources = (f for f in templates if re.match(r"template_.*\.[ch]$", f.name))
    text = "".join(f.read_text() for f in sources)
    ends = {f"_{end}" for end in re.findall(rf"\b{start}(\w+)", text)}
    assert ends
    found = [
        (name, name.removesuffix(end))
        for name in sorted(names)
        for end in ends
        if name.endswith(end) and not name.startswith("_")
    ]
    return [(name, prefix) for name, prefix in found if not is_reserved(prefix)]


@pytest.mark.skipif(shutil.which("nm") is None, reason="there is no nm")
@pytest.mark.parametrize("library", ["c", "m", "pthread", "stdc++", "gcc_s", "dl", "rt", "gomp"])
def test_functions_of_the_libraries_are_not_a_models(library: str):
    names = [f"lib{library}.so{version}" for version in (".6", ".1", ".0", ".2", "")]
    paths = [run([*find_c_compiler(), f"-print-file-name={name}"], Path()) for name in names]
    found = [Path(path.strip()) for path in paths if "/" in path]
    if not found:
        pytest.skip(f"there is no lib{library}")
    symbols = run(["nm", "-D", "--defined-only", found[0].as_posix()], Path())
    functions = {line.split()[-1].partition("@")[0] for line in symbols.splitlines()}
    assert like_a_models(functions, "model_") == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("emit", ["object", "c"])
def test_whatever_else_a_bundle_holds_is_reserved(tmp_path: Path, emit):
    folder = tmp_path / "bundle"
    compile_model(model(), folder, CompileOptions(emit=emit, threads=2))
    run_make(folder, ["all", "lib", "sanitize"], {"CFLAGS": "-O0", "CXXFLAGS": "-O0"})
    stems = {path.name.partition(".")[0] for path in folder.iterdir()}
    others = {stem for stem in stems if stem not in ("g", "libg", "g-config", "g-sanitize")}
    assert {"main", "kernels", "build", "autodeploy_pool"} <= others
    assert [stem for stem in sorted(others) if not is_reserved(stem)] == []
    text = (folder / "Makefile").read_text()
    targets = re.findall(r"^(\w+):", text, re.MULTILINE)
    assert {"lib", "clean"} <= set(targets)
    assert [t for t in targets if t != "g" and not is_reserved(t)] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "name",
    ["MODEL_v2", "Makefile", "autodeploy_tensor", "stdio", "time", "print", "sem", "size", "in"],
)
def test_bundles_of_odd_names_build(tmp_path: Path, name: str):
    path = tmp_path / f"{name}.onnx"
    path.write_bytes(model())
    folder = tmp_path / "bundle"
    compile_model(path, folder, CompileOptions(threads=2))
    for _ in range(2):
        run_make(folder, ["all", "lib"], {"CFLAGS": "-O0 -Werror"})
    header = f"{Manifest.load(folder).prefix}.h"
    (tmp_path / "user.c").write_text(
        f'#include "{header}"\n#include <semaphore.h>\n#include <stdio.h>\n#include <time.h>\n'
        "int main(void) { return 0; }\n"
    )
    (tmp_path / "user.cpp").write_text(f'#include "{header}"\n#include <iostream>\n')
    run([*find_c_compiler(), "-Werror", "-fsyntax-only", "-Ibundle", "user.c"], tmp_path)
    run([*find_cxx_compiler(), "-Werror", "-fsyntax-only", "-Ibundle", "user.cpp"], tmp_path)
