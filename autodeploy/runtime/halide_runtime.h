/* What compiled Halide kernels call: scratch memory, parallel loops, errors.
 *
 * Kernels are compiled with Halide's target features no_runtime and user_context. They get a
 * pointer to a struct autodeploy_runtime as their first argument and hand it to the functions
 * below, so nothing is global, nothing is allocated, and kernels with different structures may run
 * at the same time. One structure serves one thread at a time.
 *
 * Beyond these functions a kernel may call memset and memcpy, and of the mathematical functions
 * those that the machine has no instructions for.
 */
#ifndef AUTODEPLOY_HALIDE_RUNTIME_H
#define AUTODEPLOY_HALIDE_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* Alignment in bytes of what halide_malloc returns: the widest vector there is. */
    AUTODEPLOY_SCRATCH_ALIGNMENT = 128,
    /* Bytes of scratch that one halide_malloc may take beyond those asked for. */
    AUTODEPLOY_SCRATCH_OVERHEAD = 256,
    /* Bytes of the message of an error, the closing zero included. */
    AUTODEPLOY_RUNTIME_MESSAGE_BYTES = 160
};

/* The body of a parallel loop: computes iteration `index`, returns 0 or an error. */
typedef int (*autodeploy_task)(void *user_context, int index, uint8_t *closure);

struct autodeploy_runtime;

/* Run task(c, i, closure) for each i from first to first + count - 1, in any order and at any time
 * before the return; return 0, or what a failing iteration returned. c is a runtime of the thread
 * that does it: one structure, with scratch of its own, for each. */
typedef int (*autodeploy_parallel_for)(struct autodeploy_runtime *runtime, autodeploy_task task,
                                       int first, int count, uint8_t *closure);

/* The user context of kernels. Set it up with autodeploy_runtime_init; then parallel_for and
 * pool may be set. The other members are read only. */
typedef struct autodeploy_runtime {
    /* Memory that kernels take and give back, like a stack; owned by the caller. */
    unsigned char *scratch;
    size_t scratch_bytes;
    /* Bytes in use, offset of the newest block (0: none), and the most bytes ever in use. */
    size_t used;
    size_t newest;
    size_t peak;
    /* How parallel loops run; NULL: one iteration after the other. pool is for its use. */
    autodeploy_parallel_for parallel_for;
    void *pool;
    /* Not 0 after an error; message then says in one line what went wrong first. */
    int failed;
    char message[AUTODEPLOY_RUNTIME_MESSAGE_BYTES];
} autodeploy_runtime;

/* Set up a runtime that takes from scratch_bytes bytes at scratch, of any alignment.
 *
 * scratch may be NULL when scratch_bytes is 0. How much a kernel takes is known when it is
 * compiled; a kernel that finds less memory than that does not check and must not be called. */
void autodeploy_runtime_init(autodeploy_runtime *runtime, void *scratch, size_t scratch_bytes);

/* Let the next kernel take its scratch memory from another place; for use between kernels. */
void autodeploy_runtime_work_in(
    autodeploy_runtime *runtime, void *scratch, size_t scratch_bytes);

/* Forget an error and take back all scratch memory; for use between kernels. */
void autodeploy_runtime_reset(autodeploy_runtime *runtime);

/* Return `bytes` bytes of scratch memory, aligned to AUTODEPLOY_SCRATCH_ALIGNMENT, or NULL with an
 * error recorded where there is not enough. At least 8 bytes before and behind may be read. */
void *halide_malloc(void *user_context, size_t bytes);

/* Give back what halide_malloc returned; NULL is allowed. Blocks come back in any order; the
 * memory of one is free for others as soon as all newer ones are given back, too. */
void halide_free(void *user_context, void *pointer);

/* Run a parallel loop by the runtime's parallel_for, or here, up to the first failing iteration.
 * Returns 0, or what that iteration returned. */
int halide_do_par_for(void *user_context, autodeploy_task task, int first, int count,
                      uint8_t *closure);

/* Record an error; the first one's message is kept, cut to what fits. */
void halide_error(void *user_context, const char *message);

#ifdef __cplusplus
}
#endif

#endif
