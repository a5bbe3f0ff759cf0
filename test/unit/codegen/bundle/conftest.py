"""What tests of bundles and of their manifests share."""

from __future__ import annotations

import pytest
from bundle_kernels import kernel, write_source

from autodeploy.codegen.halide.kernels import CompiledKernel
from autodeploy.toolchain.compiler import find_c_compiler, run


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> list[CompiledKernel]:
    folder = tmp_path_factory.mktemp("kernels")
    source = write_source(folder, "add.c")
    run([*find_c_compiler(), "-O2", "-fPIC", "-c", source.name, "-o", "sum_add.o"], folder)
    return [kernel((folder / "sum_add.o",))]
