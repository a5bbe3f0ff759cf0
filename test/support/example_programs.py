"""Programs of ``examples/`` that link with a bundle, built strictly."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from autodeploy.toolchain.compiler import find_c_compiler, run

EXAMPLES = Path(__file__).parents[2] / "examples"
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror")
SANITIZE = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

Says = Callable[..., tuple[bytes, str]]


def built_with(
    bundle: Path, sources: Sequence[Path | str], made: Path, *, flags: Sequence[str] = SANITIZE
) -> Says:
    """Build sources with the driver of a bundle, whose kernels are objects.

    Returns a function that runs the program with words, checks its exit status (``status``, 0) and
    returns its output, as bytes, and its errors.
    """
    left_out = ("main", "autodeploy_tensor")
    driver = [path for path in bundle.glob("*.c") if not path.name.startswith(left_out)]
    kernels = (bundle / "kernels").glob("*.o")
    words = [*STRICT, *flags, f"-I{bundle}", *map(str, [*sources, *driver, *kernels])]
    run([*find_c_compiler(), *words, "-lm", "-pthread", "-o", str(made)], EXAMPLES)

    def says(*given: object, status: int = 0) -> tuple[bytes, str]:
        command = [str(made), *map(str, given)]
        done = subprocess.run(command, capture_output=True, check=False)
        assert done.returncode == status, done.stderr
        return done.stdout, done.stderr.decode()

    return says
