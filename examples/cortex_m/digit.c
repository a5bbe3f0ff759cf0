/* Reads a handwritten digit on a Cortex-M: no operating system, no heap, no files.
 *
 * The picture is a part of the program; what is found goes to a debugger by semihosting.
 */
#include "mnist.h"

#include <stddef.h>
#include <stdint.h>

/* 28x28 floats, from the file DIGIT. */
__asm__(".section .rodata.digit\n"
        ".balign 4\n"
        "digit: .incbin \"" DIGIT "\"\n"
        ".text\n");
extern const float digit[];

#ifdef MNIST_POOL_COUNT
/* The arena in two memories (--pool fast=14K,slow=1M): the linker script places the second one. */
static uint8_t fast[MNIST_POOL_FAST_BYTES] __attribute__((aligned(MNIST_ARENA_ALIGNMENT)));
static uint8_t slow[MNIST_POOL_SLOW_BYTES]
    __attribute__((section(".slow"), aligned(MNIST_ARENA_ALIGNMENT)));
#else
static uint8_t arena[MNIST_ARENA_BYTES] __attribute__((aligned(MNIST_ARENA_ALIGNMENT)));
#endif
static uint8_t context_memory[MNIST_CONTEXT_BYTES] __attribute__((aligned(8)));
static float logits[10];

void leave(int status);

/* Ask the debugger, or QEMU, for something: write a text (4), end (0x18). */
static void ask(int what, const void *of)
{
    register int operation __asm__("r0") = what;
    register const void *argument __asm__("r1") = of;
    __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
}

void leave(int status)
{
    const uint32_t application_exit = 0x20026, run_time_error = 0x20023;
    ask(0x18, (const void *)(uintptr_t)(status == 0 ? application_exit : run_time_error));
    for (;;) {
    }
}

static void print(const char *name, uint32_t number)
{
    char text[12];
    char *first = text + sizeof text;
    *--first = '\0';
    *--first = '\n';
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    ask(4, name);
    ask(4, first);
}

/* The timer of the core counts down from 2^24. */
static void start_timer(void)
{
    *(volatile uint32_t *)0xE000E014 = 0xFFFFFF;
    *(volatile uint32_t *)0xE000E018 = 0;
    *(volatile uint32_t *)0xE000E010 = 5;
}

static uint32_t ticks(void)
{
    return 0xFFFFFF - *(volatile uint32_t *)0xE000E018;
}

int main(void)
{
    char message[80];
    mnist_options options = {0};
    mnist_context *context;
    uint32_t before, after;
    int i, best = 0;
#ifdef MNIST_POOL_COUNT
    options.pools[MNIST_POOL_FAST] = fast;
    options.pool_bytes[MNIST_POOL_FAST] = sizeof fast;
    options.pools[MNIST_POOL_SLOW] = slow;
    options.pool_bytes[MNIST_POOL_SLOW] = sizeof slow;
#else
    options.arena = arena;
    options.arena_bytes = sizeof arena;
#endif
    options.context = context_memory;
    options.context_bytes = sizeof context_memory;
    options.message = message;
    options.message_bytes = sizeof message;
    if (mnist_init(&context, &options) != MNIST_OK) {
        ask(4, message);
        return 1;
    }
    start_timer();
    before = ticks();
    if (mnist_predict(context, digit, logits) != MNIST_OK) {
        ask(4, mnist_error_message(context));
        return 1;
    }
    after = ticks();
    for (i = 1; i < 10; ++i) {
        best = logits[i] > logits[best] ? i : best;
    }
    for (i = 0; i < 10; ++i) {
        uint32_t bits;
        __builtin_memcpy(&bits, &logits[i], sizeof bits);
        print("logit bits ", bits);
    }
    print("predicted number is ", (uint32_t)best);
    print("ticks ", (after - before) & 0xFFFFFF);
    return 0;
}
