"""The C program that times each kernel of a bundle, and how it is built.

It holds the bundle's own driver, unchanged, in which the preprocessor renames the kernels: a call
of one is a call of a function here that takes the time and calls the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template

from autodeploy.codegen.bundle.build_files import BUILD_FOLDER
from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.diagnostics import ToolchainError
from autodeploy.toolchain.compiler import find_c_compiler, find_cxx_compiler, run, run_make

_FLAGS = ("-std=c99", "-O2", "-U_FORTIFY_SOURCE")

_PROGRAM = Template("""\
/* Times every kernel of a network: the driver of the bundle, its calls led through here.
 *
 * usage: profile WEIGHTS ROUNDS THREADS FLUSH_SUBNORMALS, with no letter for WEIGHTS where they
 * are linked in.
 * Prints "calls" and, for copies and then each kernel, the calls in one run; then a line a round:
 * "round", the seconds of the run, and the seconds in copies and in each kernel.
 */
#define _POSIX_C_SOURCE 199309L

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { AUTODEPLOY_PROFILE_ENTRIES = $entries, AUTODEPLOY_PROFILE_ALIGNMENT = 128 };

static double autodeploy_profile_seconds[AUTODEPLOY_PROFILE_ENTRIES];
static long autodeploy_profile_calls[AUTODEPLOY_PROFILE_ENTRIES];

static double autodeploy_profile_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void autodeploy_profile_note(int entry, double start)
{
    autodeploy_profile_seconds[entry] += autodeploy_profile_now() - start;
    autodeploy_profile_calls[entry] += 1;
}

static void *autodeploy_profile_copy(void *target, const void *source, size_t bytes)
{
    const double start = autodeploy_profile_now();
    (void)memcpy(target, source, bytes);
    autodeploy_profile_note(0, start);
    return target;
}

/* ---- The driver --------------------------------------------------------------------------- */

#define memcpy autodeploy_profile_copy
$renamed
#include "../../$prefix.c"
#undef memcpy
$restored

/* ---- What its calls come to --------------------------------------------------------------- */

$wrappers

static void *autodeploy_profile_memory(size_t bytes)
{
    uint8_t *const block = (uint8_t *)calloc(bytes + 2 * AUTODEPLOY_PROFILE_ALIGNMENT, 1);
    if (block == NULL) {
        (void)fprintf(stderr, "no memory for inputs and outputs\\n");
        exit(EXIT_FAILURE);
    }
    return block + AUTODEPLOY_PROFILE_ALIGNMENT - (uintptr_t)block % AUTODEPLOY_PROFILE_ALIGNMENT;
}

/* Floats between -1 and 1; of any other type zeros. */
static void *autodeploy_profile_input(const ${prefix}_tensor_info *info)
{
    void *const data = autodeploy_profile_memory(info->bytes);
    uint32_t state = 1;
    size_t i;
    for (i = 0; info->dtype == ${upper}_FLOAT32 && i < info->bytes / sizeof(float); ++i) {
        state = state * 1664525u + 1013904223u;
        ((float *)data)[i] = (float)(state >> 8) / 8388608.0f - 1.0f;
    }
    for (i = 0; info->dtype == ${upper}_FLOAT64 && i < info->bytes / sizeof(double); ++i) {
        state = state * 1664525u + 1013904223u;
        ((double *)data)[i] = (double)(state >> 8) / 8388608.0 - 1.0;
    }
    return data;
}

static void autodeploy_profile_print_calls(void)
{
    int i;
    (void)printf("calls");
    for (i = 0; i < AUTODEPLOY_PROFILE_ENTRIES; ++i) {
        (void)printf(" %ld", autodeploy_profile_calls[i]);
    }
    (void)printf("\\n");
}

static void autodeploy_profile_print_round(double seconds)
{
    int i;
    (void)printf("round %.9e", seconds);
    for (i = 0; i < AUTODEPLOY_PROFILE_ENTRIES; ++i) {
        (void)printf(" %.9e", autodeploy_profile_seconds[i]);
    }
    (void)printf("\\n");
}

