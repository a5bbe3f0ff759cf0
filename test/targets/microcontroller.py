"""A program around a library for microcontrollers, which runs on a board of QEMU.

It reads and writes files of this machine, which QEMU offers (semihosting).
"""

from __future__ import annotations

from pathlib import Path

from autodeploy.codegen.bundle.manifest import Manifest
from autodeploy.machine import Machine

EXAMPLE = Path(__file__).parents[2] / "examples" / "cortex_m"
"""What runs before ``main``, and where memory is on the boards that QEMU has."""

RAM_BYTES = (4 << 20) - (64 << 10)
"""Memory of the boards for tensors, less some for the stack."""

EMULATOR_PACKAGE = "the Debian package qemu-system-arm"

_BOARDS = {"cortex-m3": "mps2-an385", "cortex-m4": "mps2-an386", "cortex-m7": "mps2-an500"}

_PROGRAM = """\
#include "{prefix}.h"

#include <stdint.h>
#include <string.h>

static unsigned char arena[{macro}_ARENA_BYTES + 1] __attribute__((aligned(64)));
static unsigned char context_memory[{macro}_CONTEXT_BYTES] __attribute__((aligned(8)));
{tensors}
extern unsigned char stack_top[];

enum {{ STACK = 48 << 10, COLOUR = 0xA5 }};

/* Colour the stack below this function. */
static void __attribute__((noinline)) paint_stack(void)
{{
    volatile unsigned char *at = stack_top - STACK;
    const unsigned char *const end = (const unsigned char *)__builtin_frame_address(0) - 64;
    while (at < end) {{
        *at++ = COLOUR;
    }}
}}

/* Tell how far below main the stack has no colour any more. */
static uint32_t stack_used(const void *frame_of_main)
{{
    const unsigned char *at = stack_top - STACK;
    while (*at == COLOUR) {{
        ++at;
    }}
    return (uint32_t)((const unsigned char *)frame_of_main - at);
}}

/* Ask the emulator for something; what it is given is a number, or the address of several. */
static uintptr_t asked(uintptr_t operation, const void *given)
{{
    register uintptr_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = given;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}}

void leave(int status)
{{
    const uintptr_t how[] = {{0x20026, (uintptr_t)status}}; /* the program ends by itself */
    (void)asked(0x20, how);
    for (;;) {{
    }}
}}

/* Read a whole file, or write one. */
static int moved(const char *name, void *data, unsigned long bytes, int reads)
{{
    const uintptr_t opened[] = {{(uintptr_t)name, reads ? 1 : 5, strlen(name)}};
    const uintptr_t file = asked(0x01, opened);
    const uintptr_t all[] = {{file, (uintptr_t)data, bytes}};
    return file != (uintptr_t)-1 && asked(reads ? 0x06 : 0x05, all) == 0
           && asked(0x02, &file) == 0;
}}

int main(void)
{{
    const void *inputs[] = {{{inputs}}};
    void *outputs[] = {{{outputs}}};
    {prefix}_options options;
    {prefix}_context *context;
    uint32_t used;
    memset(&options, 0, sizeof options);
    options.arena = arena;
    options.arena_bytes = {macro}_ARENA_BYTES;
    options.context = context_memory;
    options.context_bytes = sizeof context_memory;
    if (!({reads})) {{
        return 2;
    }}
    paint_stack();
    if ({prefix}_init(&context, &options) != {macro}_OK) {{
        return 3;
    }}
    if ({prefix}_run(context, inputs, outputs) != {macro}_OK) {{
        return 4;
    }}
    used = stack_used(__builtin_frame_address(0));
    return moved("stack.bin", &used, sizeof used, 0) && {writes} ? 0 : 5;
}}
"""


def emulator_of(cpu: str) -> tuple[str, ...]:
    """Return the command that runs a program, which follows it, on a board with a processor."""
    return (
        *("qemu-system-arm", "-M", _BOARDS[cpu], "-nographic", "-monitor", "none"),
        *("-serial", "none", "-semihosting-config", "enable=on,target=native", "-kernel"),
    )


def link_command(compiler: str, machine: Machine, bundle: Path, prefix: str) -> list[str]:
    """Return the command that links the program in ``main.c`` with a bundle's library."""
    folder = bundle.parent
    return [
        *(compiler, *machine.compiler_flags, "-O1", "-std=gnu99", "-Wall", "-Wextra", "-Werror"),
        *(f"-I{bundle}", "-nostartfiles", "--specs=nano.specs", "-Wl,--gc-sections"),
        *("-T", str(EXAMPLE / "mps2.ld"), str(folder / "main.c"), str(EXAMPLE / "startup.c")),
        *(str(bundle / f"lib{prefix}.a"), "-lm", "-o", str(folder / "program.elf")),
    ]


def program_source(manifest: Manifest) -> str:
    """Return a C program that reads ``in<i>.bin``, runs the network once and writes ``out<i>.bin``.

    The files hold the bytes of tensors; ``stack.bin`` has those of the stack that were used, as a
    number of 32 bits. It ends with 0, or with another status where a step fails.
    """
    declared: list[str] = []
    names: dict[str, list[str]] = {}
    for kind, entries in (("in", manifest.inputs), ("out", manifest.outputs)):
        names[kind] = [f"{kind}{number}" for number in range(len(entries))]
        for name, entry in zip(names[kind], entries, strict=True):
            size = max(1, entry.bytes)
            declared.append(f"static unsigned char {name}[{size}] __attribute__((aligned(64)));")
    moves = {
        kind: " && ".join(
            f'moved("{name}.bin", {name}, sizeof {name}, {int(kind == "in")})' for name in listed
        )
        for kind, listed in names.items()
    }
    return _PROGRAM.format(
        prefix=manifest.prefix,
        macro=manifest.prefix.upper(),
        tensors="\n".join(declared),
        inputs=", ".join(names["in"]),
        outputs=", ".join(names["out"]),
        reads=moves["in"],
        writes=moves["out"],
    )
