/* A program around a library for microcontrollers, for a board of QEMU: it reads in0.bin and so on,
 * runs the network once, and writes out0.bin and so on, by semihosting. stack.bin has the bytes of
 * the stack that a run used, as a number of 32 bits.
 */
#include "model.h"
#include "semihosting.h"

#include <string.h>

static unsigned char arena[MODEL_ARENA_BYTES + 1] __attribute__((aligned(64)));
static unsigned char context_memory[MODEL_CONTEXT_BYTES] __attribute__((aligned(8)));
@tensors@
extern unsigned char stack_top[];

enum { STACK = 48 << 10, COLOUR = 0xA5 };

/* Colour the stack below this function. */
static void __attribute__((noinline)) paint_stack(void)
{
    volatile unsigned char *at = stack_top - STACK;
    const unsigned char *const end = (const unsigned char *)__builtin_frame_address(0) - 64;
    while (at < end) {
        *at++ = COLOUR;
    }
}

/* Tell how far below main the stack has no colour any more. */
static uint32_t stack_used(const void *frame_of_main)
{
    const unsigned char *at = stack_top - STACK;
    while (*at == COLOUR) {
        ++at;
    }
    return (uint32_t)((const unsigned char *)frame_of_main - at);
}

/* Read a whole file, or write one. */
static int moved(const char *name, void *data, unsigned long bytes, int reads)
{
    const uintptr_t opened[] = {(uintptr_t)name, reads ? 1 : 5, strlen(name)};
    const uintptr_t file = asked(0x01, opened);
    const uintptr_t all[] = {file, (uintptr_t)data, bytes};
    return file != (uintptr_t)-1 && asked(reads ? 0x06 : 0x05, all) == 0
           && asked(0x02, &file) == 0;
}

int main(void)
{
    const void *inputs[] = {@inputs@};
    void *outputs[] = {@outputs@};
    model_options options;
    model_context *context;
    uint32_t used;
    memset(&options, 0, sizeof options);
    options.arena = arena;
    options.arena_bytes = MODEL_ARENA_BYTES;
    options.context = context_memory;
    options.context_bytes = sizeof context_memory;
    if (!(@reads@)) {
        return 2;
    }
    paint_stack();
    if (model_init(&context, &options) != MODEL_OK) {
        return 3;
    }
    if (model_run(context, inputs, outputs) != MODEL_OK) {
        return 4;
    }
    used = stack_used(__builtin_frame_address(0));
    return moved("stack.bin", &used, sizeof used, 0) && @writes@ ? 0 : 5;
}
