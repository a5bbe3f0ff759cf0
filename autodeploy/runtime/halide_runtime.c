/* See halide_runtime.h.
 *
 * Scratch is a stack of blocks. Just before the bytes of a block lies its header; blocks that are
 * given back while newer ones live are marked, and leave together with those.
 */
#include "halide_runtime.h"

#include <string.h>

/* Describes one block: where the one below it starts and ends, and whether it was given back. */
typedef struct block_header {
    size_t newest_before;
    size_t used_before;
    size_t is_free;
} block_header;

enum {
    /* Bytes that may be read behind a block. */
    READABLE_BEHIND = 16
};

#if defined(_WIN32) && defined(__GNUC__)
/* Kernels that compute with floats name it; only Microsoft's own library has it. */
const int _fltused = 0;
#if defined(__x86_64__) && !defined(__clang__)
/* And this touches the pages of large stack frames; GCC's library has it by another name. */
__asm__(".globl __chkstk\n__chkstk:\n\tjmp ___chkstk_ms\n");
#endif
#endif

/* Copying keeps to the rules whatever the type and alignment of the caller's memory. */
static block_header read_header(const autodeploy_runtime *runtime, size_t offset)
{
    block_header header;
    memcpy(&header, runtime->scratch + offset - sizeof header, sizeof header);
    return header;
}

static void write_header(const autodeploy_runtime *runtime, size_t offset, block_header header)
{
    memcpy(runtime->scratch + offset - sizeof header, &header, sizeof header);
}

void autodeploy_runtime_init(autodeploy_runtime *runtime, void *scratch, size_t scratch_bytes)
{
    memset(runtime, 0, sizeof *runtime);
    runtime->scratch = (unsigned char *)scratch;
    runtime->scratch_bytes = scratch_bytes;
}

void autodeploy_runtime_work_in(
    autodeploy_runtime *runtime, void *scratch, size_t scratch_bytes)
{
    runtime->scratch = (unsigned char *)scratch;
    runtime->scratch_bytes = scratch_bytes;
}

void autodeploy_runtime_reset(autodeploy_runtime *runtime)
{
    runtime->used = 0;
    runtime->newest = 0;
    runtime->failed = 0;
    runtime->message[0] = '\0';
}

void *halide_malloc(void *user_context, size_t bytes)
{
    autodeploy_runtime *runtime = (autodeploy_runtime *)user_context;
    block_header header;
    uintptr_t address;
    size_t offset, gap, available = runtime->scratch_bytes - runtime->used;

    if (available < AUTODEPLOY_SCRATCH_OVERHEAD ||
        bytes > available - AUTODEPLOY_SCRATCH_OVERHEAD) {
        halide_error(user_context, "scratch memory of the kernels is exhausted");
        return NULL;
    }
    offset = runtime->used + sizeof header;
    address = (uintptr_t)(runtime->scratch + offset);
    gap = (AUTODEPLOY_SCRATCH_ALIGNMENT - address % AUTODEPLOY_SCRATCH_ALIGNMENT) %
          AUTODEPLOY_SCRATCH_ALIGNMENT;
    offset += gap;

    header.newest_before = runtime->newest;
    header.used_before = runtime->used;
    header.is_free = 0;
    write_header(runtime, offset, header);
    runtime->newest = offset;
    runtime->used = offset + bytes + READABLE_BEHIND;
    if (runtime->used > runtime->peak) {
        runtime->peak = runtime->used;
    }
    return runtime->scratch + offset;
}

void halide_free(void *user_context, void *pointer)
{
    autodeploy_runtime *runtime = (autodeploy_runtime *)user_context;
    block_header header;
    size_t offset;

    if (pointer == NULL) {
        return;
    }
    offset = (size_t)((unsigned char *)pointer - runtime->scratch);
    header = read_header(runtime, offset);
    header.is_free = 1;
    write_header(runtime, offset, header);
    while (runtime->newest != 0) {
        header = read_header(runtime, runtime->newest);
        if (!header.is_free) {
            break;
        }
        runtime->used = header.used_before;
        runtime->newest = header.newest_before;
    }
}

int halide_do_par_for(void *user_context, autodeploy_task task, int first, int count,
                      uint8_t *closure)
{
    autodeploy_runtime *runtime = (autodeploy_runtime *)user_context;
    int index, result = 0;

    if (runtime->parallel_for != NULL) {
        return runtime->parallel_for(runtime, task, first, count, closure);
    }
    for (index = 0; index < count && result == 0; index++) {
        result = task(user_context, first + index, closure);
    }
    return result;
}

void halide_error(void *user_context, const char *message)
{
    autodeploy_runtime *runtime = (autodeploy_runtime *)user_context;
    size_t length = strlen(message);

    if (runtime->failed) {
        return;
    }
    if (length >= sizeof runtime->message) {
        length = sizeof runtime->message - 1;
    }
    while (length > 0 && (message[length - 1] == '\n' || message[length - 1] == '\r')) {
        length--;
    }
    memcpy(runtime->message, message, length);
    runtime->message[length] = '\0';
    runtime->failed = 1;
}
