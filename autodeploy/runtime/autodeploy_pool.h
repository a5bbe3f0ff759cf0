/* Threads that share the iterations of the kernels' parallel loops.
 *
 * A pool belongs to one autodeploy_runtime, whose loops it runs: the thread that calls a kernel
 * works along with the pool's own. It lies in memory of the caller, has no global state, and
 * allocates nothing but what the system needs for threads, when it starts. Between loops its
 * threads watch for the next one for some microseconds, then sleep. In a loop they compute in the
 * floating-point mode of the thread that calls the kernel.
 */
#ifndef AUTODEPLOY_POOL_H
#define AUTODEPLOY_POOL_H

#include "halide_runtime.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    /* The most threads of a pool, the caller's included. */
    AUTODEPLOY_POOL_MAX_THREADS = 1024
};

typedef struct autodeploy_pool autodeploy_pool;

/* Return how many processors this process may use, at least 1. */
int autodeploy_pool_processors(void);

/* Return the bytes of memory for a pool by which `threads` threads work, the caller's included;
 * each of the others has scratch_bytes bytes of scratch. 0 for a single thread, which needs none,
 * and for a number of threads out of range. */
size_t autodeploy_pool_bytes(int threads, size_t scratch_bytes);

/* Start a pool in memory of any alignment, of autodeploy_pool_bytes(threads, scratch_bytes) bytes,
 * and let it run the loops of a runtime that has been set up.
 *
 * Returns NULL, with nothing left behind, where the system does not start all threads or their
 * number is out of range (from 2 on). The memory is in use until autodeploy_pool_stop. */
autodeploy_pool *autodeploy_pool_start(void *memory, int threads, size_t scratch_bytes,
                                       autodeploy_runtime *runtime);

/* Begin to use a pool: where the process has forked since the start, the child has none of its
 * threads, and the runtime runs its loops alone from now on. NULL is allowed. */
void autodeploy_pool_enter(autodeploy_pool *pool);

/* End the threads of a pool, between loops; the runtime then runs its loops alone. After a fork
 * each process ends its own copy, the child at any time. NULL is allowed. */
void autodeploy_pool_stop(autodeploy_pool *pool);

#ifdef __cplusplus
}
#endif

#endif