int main(int argc, char **argv)
{
    static char message[512];
    const void *inputs[${upper}_INPUT_COUNT + 1] = {NULL};
    void *outputs[${upper}_OUTPUT_COUNT];
    ${prefix}_options options;
    ${prefix}_context *context;
    long rounds, round;
    int i;
    if (argc != 5) {
        return EXIT_FAILURE;
    }
    rounds = atol(argv[2]);
    memset(&options, 0, sizeof options);
    options.weights_path = argv[1][0] != '\\0' ? argv[1] : NULL;
    options.threads = atoi(argv[3]);
    options.flush_subnormals = atoi(argv[4]);
    options.message = message;
    options.message_bytes = sizeof message;
    if (${prefix}_init(&context, &options) != ${upper}_OK) {
        (void)fprintf(stderr, "%s\\n", message);
        return EXIT_FAILURE;
    }
    for (i = 0; i < ${upper}_INPUT_COUNT; ++i) {
        inputs[i] = autodeploy_profile_input(${prefix}_input_info(i));
    }
    for (i = 0; i < ${upper}_OUTPUT_COUNT; ++i) {
        outputs[i] = autodeploy_profile_memory(${prefix}_output_info(i)->bytes);
    }
    for (round = -(rounds / 10 + 2); round < rounds; ++round) {
        double start, seconds;
        memset(autodeploy_profile_seconds, 0, sizeof autodeploy_profile_seconds);
        memset(autodeploy_profile_calls, 0, sizeof autodeploy_profile_calls);
        start = autodeploy_profile_now();
        if (${prefix}_run(context, inputs, outputs) != ${upper}_OK) {
            (void)fprintf(stderr, "%s\\n", ${prefix}_error_message(context));
            return EXIT_FAILURE;
        }
        seconds = autodeploy_profile_now() - start;
        if (round == 0) {
            autodeploy_profile_print_calls();
        }
        if (round >= 0) {
            autodeploy_profile_print_round(seconds);
        }
    }
    ${prefix}_free(context);
    return EXIT_SUCCESS;
}
""")

_WRAPPER = Template("""\
int $symbol($parameters);

int autodeploy_profile_$symbol($parameters)
{
    const double start = autodeploy_profile_now();
    const int code = $symbol($arguments);
    autodeploy_profile_note($entry, start);
    return code;
}
""")


def program_text(prefix: str, arities: Mapping[str, int]) -> str:
    """Return the program for the model ``prefix``; ``arities`` are the buffers of each kernel.

    Kernels are named by their C functions; their order is that of the numbers that are printed.
    """
    return _PROGRAM.substitute(
        prefix=prefix,
        upper=prefix.upper(),
        entries=len(arities) + 1,
        renamed="\n".join(f"#define {symbol} autodeploy_profile_{symbol}" for symbol in arities),
        restored="\n".join(f"#undef {symbol}" for symbol in arities),
        wrappers="\n".join(
            _wrapper(symbol, arity, entry)
            for entry, (symbol, arity) in enumerate(arities.items(), 1)
        ),
    )


def _wrapper(symbol: str, arity: int, entry: int) -> str:
    names = [f"b{i}" for i in range(arity)]
    return _WRAPPER.substitute(
        symbol=symbol,
        parameters=", ".join(["const void *context", *(f"halide_buffer_t *{n}" for n in names)]),
        arguments=", ".join(["context", *names]),
        entry=entry,
    )


def build_program(folder: Path, manifest: Manifest, arities: Mapping[str, int]) -> Path:
    """Build the program in the build folder of the bundle ``folder``; return the executable.

    Raises ``ToolchainError`` where a compiler is missing or fails.
    """
    library = f"lib{manifest.prefix}.a"
    run_make(folder, [library])
    place = Path(BUILD_FOLDER) / "profile"
    source, compiled, program = (place / name for name in ("profile.c", "profile.o", "profile"))
    try:
        (folder / place).mkdir(parents=True, exist_ok=True)
        (folder / source).write_text(program_text(manifest.prefix, arities), encoding="utf-8")
    except OSError as error:
        raise ToolchainError(f"cannot write to '{folder}': {error.strerror or error}") from None
    run([*find_c_compiler(), *_FLAGS, "-I.", "-c", str(source), "-o", str(compiled)], folder)
    is_cxx = any(kernel.file.endswith(".cpp") for kernel in manifest.kernels)
    linker = find_cxx_compiler() if is_cxx else find_c_compiler()
    # The driver in the library stays out: all that it defines, the program has already.
    run([*linker, str(compiled), library, "-lm", "-pthread", "-o", str(program)], folder)
    return folder / program
